def f (n: i32) = let g (x: i32) : i32 = g (x - 1) in g n --! Unknown name "g"
