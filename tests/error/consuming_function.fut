def g (x: *[]i32) = x[0]
def h (f: []i32 -> i32) (x: []i32) = f x
def m (x: []i32) = h g x --! incompatible regarding consuming
