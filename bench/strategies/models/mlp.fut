-- A perceptron of two layers with 32 inputs and 16 units over n samples.
-- size: 2000
entry data (n: i64) : ([16][32]f64, [16]f64, [16]f64, [][32]f64, []f64) =
  let at i = f64.sin (f64.i64 i * 12.9898) * 0.3
  in (tabulate_2d 16 32 (\i j -> at (i * 32 + j)), tabulate 16 at, tabulate 16 (\i -> at (i + 5)),
      tabulate_2d n 32 (\i j -> at (7 * i + j)), tabulate n at)

def loss [n] (w: [16][32]f64) (b: [16]f64) (v: [16]f64) (xs: [n][32]f64) (ys: [n]f64) =
  let out x = f64.sum (map3 (\row b v -> v * f64.tanh (f64.sum (map2 (*) row x) + b)) w b v)
  in f64.sum (map2 (\x y -> let e = out x - y in e * e) xs ys)
entry value [n] (w: [16][32]f64) (b: [16]f64) (v: [16]f64) (xs: [n][32]f64) (ys: [n]f64) : f64 =
  loss w b v xs ys
entry gradient [n] (w: [16][32]f64) (b: [16]f64) (v: [16]f64) (xs: [n][32]f64) (ys: [n]f64)
    : ([16][32]f64, [16]f64, [16]f64) =
  vjp (\(w, b, v) -> loss w b v xs ys) (w, b, v) 1
