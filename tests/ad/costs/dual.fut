-- Gradients by dual arrays, NAME_grad, of models that are whole arrays already, NAME: those of
-- bench/hlo/models.fut.  test_ad_cost.c bounds their arithmetic.
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

def some (n: i64) (by: f64) : [n]f64 = tabulate n (\i -> by * f64.i64 (i % 7 - 3))
def grid (n: i64) (m: i64) (by: f64) : [n][m]f64 =
  tabulate_2d n m (\i j -> by * f64.i64 ((i + 3 * j) % 7 - 3))

def product_loss [n] (a: [n][n]f64, b: [n][n]f64) = f64.sum (map squares (product a b))
entry matmul (n: i64) : f64 = product_loss (grid n n 1, grid n n 2)
entry matmul_grad (n: i64) : ([n][n]f64, [n][n]f64) =
  vjp product_loss (grid n n 1, grid n n 2) 1

def regression_loss [n] [d] [k] (x: [n][d]f64) (w: [d][k]f64, b: [k]f64) =
  f64.sum (map2 (\row i -> let z = map2 (+) row b in lse z - z[i % k]) (product x w) (iota n))
entry regression (n: i64) : f64 = regression_loss (grid n 20 0.1) (grid 20 8 0.2, some 8 1)
entry regression_grad (n: i64) : ([20][8]f64, [8]f64) =
  vjp (regression_loss (grid n 20 0.1)) (grid 20 8 0.2, some 8 1) 1

def layer [n] [d] [h] (x: [n][d]f64) (w: [d][h]f64) (b: [h]f64) =
  map (\row -> map2 (\z b -> f64.tanh (z + b)) row b) (product x w)
def perceptron_loss [n] [d] [h] [g] (x: [n][d]f64) (w: [d][h]f64, b: [h]f64, v: [h][g]f64, c: [g]f64,
                                                   u: [g]f64) =
  f64.sum (map (\row -> let e = dot row u - 1 in e * e) (layer (layer x w b) v c))
entry perceptron (n: i64) : f64 =
  perceptron_loss (grid n 16 0.1) (grid 16 24 0.1, some 24 1, grid 24 8 0.1, some 8 1, some 8 1)
entry perceptron_grad (n: i64) : ([16][24]f64, [24]f64, [24][8]f64, [8]f64, [8]f64) =
  vjp (perceptron_loss (grid n 16 0.1))
      (grid 16 24 0.1, some 24 1, grid 24 8 0.1, some 8 1, some 8 1) 1

def convolution_loss [h] [w] [c] (image: [h][w]f64) (filters: [c][3][3]f64) =
  let at (f: [3][3]f64) i j =
    f64.sum (tabulate 3 (\a -> f64.sum (tabulate 3 (\b -> image[i + a, j + b] * f[a, b]))))
  let relu x = if x > 0 then x else 0
  in f64.sum (map (\f ->
       f64.sum (map squares (tabulate_2d (h - 2) (w - 2) (\i j -> relu (at f i j))))) filters)
def filters (by: f64) : [4][3][3]f64 = tabulate_3d 4 3 3 (\c i j -> by * f64.i64 ((c + i * j) % 5 - 2))
entry convolution (n: i64) : f64 = convolution_loss (grid n n 1) (filters 1)
entry convolution_grad (n: i64) : [4][3][3]f64 = vjp (convolution_loss (grid n n 1)) (filters 1) 1

def attention_loss [n] [d] [k] (x: [n][d]f64) (wq: [d][k]f64, wk: [d][k]f64, wv: [d][k]f64) =
  let scores = product (product x wq) (transpose (product x wk))
  let weights = map (\row -> softmax (map (/ f64.sqrt (f64.i64 k)) row)) scores
  in f64.sum (map squares (product weights (product x wv)))
entry attention (n: i64) : f64 =
  attention_loss (grid n 16 0.1) (grid 16 16 0.1, grid 16 16 0.2, grid 16 16 0.3)
entry attention_grad (n: i64) : ([16][16]f64, [16][16]f64, [16][16]f64) =
  vjp (attention_loss (grid n 16 0.1)) (grid 16 16 0.1, grid 16 16 0.2, grid 16 16 0.3) 1

def mixture_loss [n] [k] [d] [t] (x: [n][d]f64) (alpha: [k]f64, mu: [k][d]f64, q: [k][d]f64, l: [k][t]f64) =
  let factor (q: [d]f64) (l: [t]f64) =
    tabulate_2d d d (\i j ->
      if i < j then 0
      else if i == j then f64.exp q[i]
      else l[d * j + i - j - 1 - j * (j + 1) / 2])
  let factors = map2 factor q l
  let inner xi a m f q = a + f64.sum q - 0.5 * squares (map (dot (map2 (-) xi m)) f)
  in f64.sum (map (\xi -> lse (map4 (inner xi) alpha mu factors q)) x) - f64.i64 n * lse alpha
entry mixture (n: i64) : f64 =
  mixture_loss (grid n 8 1) (some 5 1, grid 5 8 1, grid 5 8 0.1, grid 5 28 0.1)
entry mixture_grad (n: i64) : ([5]f64, [5][8]f64, [5][8]f64, [5][28]f64) =
  vjp (mixture_loss (grid n 8 1)) (some 5 1, grid 5 8 1, grid 5 8 0.1, grid 5 28 0.1) 1

-- The trace of a product: the diagonal's adjoint has one place in each row.
def trace_loss [n] (a: [n][n]f64) (b: [n][n]f64) =
  let c = product a b in f64.sum (tabulate n (\i -> c[i, i]))
entry trace (n: i64) : f64 = trace_loss (grid n n 1) (grid n n 2)
entry trace_grad (n: i64) : [n][n]f64 = vjp (\a -> trace_loss a (grid n n 2)) (grid n n 1) 1
