-- Sizes that only inference knows, and only as sizes without a name.
-- ==
-- entry: later
-- input { [1,-2,3] } output { 3i64 }
-- ==
-- entry: stripped
-- input { [1,2,3] } output { [1,2,3] }
-- ==
-- entry: pair
-- input { [1,-2,3,4] } output { 14i64 }
-- ==
-- entry: value
-- input { 3i64 } output { 10i64 }
-- ==
-- entry: twice
-- input { [1,-2,3,4] [5,-6] } output { 4i64 2i64 }

def known [n] (_: [n]i32 -> i32) : [n]i32 -> i64 =
  let m = n + 1
  in \_ -> m

entry later xs = filter (> 0) xs |> known (\_ -> 0)

def inc (x: i64) = x + 1
def tail [n] 't (A: [inc n]t) = A[1:] :> [n]t
def cons [n] 't (x: t) (A: [n]t) : [inc n]t = [x] ++ A :> [inc n]t

entry stripped (xs: []i32) = tail (cons 2 xs)

-- In a field of a pair, in an inner dimension.
def halves (xs: []i32) =
  let ys = filter (> 0) xs
  in ([ys, ys], xs)

def apply2 [n] [m] (_: ([2][n]i32, [m]i32) -> i32) : ([2][n]i32, [m]i32) -> i64 =
  let r = 2 * n + 2 * m
  in \_ -> r

entry pair (xs: []i32) = halves xs |> apply2 (\_ -> 0)

def size [n] (_: [n]i64 -> i64) : [n]i64 -> i64 =
  let r = n in \_ -> r
entry value (k: i64) = iota (let z = k * k in z + 1) |> size (\_ -> 0)

-- Each activation has its own.
def count (xs: []i32) : () -> i64 = filter (> 0) xs |> known (\_ -> 0) |> (\k -> \() -> k)
entry twice (xs: []i32) (ys: []i32) =
  let f = count xs
  let g = count ys
  in (f (), g ())

-- An operator's result inside a chain of them.
-- ==
-- entry: chained
-- input { [1,-2,3] } output { [7, 7] [1, 3] }
entry chained (xs: []i32) =
  let (yes, _) = xs |> partition (> 0) |> (\(a, b) -> (map (* 1) a, b))
  in zip (rep 7i32) yes |> unzip

-- The hidden sizes of an abbreviation, named like a size parameter of the function.
-- ==
-- entry: hidden
-- input { [1, 2, 3] } output { 4i64 }
type~ lists [n] [f] [m] = {all: [n]i32, some: [f]i32, few: [m]i32}
type~ sized_lists [n] = ?[f][m].lists [n] [f] [m]
def measure [m] (s: sized_lists [m]) = m + length s.few
entry hidden (xs: []i32) = measure {all = xs, some = filter (> 1) xs, few = filter (> 2) xs}

-- Elements of an abstract type whose size is a constant of another module.
-- ==
-- entry: abstract_rows
-- input { 3i64 } output { [0i64, 2i64, 4i64] }
-- input { 0i64 } output { empty([0]i64) }
module type row = { type t val make : i64 -> t val sum : t -> i64 }
module rows (R: row) = {
  def add [n] (j: i64) (rs: [n]R.t) : (i64, []R.t) = (j + 1, rs ++ [R.make j])
  def some (n: i64) =
    let (_, rs) = loop (i, rs) = (0, []) while i < n do let (a, b) = add i rs in (a, b)
    in map R.sum rs
}
module pairs (P: { val n : i64 }) : row = {
  type t = [P.n](i64, bool)
  def make i = replicate P.n (i, true)
  def sum (r: t) = i64.sum (map (.0) r)
}
module rows_of_two = rows (pairs { def n = 2i64 })
entry abstract_rows n = rows_of_two.some n

-- What is blank is not evaluated.
-- ==
-- entry: blanks
-- input { empty([0]i32) } output { 0 -1 }
-- input { [7] } output { 7 1 }
entry blanks [n] (xs: [n]i32) : (i32, i32) =
  if n == 0 then (#[blank] xs[0], -1) else (xs[0], 1)

-- A module's size parameters have other names than those of its module type, or the same in
-- another order; twice.
-- ==
-- entry: renamed
-- input { [1, 2] } output { [5i32, 6i32] [13i64, 12i64] 212i64 }
module type powers = {
  type p [m]
  val make : (k: i64) -> p [2 ** k]
  val add [k] [n] : *p [2 ** k] -> [n]i32 -> *p [2 ** k]
  val get [k] [n] : p [2 ** k] -> [n]i32 -> ([n]i32, i64)
  val both [a] [b] : p [2 ** a] -> p [2 ** b] -> i64
}
module powers_made = {
  type p [m] = {r: [m]i32}
  def make (k: i64) : p [2 ** k] = {r = replicate (2 ** k) 0}
  def add [n] [j] (x: *p [2 ** j]) (v: [n]i32) : *p [2 ** j] =
    {r = map (+ (i32.i64 j + v[0] - v[0])) x.r}
  def get [n] [k] (x: p [2 ** n]) (ys: [k]i32) : ([k]i32, i64) =
    (map (+ x.r[0]) ys, n + length x.r)
  def both [b] [a] (_: p [2 ** b]) (_: p [2 ** a]) : i64 = 100 * b + a
}
module powers_again : powers = powers_made : powers
entry renamed (v: []i32) =
  let p = powers_again.add (powers_again.make 2) v
  let q = powers_again.make 12
  let (ys, n) = powers_again.get (powers_again.add (powers_again.make 3) v) v
  let (_, m) = powers_again.get (powers_again.make 3) v
  in (map (+ 1) ys, [n + 2, m + 1], powers_again.both p q)
