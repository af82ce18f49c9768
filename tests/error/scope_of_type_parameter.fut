def f x =
  let g 'a (y: a) = let _ = [x, y] in y --! scope-violation
  in g x
