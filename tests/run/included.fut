-- A module type may include the same type name twice: the later specification shadows the earlier,
-- and the module's type of that name stands for both.
-- ==
-- input { 3 } output { 14 }

module type A = { type t val x : t val from : t -> i32 }
module type B = { type t val y : t val to : i32 -> t }
module type C = { include A include B }
module M : C = { type t = i32 def x = 1i32 def y = 2i32 def from (a: i32) = a + 1 def to (a: t) = a }
module twice (X: C) = { def first = X.from X.x def second (a: i32) = let _ = X.to a in 5i32 }
module R = twice { type t = i64 def x = 6i64 def y = 2i64 def from = i32.i64 def to = i64.i32 }
entry main (a: i32) = M.from M.x + R.first + R.second a + (let _ = M.to a in 1)
