def f = let g x = (x, x) in (g 1i32, g true) --! Cannot apply "g" to "true"
