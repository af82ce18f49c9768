def f (xs: *[]i32) (is: []i64) (vs: []i32) =
  let g = scatter xs --! (#contains-consumption)
  in g is vs
