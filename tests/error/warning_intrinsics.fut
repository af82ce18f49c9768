-- warning
def f (x: i32) = intrinsics.add x x --! intrinsic
