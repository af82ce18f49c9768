def f (x: (i32, i32)) = x < x --! Cannot apply "<" to "x"
