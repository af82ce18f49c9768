module m : { type t val x : t } = { type t = i32 def x = 1i32 }
def f = m.x + 1i32 --! m.t
