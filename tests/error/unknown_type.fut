def f (x: thing) = x --! Unknown type "thing"
