-- Iterations that open accumulators on rows of their own, at places that data decide.
-- ==
-- entry: jacobian gradients hessian nested again counted
-- input { 100i64 19i64 } auto output
-- input { 300i64 1i64 } auto output
-- input { 0i64 7i64 } auto output

def weights (m: i64) = map (\i -> f64.sin (f64.i64 (i * i % 1007))) (iota m)
def keys (n: i64) (m: i64) = map (\i -> (i * i * 7919 + i * 31) % m) (iota n)
def table (n: i64) (m: i64) = tabulate_2d n 20 (\i j -> (i * 7919 + j * j * 31) % m)
def unit n i = tabulate n (\j -> f64.bool (i == j))

-- Dense rows in reverse mode.
entry jacobian (n: i64) (m: i64) =
  let f w = map (\k -> f64.exp (f64.sin w[k]) * w[(k + 1) % m]) (keys n m)
  in tabulate n (\i -> vjp f (weights m) (unit n i))

-- A gradient for each row of the data.
entry gradients (n: i64) (m: i64) =
  map (\row -> vjp (\w -> f64.sum (map (\k -> f64.exp (f64.sin w[k])) row)) (weights m) 1)
      (table n m)

entry hessian (n: i64) (m: i64) =
  let f w = f64.sum (map (\k -> f64.exp (f64.sin (w[k] * w[(k * 7) % m]))) (keys n m))
  in tabulate m (\i -> jvp (\w -> vjp f w 1) (weights m) (unit m i))

-- Rows of rows; the loops inside have rows of their own, too.
entry nested (n: i64) (m: i64) =
  map (\row -> tabulate 3 (\c -> vjp (\w -> f64.sum (map (\k -> f64.exp (w[k] * f64.i64 c)) row))
                                     (weights m) 1))
      (table n m)

-- The row is overwritten several times.
entry again (n: i64) (m: i64) =
  map (\row -> loop w = weights m for _i < 3 do
                 map2 (\x g -> x - g / 100) w
                      (vjp (\w -> f64.sum (map (\k -> f64.exp (f64.sin w[k])) row)) w 1))
      (table n m)

-- A histogram a row.
entry counted (n: i64) (m: i64) =
  map (\row -> hist (+) 0 m row (map (\k -> f64.sin (f64.i64 k) / 3) row)) (table n m)
