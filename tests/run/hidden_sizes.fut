-- Sizes that a named type hides: branches and loops do not make them one, so that the module fits
-- its type; values show them when the program runs.
-- ==
-- entry: main
-- input { true 5i64 } output { 11i64 [7i64, 8i64, 9i64] }
-- input { false 5i64 } output { 3i64 [7i64, 8i64, 9i64] }
-- input { false 2i64 } output { 3i64 [10i64, 20i64] }

module type pairs = {
  type~ t
  val make [n] [m] : [n]i64 -> [m]i64 -> t
  val pick : bool -> t -> i64
  val step : i64 -> t -> t
  val put [n] : bool -> [n]i64 -> t -> t
  val first : t -> []i64
}

module pairs : pairs = {
  type~ ints = []i64
  type~ t = {a: ints, b: ints}

  def make xs ys : t = {a = xs, b = ys}

  def pick (c: bool) (t: t) : i64 =
    let (xs, k) = if c then (t.a, 1) else (t.b, 2) in i64.sum xs % 10 + k

  def step (n: i64) (t: t) =
    loop s = t for i < n do if i > 3 then s with a = s.b else s

  def put (c: bool) (xs: []i64) (t: t) = if c then t with b = xs else t

  def first (t: t) = t.a
}

entry main (c: bool) (n: i64) =
  let t = pairs.make [10, 20] [7, 8, 9]
  let s = pairs.step n t
  let u = pairs.put (n < 3) [1] s
  let k = if c then pairs.pick c (pairs.put true (iota 3) s) + 6 else pairs.pick c t - 3
  in (k, pairs.first (copy u))
