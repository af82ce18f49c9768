def f = (+ 1i32) 2 3 --! Cannot apply function
