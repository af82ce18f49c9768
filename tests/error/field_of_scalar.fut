def f (x: i32) = x.c --! with type that must be a record
