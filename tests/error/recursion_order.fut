def f (x: i32) : i32 -> i32 = if x == 0 then (\y -> y) else f (x - 1) --! function type
