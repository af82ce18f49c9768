module F (P: {}) = { def x = 1i32 }
def f = F.x --! parametric
