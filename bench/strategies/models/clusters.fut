-- k-means: the sum of the squared distances of n points to the nearest of 8 centres, by the centres.
-- size: 20000
entry data (n: i64) : ([8][4]f64, [][4]f64) =
  let at i = f64.sin (f64.i64 i * 12.9898)
  in (tabulate_2d 8 4 (\i j -> at (i * 4 + j)), tabulate_2d n 4 (\i j -> at (i * 5 + j)))

def loss [k] [n] [d] (centres: [k][d]f64) (points: [n][d]f64) =
  let distance p c = f64.sum (map2 (\a b -> (a - b) * (a - b)) p c)
  in f64.sum (map (\p -> f64.minimum (map (distance p) centres)) points)
entry value [k] [n] [d] (centres: [k][d]f64) (points: [n][d]f64) : f64 = loss centres points
entry gradient [k] [n] [d] (centres: [k][d]f64) (points: [n][d]f64) : [k][d]f64 =
  vjp (\centres -> loss centres points) centres 1
