def f (g: i32 -> i32) (x: i32) : i32 = let h = f g in h x --! not fully saturated
