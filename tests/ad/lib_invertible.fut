-- Reductions and histograms of operators that can be undone, against the rules for any operator.
import "lib/ad"

type pair = (f64, f64)
-- Sums of products of pairs: (sum of all x_i x_j with i < j, sum of all x_i).
def op (p: pair) (q: pair) : pair = (p.0 + q.0 + p.1 * q.1, p.1 + q.1)
def undo (p: pair) (q: pair) : pair = let s = p.1 - q.1 in (p.0 - q.0 - s * q.1, s)

def pairs [n] (xs: [n]f64) : [n]pair = map (\x -> (0, x)) xs
def sum_of_products [n] (xs: [n]f64) : f64 = (reduce_invertible op undo (0, 0) (pairs xs)).0

-- ==
-- entry: reduce_all
-- input { [1.0, 2.0, -3.0, 0.5] } output { -7.0 true true true }
-- input { [7.0] } output { 0.0 true true true }
-- input { empty([0]f64) } output { 0.0 true true true }
entry reduce_all [n] (xs: [n]f64) =
  let plain xs = (reduce op (0, 0) (pairs xs)).0
  let v = tabulate n (\i -> f64.i64 (i + 1))
  let near a b = and (map2 (\x y -> f64.abs (x - y) < 1e-12) a b)
  in (sum_of_products xs,
      near (vjp sum_of_products xs 1) (vjp plain xs 1),
      f64.abs (jvp sum_of_products xs v - jvp plain xs v) < 1e-12,
      near (jvp (\x -> vjp sum_of_products x 1) xs v) (jvp (\x -> vjp plain x 1) xs v))

-- ==
-- entry: hist_all
-- input { [0i64, 2, 0, 7, 2, -1, 2] [1.0, 2.0, -3.0, 0.5, 4.0, 5.0, 6.0] } output { true true true }
-- input { empty([0]i64) empty([0]f64) } output { true true true }
entry hist_all [n] (is: [n]i64) (xs: [n]f64) =
  let fast (c: f64, xs: [n]f64) =
    hist_invertible (\x y -> c * x * y) (\x y -> x / (c * y)) (1 / c) 4 is xs
  let plain (c: f64, xs: [n]f64) = hist (\x y -> c * x * y) (1 / c) 4 is xs
  let s = [1.0, 2.0, 3.0, 4.0]
  let v = (0.5, map f64.cos xs)
  let near a b = and (map2 (\x y -> f64.abs (x - y) < 1e-9) a b)
  let same (c, xs) (d, ys) = f64.abs (c - d) < 1e-9 && near xs ys
  in (same (vjp fast (2, xs) s) (vjp plain (2, xs) s),
      near (jvp fast (2, xs) v) (jvp plain (2, xs) v),
      same (jvp (\x -> vjp fast x s) (2, xs) v) (jvp (\x -> vjp plain x s) (2, xs) v))

-- ==
-- entry: hist_no_bins
-- input { [0i64, 2] [1.0, 2.0] } output { [0.0, 0.0] }
entry hist_no_bins [n] (is: [n]i64) (xs: [n]f64) : [n]f64 =
  vjp (hist_invertible (*) (/) 1 0 is) xs []

-- #[exact]: forward mode is that of the function (here a wrong rule shows it), and reverse mode too
-- where the function captures what varies; otherwise the rule is used.
-- ==
-- entry: exact_modes
-- input { 3.0 } output { 4.0 100.0 [4.0, 3.0] }
entry exact_modes (x: f64) =
  let f (c: f64) (x: f64) = #[exact] with_vjp (\x -> c * x) (\_ _ -> 100) x
  let g = vjp (\(c, x) -> f c x) (4, x) 1
  in (jvp (f 4) x 1, vjp (f 4) x 1, [g.1, g.0])
