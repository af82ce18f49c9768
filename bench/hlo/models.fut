-- The models of bench/hlo/compare.py: each entry gives the value and the gradient of a loss.
def dot [n] (x: [n]f64) (y: [n]f64) = f64.sum (map2 (*) x y)
def product [n] [k] [m] (a: [n][k]f64) (b: [k][m]f64) : [n][m]f64 =
  map (\row -> map (dot row) (transpose b)) a
def squares [n] (x: [n]f64) = dot x x
def lse [n] (z: [n]f64) =
  let m = f64.maximum z in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) z))
def softmax [n] (z: [n]f64) =
  let m = f64.maximum z
  let e = map (\x -> f64.exp (x - m)) z
  let s = f64.sum e
  in map (/ s) e

-- The mean squared entry of a product of matrices, by both.
entry matmul [n] [k] [m] (a: [n][k]f64) (b: [k][m]f64) : (f64, ([n][k]f64, [k][m]f64)) =
  vjp2 (\(a, b) -> f64.sum (map squares (product a b)) / f64.i64 (n * m)) (a, b) 1

-- Softmax regression: the mean cross entropy, by weights and offsets.
entry softmax_regression [n] [d] [k] (w: [d][k]f64) (b: [k]f64) (x: [n][d]f64) (y: [n]i64)
    : (f64, ([d][k]f64, [k]f64)) =
  let loss (w, b) =
    f64.sum (map2 (\row label -> let z = map2 (+) row b in lse z - z[label]) (product x w) y)
    / f64.i64 n
  in vjp2 loss (w, b) 1

-- A perceptron with two hidden layers: the mean squared error, by all weights and offsets.
entry perceptron [n] [d] [h] [g] (w1: [d][h]f64) (b1: [h]f64) (w2: [h][g]f64) (b2: [g]f64)
                                 (w3: [g]f64) (b3: f64) (x: [n][d]f64) (y: [n]f64)
    : (f64, ([d][h]f64, [h]f64, [h][g]f64, [g]f64, [g]f64, f64)) =
  let layer x w b = map (\row -> map2 (\z b -> f64.tanh (z + b)) row b) (product x w)
  let loss (w1, b1, w2, b2, w3, b3) =
    let out = map (\row -> dot row w3 + b3) (layer (layer x w1 b1) w2 b2)
    in f64.sum (map2 (\p y -> (p - y) * (p - y)) out y) / f64.i64 n
  in vjp2 loss (w1, b1, w2, b2, w3, b3) 1

-- Filters of 3 x 3 over images, the positive part, the mean square: by the filters.
entry convolution [n] [h] [w] [c] (filters: [c][3][3]f64) (images: [n][h][w]f64)
    : (f64, [c][3][3]f64) =
  let at (image: [h][w]f64) (f: [3][3]f64) i j =
    f64.sum (tabulate 3 (\a -> f64.sum (tabulate 3 (\b -> image[i + a, j + b] * f[a, b]))))
  let relu x = if x > 0 then x else 0
  let loss filters =
    f64.sum (map (\image ->
      f64.sum (map (\f ->
        f64.sum (map squares (tabulate_2d (h - 2) (w - 2) (\i j -> relu (at image f i j)))))
        filters)) images) / f64.i64 n
  in vjp2 loss filters 1

-- One head of attention: the mean square of its output, by the three matrices.
entry attention [n] [d] [k] (wq: [d][k]f64) (wk: [d][k]f64) (wv: [d][k]f64) (x: [n][d]f64)
    : (f64, ([d][k]f64, [d][k]f64, [d][k]f64)) =
  let loss (wq, wk, wv) =
    let scores = product (product x wq) (transpose (product x wk))
    let weights = map (\row -> softmax (map (/ f64.sqrt (f64.i64 k)) row)) scores
    in f64.sum (map squares (product weights (product x wv))) / f64.i64 n
  in vjp2 loss (wq, wk, wv) 1

-- The Gaussian mixture of ADBench without the constants of its prior (examples/gmm.fut): k components,
-- by weights, means and the factors of inverse covariances (logarithm of the diagonal, lower triangle).
entry mixture [n] [k] [d] [t] (alpha: [k]f64) (mu: [k][d]f64) (q: [k][d]f64) (l: [k][t]f64)
                              (x: [n][d]f64) : (f64, ([k]f64, [k][d]f64, [k][d]f64, [k][t]f64)) =
  let factor (q: [d]f64) (l: [t]f64) =
    tabulate_2d d d (\i j ->
      if i < j then 0
      else if i == j then f64.exp q[i]
      else l[d * j + i - j - 1 - j * (j + 1) / 2])
  let loss (alpha, mu, q, l) =
    let factors = map2 factor q l
    let inner xi a m f q =
      a + f64.sum q - 0.5 * squares (map (dot (map2 (-) xi m)) f)
    let main = f64.sum (map (\xi -> lse (map4 (inner xi) alpha mu factors q)) x)
    in main - f64.i64 n * lse alpha - 0.5 * f64.sum (map (\f -> f64.sum (map squares f)) factors)
  in vjp2 loss (alpha, mu, q, l) 1
