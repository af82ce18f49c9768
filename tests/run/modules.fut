-- Modules, module types, functors, opaque types, local definitions.
-- ==
-- entry: run
-- input { [1,2,3] } output { 6i32 6.0 [2,4,6] 3i32 }

module type monoid = {
  type t
  val op: t -> t -> t
  val zero: t
}
module sum_i32 : monoid with t = i32 = { type t = i32 def op = (i32.+) def zero = 0i32 }
module sum_f64 = { type t = f64 def op (a: f64) b = a + b def zero = 0f64 }
module fold (m: monoid) = { def all (xs: []m.t) = reduce m.op m.zero xs }
module fi = fold sum_i32
module ff = fold sum_f64

module counter : { type t val new: i32 -> t val next: t -> t val get: t -> i32 } = {
  type t = {value: i32}
  def new (value: i32) = {value}
  def next (c: t) = c with value = c.value + 1
  def get (c: t) = c.value
}
module m = { local def hidden = 2 def shown x = x * hidden }
open m

entry run (xs: []i32) =
  (fi.all xs, ff.all (map f64.i32 xs), map shown xs,
   counter.get (counter.next (counter.next (counter.new 1))))

-- A function named like a module: a path that begins with the name means the module.
-- ==
-- entry: named_like_module
-- input { 3i64 2.6f32 200u8 } output { 24i64 5f32 1600i64 }
module type number = { type t val of : i64 -> t }
module fixed (N: number) = {
  def i64 (x: i64) : N.t = (i64.<<) x 3 |> N.of
  def u8 (x: u8) : N.t = u8.to_i64 x |> i64
}
module whole = fixed { type t = i64 def of (x: i64) : t = x }
def f32 (x: f32) : f32 = f32.round ((f32.*) x 2)
entry named_like_module (x: i64) (y: f32) (z: u8) = (whole.i64 x, f32 y, whole.u8 z)
