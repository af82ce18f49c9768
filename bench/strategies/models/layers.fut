-- The gradient of three dense layers by their input.
-- size: 256
def some (n: i64) : [n]f64 = tabulate n (\i -> f64.sin (f64.i64 i))
def layer [n] (w: [n][n]f64) (x: [n]f64) : [n]f64 =
  map (\row -> f64.tanh (f64.sum (map2 (*) row x) / f64.i64 n)) w
def loss [n] (w: [3][n][n]f64) (x: [n]f64) : f64 =
  f64.sum (map (\y -> y * y) (layer w[2] (layer w[1] (layer w[0] x))))
entry data (n: i64) : ([3][n][n]f64, [n]f64) =
  (tabulate_3d 3 n n (\k i j -> f64.cos (f64.i64 (k + 3 * i + j * j))), some n)
entry value [n] (w: [3][n][n]f64) (x: [n]f64) : f64 = loss w x
entry gradient [n] (w: [3][n][n]f64) (x: [n]f64) : [n]f64 = vjp (loss w) x 1
