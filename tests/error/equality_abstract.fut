module m = { type t = i32 def x : t = 1 } : { type t val x : t }
def f = m.x == m.x --! does not support equality
