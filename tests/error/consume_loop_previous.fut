def f (n: i64) =
  loop (a, b) = (iota n, iota n) for i < 9 do
    let b[0] = 1 --! (#aliases-previously-returned)
    in (b, b)
