def f (b: bool) (g: i32 -> i32) =
  match b case _ -> g --! may not be of function type
