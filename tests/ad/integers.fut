-- What integers, conversions, sizes and neutral elements carry, and which of equal candidates gets
-- the derivative.  Integer derivatives follow the rules of floats in wrapping arithmetic; each number
-- stands there twice, by forward and by reverse mode.
-- ==
-- entry: divisions
-- input { 7 2 } output { [0, 0, -1, -1, 0, 0, -1, -1, 1, 1, 0, 0] }
-- input { -7 2 } output { [0, 0, 2, 2, 0, 0, 1, 1, 1, 1, 0, 0] }
-- input { 5 1 } output { [1, 1, -5, -5, 1, 1, -5, -5, 1, 1, 0, 0] }
-- input { 5 65536 } output { [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0] }
-- ==
-- entry: products
-- input { 100i8 16i8 } output { [16i8, 16i8, 100i8, 100i8, -56i8, -56i8, 0i8, 0i8] }
-- ==
-- entry: powers
-- input { 3 4 } output { [108, 108, 0, 0] }
-- input { 3 0 } output { [0, 0, 0, 0] }
-- input { 0 1 } output { [1, 1, 0, 0] }
-- ==
-- entry: shifts
-- input { 5 3 } output { [8, 8, 0, 0, 0, 0, 0, 0] }
-- input { 5 0 } output { [1, 1, 0, 0, 1, 1, 0, 0] }
-- ==
-- entry: extrema
-- input { 2 3 } output { [1, 1, 0, 0, 0, 0, 1, 1] }
-- input { 3 3 } output { [1, 1, 0, 0, 1, 1, 0, 0] }
-- ==
-- entry: units
-- input { -4 } output { [-1, -1, -1, -1, 0, 0, -1, -1, 0, 0] }
-- input { 0 } output { [-1, -1, 0, 0, 0, 0, -1, -1, 0, 0] }
-- ==
-- entry: negation
-- input { true } output { [true, true, false, false] }
-- input { false } output { [true, true, false, false] }
-- ==
-- entry: there_and_back
-- input { 2.5 0.5 } output { [0.0, 0.0, 0.5, 0.5] }
-- input { 2.5 2.75 } output { [2.0, 2.0, 2.75, 2.75] }
-- ==
-- entry: interpolation
-- input { 1.0 3.0 0.25 } output { [0.75, 0.75, 0.25, 0.25, 2.0, 2.0] }
-- input { 1.0 3.0 1.5 } output { [0.0, 0.0, 1.0, 1.0, 0.0, 0.0] }
-- input { 1.0 3.0 -0.5 } output { [1.0, 1.0, 0.0, 0.0, 0.0, 0.0] }
-- input { 1.0 3.0 1.0 } output { [0.0, 0.0, 1.0, 1.0, 2.0, 2.0] }
-- input { 1.0 3.0 0.0 } output { [1.0, 1.0, 0.0, 0.0, 2.0, 2.0] }
-- ==
-- entry: sizes
-- input { 5i64 } output { [0i64, 0i64, 0i64, 0i64] }
-- ==
-- entry: neutral
-- input { [1.0, 2.0] 0.0 } output { [0.0, 0.0, 0.0, 0.0] }
-- input { empty([0]f64) 0.0 } output { [0.0, 0.0, 0.0, 0.0] }
-- ==
-- entry: free_in_scan
-- input { [1.0, 2.0, 3.0] 0.5 } output { [19.0, 19.0] }
-- ==
-- entry: free_in_hist
-- input { [1i64, 1i64, 0i64] [0.0, 1.0] [2.0, 3.0, 4.0] 0.5 } output { [17.0, 17.0] }
-- ==
-- entry: hist_ties
-- input { 5.0 [5.0, 5.0] } output { 1.0 [0.0, 0.0] }
-- input { 0.0 [5.0, 5.0] } output { 0.0 [1.0, 0.0] }
-- input { f64.nan [f64.nan, 2.0] } output { 0.0 [0.0, 1.0] }
-- ==
-- entry: bits
-- input { [0i64, 0i64, 1i64, 7i64] [7, 6, 5] [3, 2, 1, 4] }
-- output { [[0, 0, 5], [0, 0, 5], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]] }
-- ==
-- entry: bits_beside_sum
-- input { [0i64, 0i64, 1i64] [3, 2, 1] [2.0, 3.0, 4.0] }
-- output { [0, 0] [5.0, 4.0] [0, 0, 0] [2.0, 5.0, 9.0] [0, 0, 0] [1.0, 1.0, 1.0] }
-- ==
-- entry: some
-- input { [0i64, 0i64, 1i64, 7i64] [false, true, false] [true, false, true, false] }
-- output { [true, true, false] [true, true, false] [[true, false, false], [true, false, false], [false, true, false], [false, false, false]] [true, true, true, false] }
-- ==
-- entry: maximum
-- input { [3.0, 7.0, 7.0] } output { [0.0, 1.0, 0.0] }
-- input { [f64.nan, 2.0, 1.0] } output { [0.0, 1.0, 0.0] }
-- ==
-- entry: seeds
-- input { [1.0, -1.0, 2.0] [5.0, 7.0] } output { [10.0, 0.0, 28.0] }
-- input { [1.0, -1.0, 2.0] [5.0] } error: .

def both (f: i32 -> i32) (x: i32) = [jvp f x 1, vjp f x 1]
def both2 (f: (i32, i32) -> i32) (x: i32) (y: i32) =
  let (a, b) = vjp f (x, y) 1
  in [jvp f (x, y) (1, 0), a, jvp f (x, y) (0, 1), b]

entry divisions (x: i32) (y: i32) =
  both2 (\(x, y) -> x / y) x y ++ both2 (\(x, y) -> x // y) x y ++ both2 (\(x, y) -> x % y) x y

def both_i8 (f: (i8, i8) -> i8) (x: i8) (y: i8) =
  let (a, b) = vjp f (x, y) 1
  in [jvp f (x, y) (1, 0), a, jvp f (x, y) (0, 1), b]
entry products (x: i8) (y: i8) =
  both_i8 (\(x, y) -> x * y) x y ++ both_i8 (\(x, y) -> x * x + y / 16 - y / 16) x y

entry powers (x: i32) (y: i32) = both2 (\(x, y) -> x ** y) x y
entry shifts (x: i32) (y: i32) =
  both2 (\(x, y) -> x << y) x y ++ both2 (\(x, y) -> x >> y) x y
entry extrema (x: i32) (y: i32) =
  both2 (\(x, y) -> i32.min x y) x y ++ both2 (\(x, y) -> i32.max x y) x y
entry units (x: i32) =
  both (\x -> -x) x ++ both i32.abs x ++ both i32.sgn x ++ both (\x -> !x) x ++ both i32.popc x

entry negation (x: bool) =
  [jvp (\x -> !x) x true, vjp (\x -> !x) x true, jvp (\x -> !x) x false, vjp (\x -> !x) x false]

-- A derivative is converted as its number is: what was an integer in between is truncated.
entry there_and_back (x: f64) (d: f64) =
  [ jvp (\x -> f64.i64 (i64.f64 x)) x d
  , vjp (\x -> f64.i64 (i64.f64 x)) x d
  , jvp (\x -> f64.from_bits (f64.to_bits x)) x d
  , vjp (\x -> f64.from_bits (f64.to_bits x)) x d ]

entry interpolation (x: f64) (y: f64) (t: f64) =
  let f = \(x, y, t) -> f64.lerp x y t
  let (a, b, c) = vjp f (x, y, t) 1
  in [jvp f (x, y, t) (1, 0, 0), a, jvp f (x, y, t) (0, 1, 0), b, jvp f (x, y, t) (0, 0, 1), c]

entry sizes (n: i64) =
  let both = \(f: i64 -> i64) -> [jvp f n 1, vjp f n 1]
  in both (\n -> i64.sum (iota n)) ++ both (\n -> loop x = 1 for _i < n do 2 * x)

entry neutral [n] (xs: [n]f64) (z: f64) =
  let both = \(f: f64 -> f64) -> [jvp f z 1, vjp f z 1]
  in both (\z -> reduce (+) z xs) ++ both (\z -> f64.sum (scan (+) z xs))

entry free_in_scan [n] (xs: [n]f64) (c: f64) =
  let f = \c -> f64.sum (scan (\x y -> x + y + c * x * y) 0 xs)
  in [jvp f c 1, vjp f c 1]

entry free_in_hist [k] [n] (is: [n]i64) (dst: [k]f64) (vs: [n]f64) (c: f64) =
  let f = \c -> f64.sum (reduce_by_index (copy dst) (\x y -> x + y + c * x * y) 0 is vs)
  in [jvp f c 1, vjp f c 1]

entry hist_ties [n] (x: f64) (vs: [n]f64) =
  vjp (\(x, vs: [n]f64) -> (reduce_by_index [x] f64.max (-f64.inf) (replicate n 0) vs)[0]) (x, vs) 1

-- Where an operator has no derivative its reductions, scans and histograms have none, but for bins
-- that stay as they are.
def hot (n: i64) (i: i64) : [n]i32 = tabulate n (\j -> i32.bool (i == j))
entry bits [k] [n] (is: [n]i64) (dst: [k]i32) (vs: [n]i32) : [][k]i32 =
  let into = \(dst: [k]i32, vs: [n]i32) -> reduce_by_index (copy dst) (&) (-1) is vs
  let each = \(f: [n]i32 -> [k]i32) -> tabulate n (\i -> jvp f vs (hot n i))
  in [jvp into (dst, vs) (dst, vs), (vjp into (dst, vs) dst).0]
     ++ each (hist (&) (-1) k is)
     ++ tabulate n (\i -> map i32.i64 (iota k)
                         |> map (* (reduce (+) 0 (jvp (scan (^) 0) vs (hot n i))
                                    + jvp (reduce (|) 0) vs (hot n i))))
     -- ^ zeros: neither has a derivative

def and_and_sum (a: i32, b: f64) (c: i32, d: f64) = (a & c, b + d)
entry bits_beside_sum [n] (is: [n]i64) (xs: [n]i32) (ys: [n]f64) =
  let bins = \(xs: [n]i32, ys: [n]f64) -> unzip (hist and_and_sum (-1, 0) 2 is (zip xs ys))
  let rows = \(xs: [n]i32, ys: [n]f64) -> unzip (scan and_and_sum (-1, 0) (zip xs ys))
  let sum = \(xs: [n]i32, ys: [n]f64) -> reduce and_and_sum (-1, 0) (zip xs ys)
  let (a, b) = jvp bins (xs, ys) (xs, ys)
  let (c, d) = jvp rows (xs, ys) (xs, ys)
  let (e, f) = vjp sum (xs, ys) (1, 1)
  in (a, b, c, d, e, f)

-- `or` is plus of bool, in histograms as in reductions.
entry some [k] [n] (is: [n]i64) (dst: [k]bool) (vs: [n]bool) =
  let into = \(dst: [k]bool, vs: [n]bool) -> reduce_by_index (copy dst) (||) false is vs
  let one = \i -> jvp (hist (||) false k is) vs (tabulate n (== i))
  in (jvp into (dst, vs) (dst, vs), jvp (\vs -> into (dst, vs)) vs vs, tabulate n one,
      vjp (\vs -> into (dst, vs)) vs (replicate k true))

entry maximum [n] (xs: [n]f64) = vjp f64.maximum xs 1

-- The result's size is known only at run time; the seed must have it.
entry seeds [n] [m] (xs: [n]f64) (u: [m]f64) =
  vjp (\xs -> map (\x -> x * x) (filter (> 0) xs) :> [m]f64) xs u
