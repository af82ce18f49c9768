def f (x: #a i32 | #b) = let (#a y) = x in y --! Refutable
