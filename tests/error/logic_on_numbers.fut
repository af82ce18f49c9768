def f (x: i32) = x && true --! Cannot apply "&&" to "x"
