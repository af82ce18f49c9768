def f (n: i64) =
  loop (a: *[]i64, b: *[]i64) = (iota n, iota n) for i < 9 do
    (a, a) --! (#loop-parameter-aliases-other)
