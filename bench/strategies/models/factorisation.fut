-- Factorisation of a matrix into a column and a row under the exponential distribution: the gradient of the
-- negative log likelihood by the column.
-- size: 1000
entry data (n: i64) : ([][]f64, []f64, []f64) =
  let at k = tabulate n (\i -> f64.sin (f64.i64 (i + k)) + 2)
  in (tabulate_2d n n (\i j -> f64.sin (f64.i64 (i * n + j)) + 2), at 0, at 7)

def loss [n] [m] (a: [n][m]f64) (u: [n]f64) (v: [m]f64) =
  f64.sum (map2 (\row p -> f64.sum (map2 (\x q -> f64.log (p * q) + x / (p * q)) row v)) a u)
entry value [n] [m] (a: [n][m]f64) (u: [n]f64) (v: [m]f64) : f64 = loss a u v
entry gradient [n] [m] (a: [n][m]f64) (u: [n]f64) (v: [m]f64) : [n]f64 =
  vjp (\u -> loss a u v) u 1
