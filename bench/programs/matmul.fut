-- | Sum of squares of a matrix product, and its gradient in both factors.
def matmul [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\row -> map (\col -> f64.sum (map2 (*) row col)) (transpose b)) a

entry objective [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64) : f64 =
  f64.sum (map (\x -> x * x) (flatten (matmul a b)))

entry gradient [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64) : ([n][m]f64, [m][p]f64) =
  vjp (\(a, b) -> objective a b) (a, b) 1
