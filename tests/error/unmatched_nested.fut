def f (x: #foo (#moo i32 | #none) bool | #bar) =
  match x --! #foo (#moo _) false
  case #foo (#moo _) true -> 1i32
  case #foo #none _ -> 2
  case #bar -> 3
