def f (x: *[]i32) : (*[]i32, []i32) = (x, x) --! aliased to some other component
