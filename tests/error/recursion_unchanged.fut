def f (g: i32 -> i32) (x: i32) : i32 = f (\y -> g y) x --! passed unchanged
