def f (n: i32) = if n then 1i32 else 2 --! bool
