-- Derivatives for the automatic choice of a strategy: every entry is one program, its size n.
-- tests/unit/test_choice.c counts the operations of each by every strategy and by "auto".
import "lib/ad"
module ad = mk_ad f64

def some (n: i64) : [n]f64 = tabulate n (\i -> f64.sin (f64.i64 i) + 2)
def grid (n: i64) (m: i64) : [n][m]f64 =
  tabulate_2d n m (\i j -> f64.sin (f64.i64 (i * m + j)) + 2)
def keys (n: i64) (m: i64) : [n]i64 = tabulate n (\i -> i * 7 % m)
def sum = f64.sum
def dot [n] (a: [n]f64) (b: [n]f64) = sum (map2 (*) a b)
def matvec [n] [m] (a: [n][m]f64) (x: [m]f64) : [n]f64 = map (\row -> dot row x) a
def sigmoid (x: f64) = 1 / (1 + f64.exp (-x))

-- scalar functions of vectors
entry dot_gradient (n: i64) = vjp (\a -> dot a (some n)) (some n) 1
entry sum_of_sines (n: i64) = vjp (\xs -> sum (map f64.sin xs)) (some n) 1
entry maximum (n: i64) = vjp f64.maximum (some n) 1
entry product (n: i64) = vjp f64.product (some n) 1
entry norm (n: i64) = vjp (\xs -> f64.sqrt (dot xs xs)) (some n) 1
entry quadratic_form (n: i64) = vjp (\x -> dot x (matvec (grid n n) x)) (some n) 1
entry bilinear (n: i64) = vjp (\a -> dot (some n) (matvec a (some n))) (grid n n) 1
entry factorisation (n: i64) =
  let term p x = f64.log p + x / p
  in vjp (\u -> sum (map2 (\p row -> sum (map2 (\q x -> term (p * q) x) (some n) row)) u (grid n n)))
         (some n) 1
entry log_sum_exp (n: i64) =
  vjp (\xs -> let m = f64.maximum xs in m + f64.log (sum (map (\x -> f64.exp (x - m)) xs)))
      (some n) 1
entry variance (n: i64) =
  vjp (\xs -> let m = sum xs / f64.i64 n in sum (map (\x -> (x - m) * (x - m)) xs)) (some n) 1

-- loops, scans, gathers, histograms
entry recurrence (n: i64) =
  vjp (\xs -> loop s = 1 for i < n do f64.sin s * xs[i]) (some n) 1
entry polynomial (n: i64) =
  vjp (\x -> loop s = 0 for i < n do s * x + (some n)[i]) 0.5 1
entry cumulated (n: i64) = vjp (\xs -> let s = scan (+) 0 xs in dot s s) (some n) 1
entry gathered (n: i64) =
  vjp (\xs -> sum (map (\k -> xs[k] * xs[k]) (keys (4 * n) n))) (some n) 1
entry histogram (n: i64) =
  vjp (\xs -> let h = hist (+) 0 n (keys n n) xs in dot h h) (some n) 1
entry stencil (n: i64) =
  vjp (\xs -> sum (tabulate n (\i -> f64.sin (xs[(i + 1) % n] - 2 * xs[i] + xs[(i + n - 1) % n]))))
      (some n) 1
entry smoothing (n: i64) =
  vjp (\xs -> sum (loop ys = xs for _t < 4 do
                     tabulate n (\i -> (ys[i] + ys[(i + 1) % n]) * 0.5))) (some n) 1
entry newton (n: i64) =
  let root (a: f64) = loop x = a while f64.abs (x * x - a) > 1e-9 do 0.5 * (x + a / x)
  in vjp (\xs -> sum (map root xs)) (some n) 1

-- models
entry logistic (n: i64) =
  let loss (w: [8]f64) = sum (map2 (\row y -> let p = sigmoid (dot row w)
                                              in -(y * f64.log p + (1 - y) * f64.log (1 - p)))
                                   (grid n 8) (map (\x -> x / 4) (some n)))
  in vjp loss (some 8) 1
entry layer (n: i64) =
  vjp (\w -> sum (map (\h -> f64.tanh h) (matvec w (some n)))) (grid n n) 1
entry perceptron (n: i64) =
  let loss (w1, w2) = let h = map sigmoid (matvec w1 (some n)) in sum (map f64.tanh (matvec w2 h))
  in vjp loss (grid n n, grid n n) 1
entry convolution (n: i64) =
  let m = n - 2
  in vjp (\(k: [3]f64) -> sum (tabulate m (\i -> let y = k[0] * (some n)[i] + k[1] * (some n)[i + 1]
                                                         + k[2] * (some n)[i + 2]
                                                 in y * y))) (some 3) 1
entry matrix_product (n: i64) =
  vjp (\a -> sum (flatten (map (\row -> map (\col -> dot row col) (grid n n)) a))) (grid n n) 1
entry clusters (n: i64) =
  vjp (\(c: [4]f64) -> sum (map (\x -> f64.minimum (map (\y -> (x - y) * (x - y)) c)) (some n)))
      (some 4) 1

-- many results of few arguments, and blocks of both
entry curve (n: i64) =
  vjp (\(p: [3]f64) -> map (\x -> p[0] * f64.exp (p[1] * x) + p[2]) (some n)) (some 3) (some n)
entry scaled (n: i64) = vjp (\s -> map (* s) (some n)) 2 (some n)
entry rotated (n: i64) =
  let rotate (v: [3]f64) (x: [3]f64) =
    let t = f64.sqrt (dot v v)
    let c = f64.cos t
    let s = f64.sin t / t
    let d = dot v x * (1 - c) / (t * t)
    in [x[0] * c + (v[1] * x[2] - v[2] * x[1]) * s + v[0] * d,
        x[1] * c + (v[2] * x[0] - v[0] * x[2]) * s + v[1] * d,
        x[2] * c + (v[0] * x[1] - v[1] * x[0]) * s + v[2] * d]
  in map (\x -> mjp (\p -> rotate p[0:3] p[3:6]) (map (+ x) (some 6)) (map (ad.unit 3) (iota 3)))
         (some n)
entry projected (n: i64) =
  let project (p: [9]f64) : [2]f64 =
    let x = p[0] * p[6] + p[1] * p[7] + p[2] * p[8] + 1
    let y = p[3] * p[6] + p[4] * p[7] + p[5] * p[8]
    let z = f64.sqrt (p[6] * p[6] + p[7] * p[7] + p[8] * p[8])
    let r = 1 + 0.1 * (x * x + y * y) / (z * z)
    in [r * x / z, r * y / z]
  in map (\x -> mjp project (map (+ x) (some 9)) (map (ad.unit 2) (iota 2))) (some n)
entry reactions (n: i64) =
  let rates (c: [6]f64) : [6]f64 =
    let a = c[0] * c[1]
    let b = c[2] * c[3]
    let e = c[4] * f64.exp (-c[5])
    in [b - a, b - a, a - b + e, a - b, -e, e - c[5]]
  in map (\x -> mjp rates (map (+ x) (some 6)) (map (ad.unit 6) (iota 6))) (some n)
entry short_rows (n: i64) =
  map (\x -> vjp (\(p: [2]f64) -> f64.sin (p[0] * p[1]) + p[0] / p[1]) [x, 2 * x] 1) (some n)
entry hessian_column (n: i64) =
  vjp (\xs -> (vjp (\xs -> sum (map (\x -> f64.sin x * x) xs)) xs 1)[0]) (some n) 1

-- at run time: forward for few arguments, reverse for many
def iterated [k] (n: i64) (ws: [k]f64) = loop y = sum ws for _i < n do f64.sin y + f64.exp (-y)
entry iterated_of_one (n: i64) = vjp (iterated (10 * n)) (some (n / n)) 1
entry iterated_of_many (n: i64) = vjp (iterated n) (some n) 1
