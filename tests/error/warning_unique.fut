-- warning
def f (x: *i32) = x --! has no effect
