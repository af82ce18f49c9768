def x = 1i32
def f = x 2i32 --! Cannot apply "x" as function
