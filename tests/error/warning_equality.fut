-- warning
def f (x: [2]i32) = x == x --! deprecated
