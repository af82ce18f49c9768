-- The gradient of a dot product by its first vector.
-- size: 1000000
entry data (n: i64) : ([]f64, []f64) =
  let at k = tabulate n (\i -> f64.sin (f64.i64 (i + k)) + 2) in (at 0, at 7)

def dot [n] (x: [n]f64) (y: [n]f64) = f64.sum (map2 (*) x y)
entry value [n] (x: [n]f64) (y: [n]f64) : f64 = dot x y
entry gradient [n] (x: [n]f64) (y: [n]f64) : [n]f64 = vjp (\x -> dot x y) x 1
