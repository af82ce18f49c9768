def f (r: {a: i32, b: i32}) = r.c --! Cannot unify record type with fields
