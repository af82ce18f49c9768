def f (x: i32) = let g (y: i32) : bool = y in g x --! Function body does not have expected type
