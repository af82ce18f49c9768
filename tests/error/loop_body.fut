def f (n: i32) = loop a = 1i32 for i < n do true --! Loop body does not have expected type
