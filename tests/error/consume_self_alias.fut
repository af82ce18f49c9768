def g (t: *([]i32, []i32)) = 0i32
def f (x: *[]i32) = g (x, x) --! self-aliased
