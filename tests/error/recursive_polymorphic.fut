def f 'a (x: a) : i32 = f 1i32 --! Cannot apply "f" to "1i32"
