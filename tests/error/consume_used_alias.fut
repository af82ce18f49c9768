def f [n] (a: *[n][n]i32) (r: [n]i32) =
  let b = a[1]
  let a[0] = r
  in b --! Using variable "a", but this was consumed at
