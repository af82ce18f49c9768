module m = { type t = i32 }
def f (x: m.u) = x --! Unknown type "m.u"
