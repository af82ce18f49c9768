module m = { def a = 1i32 }
def f = m.b --! Unknown name "m.b"
