def f (n: i32) = loop a = n while a do a - 1 --! bool
