module m = { local type t = i32 }
def f (x: m.t) = x --! Unknown type "m.t"
