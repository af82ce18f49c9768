-- A parameter that the pattern declares consuming may not become what others can see.
def next (xs: *[]i32) (zs: []i32) = loop (ys: *[]i32) = xs for _i < 3i32 do zs --! aliases "zs"
def pair (xs: []i32) (zs: []i32) =
  loop (ys: *[]i32, k: []i32) = (copy xs, zs) for _i < 3i32 do (k, zs) --! aliases
def fine (xs: []i32) (zs: []i32) = loop (_ys: *[]i32) = copy xs for _i < 3i32 do copy zs
