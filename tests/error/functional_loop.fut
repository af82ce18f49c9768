def f (g: i32 -> i32) = loop h = g for i < 3i32 do h --! may not be of function type
