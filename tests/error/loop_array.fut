def f (n: i32) = loop a = 1i32 for x in n do a --! for-in
