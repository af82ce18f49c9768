module m = { def a = 1i32 }
def f = m --! Unknown name "m"
