module type S = { type t val x : t val f : t -> t }
module a : S = { type t = i32 def x = 1i32 def f (y: t) = y }
module b : S = { type t = i32 def x = 1i32 def f (y: t) = y }
def g = a.f b.x --! Expected: a.t Actual:   b.t
