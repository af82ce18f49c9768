entry main [n] (x: i64) : [n]i64 = replicate n x --! size-polymorphic in their return type
