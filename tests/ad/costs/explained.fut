-- Programs whose derivatives' work `dagaz explain` foretells: tests/unit/test_explain.c compares its
-- formulas with the interpreter's counts, tests/cli/explain.t its tapes with memory that is used.
-- Sizes n, m and trip numbers t are what formulas mention.
def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)

entry squares [n] (xs: [n]f64) = vjp (\xs -> f64.sum (map (\x -> x * f64.sin x) xs)) xs 1
entry tangent [n] (xs: [n]f64) = jvp (\xs -> f64.sum (map (\x -> x * f64.sin x) xs)) xs xs
entry product [n] (xs: [n]f64) = vjp f64.product xs 1
entry scanned [n] (xs: [n]f64) = vjp (\xs -> f64.sum (scan (*) 1 xs)) xs 1
entry layer [n] [m] (w: [n][m]f64) (x: [m]f64) =
  vjp (\(w, x) -> f64.sum (map (\r -> f64.tanh (dot r x)) w)) (w, x) 1
entry pairs [n] (xs: [n]f64) =
  vjp (\xs -> f64.sum (map (\x -> f64.sum (map (\y -> f64.exp (-((x - y) * (x - y)))) xs)) xs)) xs 1
entry bins [n] (is: [n]i64) (xs: [n]f64) =
  vjp (\xs -> f64.sum (map (\b -> b * b) (reduce_by_index (replicate 16 0) (+) 0 (map (% 16) is) xs))) xs 1
entry gather [n] (is: [n]i64) (xs: [n]f64) = vjp (\xs -> f64.sum (map (\i -> xs[i] * xs[i]) is)) xs 1
entry recurrence [n] (xs: [n]f64) =
  vjp (\xs -> let ys = loop ys = copy xs for i < n - 1 do ys with [i + 1] = ys[i + 1] * f64.sin ys[i]
              in ys[n - 1]) xs 1
entry steps [n] (t: i64) (xs: [n]f64) =
  vjp (\xs -> f64.sum (loop xs for _i < t do map2 (\x y -> 0.9 * x + 0.1 * f64.sin y) xs (rotate 1 xs))) xs 1
entry hessian [n] (xs: [n]f64) =
  jvp (\xs -> vjp (\xs -> f64.sum (map (\x -> x * x * x * xs[0]) xs)) xs 1) xs xs
-- What only one iteration of a map does, of two maps; cells updated under conditions.
entry elimination [n][m] (a: [n][m]f64) =
  vjp (\a -> f64.sum (flatten (loop a for k < 4 do
    tabulate_2d n m (\i j -> if i > k then a[i, j] - a[i, k] / a[k, k] * a[k, j] else a[i, j])))) a 1
entry paths [n][m] (a: [n][m]f64) =
  vjp (\a -> f64.sum (flatten (loop a = copy a for k < 4 do loop a for i < n do loop a for j < m do
    if a[i, k] + a[k, j] < a[i, j] then a with [i, j] = a[i, k] + a[k, j] else a))) a 1
