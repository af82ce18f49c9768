def f (x: f32) = 0..<x --! Range component
