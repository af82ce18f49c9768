def f (x: f32) = x ^ x --! "^"
