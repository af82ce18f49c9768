def f = {a = 1i32, a = 2i32} --! Duplicate
