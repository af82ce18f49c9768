def f (x: i32) = loop 1 = x for i < 3i32 do x --! Refutable
