def f (b: bool) =
  match b
  case true -> 1i32
  case false -> 2f32 --! Branches differ in type
