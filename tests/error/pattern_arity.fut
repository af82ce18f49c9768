def f (x: (i32, i32, i32)) = let (a, b) = x in a --! Tuples have 3 and 2 elements
