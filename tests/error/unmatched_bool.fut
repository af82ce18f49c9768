def f (x: bool) (y: bool) =
  match (x, y) --! (false, true)
  case (true, _) -> 1i32
  case (false, false) -> 2
