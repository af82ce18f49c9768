def f (n: i32) = loop (a, b) = 1i32 for i < n do (a, b) --! Pattern cannot match
