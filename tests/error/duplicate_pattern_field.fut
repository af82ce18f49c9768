def f (r: {a: i32}) = let {a = x, a = y} = r in x --! Duplicate fields
