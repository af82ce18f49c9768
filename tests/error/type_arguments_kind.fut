type vec [n] = [n]i32
def f (x: vec i32) = x --! "vec"
