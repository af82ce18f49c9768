-- Globals of abstract type may be consumed and returned as unique: each use has its own copy.
module mk (L: {type t val ne: t val op: t -> t -> t val bump: *t -> t}) = {
  type t = L.t
  def direct (_: i64) : *L.t = L.ne
  #[noinline]
  def kept (_: i64) : *L.t = L.ne
  #[noinline]
  def pair (_: i64) : (*L.t, *L.t) = (L.ne, L.ne)
  def all [n] (xs: [n]L.t) : *[n]L.t = map (\x -> x) xs |> scan L.op L.ne
  def first [n] (xs: [n]L.t) = (all xs) with [0] = L.ne
  def bumped (n: i64) = let y = L.ne in loop s = L.bump y for _i < n do L.op s (L.bump L.ne)
  def several (n: i64) = tabulate n (\_ -> L.bump L.ne)
}
module v = mk {
  type t = [2]i64
  def ne : t = [0, 0]
  def op (a: t) (b: t) : t = map2 (+) a b
  def bump (a: *t) : t = let a[0] = a[0] + 1 in a
}
module s = mk {type t = i64 def ne = 0i64 def op = (i64.+) def bump (x: i64) = x + 1}

entry direct (x: i64) = let y = v.direct x with [0] = 5 in (y, v.direct x)
entry kept (x: i64) = let y = v.kept x with [0] = 5 in (y, v.kept x)
entry pair (x: i64) = let (a, b) = v.pair x let a[0] = x in (a, b)
entry all [n] (xs: [n][2]i64) = let y = v.all xs with [0, 0] = 5 in (y, v.all xs, v.first xs)
entry result (x: i64) : *[2]i64 = v.direct x
entry bumped (n: i64) = (v.bumped n, v.several n, v.bumped 0)
entry scalars (n: i64) = (s.direct n, s.bumped n, s.several n, s.all [n, n])
-- ==
-- entry: direct kept
-- input { 1i64 } output { [5i64, 0i64] [0i64, 0i64] }
-- ==
-- entry: pair
-- input { 1i64 } output { [1i64, 0i64] [0i64, 0i64] }
-- ==
-- entry: all
-- input { [[1i64, 2i64], [3i64, 4i64]] }
-- output { [[5i64, 2i64], [4i64, 6i64]] [[1i64, 2i64], [4i64, 6i64]] [[0i64, 0i64], [4i64, 6i64]] }
-- ==
-- entry: result
-- input { 1i64 } output { [0i64, 0i64] }
-- ==
-- entry: bumped
-- input { 2i64 } output { [3i64, 0i64] [[1i64, 0i64], [1i64, 0i64]] [1i64, 0i64] }
-- ==
-- entry: scalars
-- input { 2i64 } output { 0i64 3i64 [1i64, 1i64] [2i64, 4i64] }
