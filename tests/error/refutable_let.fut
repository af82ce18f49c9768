def f (x: i32) = let 1 = x in x --! Refutable
