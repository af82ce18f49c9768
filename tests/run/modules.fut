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
