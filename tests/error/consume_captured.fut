def f (a: *[]i64) = map (\i -> let b = a with [i] = i in b[0]) (iota 3) --! Consuming variable "a"
