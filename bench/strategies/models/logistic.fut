-- Logistic regression with 16 features over n samples.
-- size: 20000
entry data (n: i64) : ([16]f64, [][16]f64, []f64) =
  let at i = f64.sin (f64.i64 i * 12.9898) * 0.5
  in (tabulate 16 at, tabulate_2d n 16 (\i j -> at (i * 17 + j)), tabulate n (\i -> f64.i64 (i % 2)))

def loss [n] [d] (w: [d]f64) (xs: [n][d]f64) (ys: [n]f64) =
  f64.sum (map2 (\x y -> let z = f64.sum (map2 (*) x w)
                         in f64.log (1 + f64.exp z) - y * z) xs ys)
entry value [n] [d] (w: [d]f64) (xs: [n][d]f64) (ys: [n]f64) : f64 = loss w xs ys
entry gradient [n] [d] (w: [d]f64) (xs: [n][d]f64) (ys: [n]f64) : [d]f64 =
  vjp (\w -> loss w xs ys) w 1
