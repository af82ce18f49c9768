def f (n: i64, a: [n]u8) = a --! Unknown name "n"
