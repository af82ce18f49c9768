-- The gradient of the trace of a product of matrices by the first: the transposed second.
-- size: 300
entry data (n: i64) : ([][]f64, [][]f64) =
  let at k = tabulate_2d n n (\i j -> f64.sin (f64.i64 (i * n + j + k)) + 2) in (at 0, at 7)

def trace [n] (a: [n][n]f64) (b: [n][n]f64) =
  let product = map (\row -> map (\col -> f64.sum (map2 (*) row col)) (transpose b)) a
  in f64.sum (tabulate n (\i -> product[i, i]))
entry value [n] (a: [n][n]f64) (b: [n][n]f64) : f64 = trace a b
entry gradient [n] (a: [n][n]f64) (b: [n][n]f64) : [n][n]f64 = vjp (\a -> trace a b) a 1
