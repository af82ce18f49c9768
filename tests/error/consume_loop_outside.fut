def f (ys: *[]i32) n =
  loop a = [1] for i < n do
    let b = a with [i] = 0 --! (#consuming-loop-param-aliases)
    in ys
