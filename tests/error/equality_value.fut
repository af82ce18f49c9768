def f (x: i32 -> i32) = let eq = (==) in eq x x --! equality
