-- Rosenbrock's function: a narrow valley, the usual first test of optimisers.
def term (x: f64) (y: f64) : f64 =
  (1 - x) ** 2 + 100 * (y - x * x) ** 2

entry rosenbrock [n] (xs: [n]f64) : f64 =
  f64.sum (map (\i -> if i + 1 < n then term xs[i] xs[i + 1] else 0) (iota n))
