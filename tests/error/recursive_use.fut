def f (x: i32) : bool = f (x + 1) == true && f x > 2i32 --! Cannot apply ">"
