def f = g 1i32 --! Unknown name "g"
def g (x: i32) = x
