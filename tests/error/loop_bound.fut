def f (n: f32) = loop a = 1i32 for i < n do a --! Bound
