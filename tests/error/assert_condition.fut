def f (n: i32) = assert n 1i32 --! bool
