def f (x: i32) (y: i32) = x + y
def g = f 1 2 3 --! Function accepts only 2 arguments
