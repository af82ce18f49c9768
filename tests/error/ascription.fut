def f (x: i32) = x : f32 --! ascription
