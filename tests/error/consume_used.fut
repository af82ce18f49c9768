def f (a: *[]i32) =
  let b = a with [0] = 1
  in (a, b) --! Using variable "a", but this was consumed at
