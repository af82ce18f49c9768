-- A square root by Newton's iteration: the derivative of a loop.
entry root (a: f64) : f64 =
  loop x = 1 for _i < 8i64 do
    (x + a / x) / 2
