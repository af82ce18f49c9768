def f (b: bool) = if b then 1i32 else true --! Branches differ in type
