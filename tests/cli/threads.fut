-- For threads.t: gradients, failures and records for many threads at once.
type point = {x: f64, n: i32}

entry gradient [n] (xs: [n]f64) : [n]f64 =
  vjp (\v -> f64.sum (map (\x -> x * x * f64.sin x) v)) xs 1

entry at [n] (xs: [n]f64) (i: i64) : f64 = xs[i]

entry mirror (p: point) : point = {x = -p.x, n = p.n + 1}
