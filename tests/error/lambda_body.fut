def f = map (\(x: i32) : bool -> x) [1] --! Function body does not have expected type
