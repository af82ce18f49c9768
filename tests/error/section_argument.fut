def f = map (+ true) [1i32, 2] --! Cannot apply
