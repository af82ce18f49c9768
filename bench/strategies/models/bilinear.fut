-- The gradient of u^T M v by M: the outer product.
-- size: 1000
entry data (n: i64) : ([]f64, [][]f64, []f64) =
  let at k = tabulate n (\i -> f64.sin (f64.i64 (i + k)) + 2)
  in (at 0, tabulate_2d n n (\i j -> f64.sin (f64.i64 (i * n + j)) + 2), at 7)

def dot [n] (x: [n]f64) (y: [n]f64) = f64.sum (map2 (*) x y)
def form [n] [m] (u: [n]f64) (a: [n][m]f64) (v: [m]f64) = dot u (map (\row -> dot row v) a)
entry value [n] [m] (u: [n]f64) (a: [n][m]f64) (v: [m]f64) : f64 = form u a v
entry gradient [n] [m] (u: [n]f64) (a: [n][m]f64) (v: [m]f64) : [n][m]f64 =
  vjp (\a -> form u a v) a 1
