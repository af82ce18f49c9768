def f (x: i32) (y: f32) = x + y --! Cannot apply "+" to "y"
