def f (x: f32) = !x --! Cannot apply "!" to "x"
