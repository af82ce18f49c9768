def f (x: i32, x: i32) = x --! "x" also bound
