module F (P: {}) : { type t val x : t val f : t -> t } =
  { type t = i32 def x = 1i32 def f (y: t) = y }
module a = F {}
module b = F {}
def g = a.f b.x --! Cannot apply "a.f" to "b.x"
