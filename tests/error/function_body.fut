def f (x: i32) : bool = x --! Function body does not have expected type
