-- Programs whose critical path is a power of log n, and must be so in their gradients and tangents.
-- Judged by tests/unit/test_ad_cost.c with the interpreter's counts.
def some (n: i64) : [n]f64 = tabulate n (\i -> 1 + f64.i64 (i %% 7) / 10)
def grad 'a (f: a -> f64) (x: a) : a = vjp f x 1
def along [n] (f: [n]f64 -> f64) (x: [n]f64) = jvp f x (map (* 0.5) x)
def weighted [n] (ys: [n]f64) = f64.sum (map2 (*) ys (some n))

-- The check of the checks: a sum of n numbers by a tree, a map over them.
entry plain (n: i64) = f64.sum (map f64.sin (some n))

entry sum_grad (n: i64) = grad (\x -> f64.sum (map f64.sin x)) (some n)
entry product_grad (n: i64) = grad f64.product (some n)
entry maximum_grad (n: i64) = grad f64.maximum (some n)
entry reduce_general_grad (n: i64) = grad (reduce (\x y -> x + y + 0.1 * x * y) 0) (some n)
entry reduce_general_tan (n: i64) = along (reduce (\x y -> x + y + 0.1 * x * y) 0) (some n)

def pairs [n] (xs: [n]f64) =
  (reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs (reverse xs))).1
entry reduce_pairs_grad (n: i64) = grad pairs (some n)

def matrices [n] (xs: [n]f64) =
  let mul (a: [2][2]f64) (b: [2][2]f64) = map (\r -> map (\c -> r[0] * c[0] + r[1] * c[1]) (transpose b)) a
  let m = reduce mul [[1, 0], [0, 1]] (map (\x -> [[x, 1], [0.1, 1]]) xs)
  in m[0, 0] + m[1, 1]
entry reduce_matrices_grad (n: i64) = grad matrices (some n)

entry scan_sum_grad (n: i64) = grad (\x -> weighted (scan (+) 0 x)) (some n)
entry scan_product_grad (n: i64) = grad (\x -> weighted (scan (*) 1 x)) (some n)
entry scan_max_grad (n: i64) = grad (\x -> weighted (scan f64.max 0 x)) (some n)
entry scan_general_grad (n: i64) = grad (\x -> weighted (scan (\x y -> x + y + 0.1 * x * y) 0 x)) (some n)

def linear [n] (xs: [n]f64) =
  weighted (map (.1) (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs (reverse xs))))
entry scan_linear_grad (n: i64) = grad linear (some n)
entry scan_linear_tan (n: i64) = along linear (some n)

def binned [n] (op: f64 -> f64 -> f64) (ne: f64) (xs: [n]f64) =
  weighted (reduce_by_index (replicate n ne) op ne (map (\i -> i * 5 %% 8) (iota n)) xs)
entry hist_sum_grad (n: i64) = grad (binned (+) 0) (some n)
entry hist_max_grad (n: i64) = grad (binned f64.max (-f64.inf)) (some n)
-- Not the gradients of other histograms, which go through the values one after the other (doc/ad.md
-- 4.10); their tangents do not.
entry hist_general_tan (n: i64) = along (binned (\x y -> x + y + 0.1 * x * y) 0) (some n)

def gather [n] (xs: [n]f64) = f64.sum (map (\i -> xs[i / 2] * xs[0]) (iota n))
entry gather_grad (n: i64) = grad gather (some n)

entry scatter_grad (n: i64) =
  grad (\x -> weighted (scatter (map f64.sin x) (map (\i -> i * 3 %% n) (iota n)) x)) (some n)
