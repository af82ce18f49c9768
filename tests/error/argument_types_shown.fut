def f (x: i32) = x
def g = f 2f64 --! Expected: i32 Actual:   f64
