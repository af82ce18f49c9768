def f (x: i32) = let (a, b) = x in a --! cannot match
