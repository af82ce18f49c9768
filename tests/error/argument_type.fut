def f (x: i32) = x
def g = f true --! Cannot apply "f" to "true"
