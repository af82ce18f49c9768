-- Gradients by forward mode, each against reverse mode: sums over one case, selected payloads,
-- structural zeros, nested directions.
import "lib/ad/calculus"
import "lib/linalg_tilde"
module calculus = mk_calculus f64
module la = mk_linalg_tilde f64
module vec = la.vec
module mat = la.mat

def close (x: f64) (y: f64) = x == y || f64.abs (x - y) <= 1e-9 * (1 + f64.abs x)
def agree [n] (f: [n]f64 -> f64) (xs: [n]f64) = and (map2 close (calculus.grad f xs) (vjp f xs 1))
def agree2 [n] [m] (f: [n][m]f64 -> f64) (a: [n][m]f64) =
  and (map2 close (flatten (calculus.mgrad f a)) (flatten (vjp f a 1)))

-- ==
-- entry: sums
-- input { [1.0, -2.0, 3.0] [0.5, 4.0, 2.0] } output { [true, true, true, true, true, true] }
-- input { [1.0] [0.5] } output { [true, true, true, true, true, true] }
-- input { empty([0]f64) empty([0]f64) } output { [true, true, true, true, true, true] }
entry sums [n] (xs: [n]f64) (ys: [n]f64) : []bool =
  [agree (\xs -> vec.dot xs ys) xs, agree (\xs -> vec.dot xs xs) xs, agree vec.sum xs,
   agree (\xs -> f64.sum (map2 (\x y -> x * y * f64.exp x) xs ys)) xs,
   agree (\xs -> f64.sum (map (\i -> xs[n - 1 - i] * ys[i]) (iota n))) xs,
   agree (\xs -> f64.sum (map (\i -> xs[i / 2] * ys[i]) (iota n))) xs]

-- ==
-- entry: strides
-- input { [1.0, -2.0, 3.0, 4.0, 5.0] } output { [true, true, true, true] }
-- input { [1.0, 2.0] } output { [true, true, true, true] }
entry strides [n] (xs: [n]f64) : []bool =
  [agree (\xs -> f64.sum (map (\x -> x * x) xs[0:n / 2])) xs,
   agree (\xs -> f64.sum (tabulate (n / 2) (\i -> xs[2 * i + 1] * xs[2 * i]))) xs,
   agree (\xs -> f64.sum (tabulate (n / 2) (\i -> f64.sin xs[2 * i]))) xs,
   agree (\xs -> f64.sum (tabulate (n - 1) (\i -> xs[i] * xs[i + 1]))) xs]

-- ==
-- entry: matrices
-- input { [[1.0, -2.0], [3.0, 4.0]] [0.5, 2.0] } output { [true, true, true, true] }
entry matrices [n] (a: [n][n]f64) (v: [n]f64) : []bool =
  [agree2 mat.trace a, agree2 (\a -> vec.dot v (map (\row -> vec.dot row v) a)) a,
   agree2 (\a -> mat.trace (mat.mul a a)) a,
   agree2 (\a -> f64.maximum (flatten a)) a]

-- Ties: the first of equal elements, as reverse mode; NaN and infinities among them.
-- ==
-- entry: extrema
-- input { [1.0, 5.0, 5.0, 2.0] } output { [true, true, true] }
-- input { [-f64.inf, -f64.inf] } output { [true, true, true] }
-- input { [1.0, f64.nan, 2.0] } output { [true, true, true] }
-- input { empty([0]f64) } output { [true, true, true] }
entry extrema [n] (xs: [n]f64) : []bool =
  let same f = and (map2 (\a b -> a == b || (a != a && b != b)) (calculus.grad f xs) (vjp f xs 1))
  in [same f64.maximum, same f64.minimum,
      same (\xs -> (reduce (\(a, i) (b, j) -> if a >= b then (a, i) else (b, j)) (-f64.inf, 0)
                           (zip xs (map (* 2) xs))).1)]

-- What does not move contributes nothing, also where it is infinite.
-- ==
-- entry: infinite
-- input { [2.0, 3.0] [f64.inf, 1.0] } output { [f64.inf, 1.0] }
entry infinite [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = calculus.grad (\xs -> vec.dot xs ys) xs

-- ==
-- entry: loops
-- input { [1.0, -2.0, 3.0] } output { [true, true, true] }
entry loops [n] (xs: [n]f64) : []bool =
  [agree (\xs -> loop s = 0 for i < n do s + xs[i] * xs[i]) xs,
   agree (\xs -> loop s = 1 for i < n do f64.sin s * xs[i]) xs,
   agree (\xs -> (loop (s, p) = (0, 1) for i < n do (s + xs[i], p * 2)).0) xs]

-- Perturbations of nested derivatives are distinct.
-- ==
-- entry: confusion
-- input { 3.0 } output { 1.0 6.0 [[2.0, 1.0], [1.0, 0.0]] }
entry confusion (x: f64) : (f64, f64, [2][2]f64) =
  ((calculus.diff (\x -> x * (calculus.diff (\y -> x + y) 1).1) x).1,
   (calculus.diff (\x -> (calculus.diff (\y -> x * y * y) x).1 / 2 * 2) x).1 / 2,
   calculus.jacob (calculus.grad (\v -> v[0] * (v[0] + v[1]))) [x, x])

-- ==
-- entry: second
-- input { [1.0, 2.0, -0.5] } output { true }
entry second [n] (xs: [n]f64) : bool =
  let f xs = f64.sum (map (\x -> f64.sin x * x) xs) * f64.maximum xs
  let a = calculus.jacob (calculus.grad f) xs
  let b = tabulate n (\i -> jvp (\xs -> vjp f xs 1) xs (vec.hot n i))
  in and (map2 close (flatten a) (flatten b))

-- ==
-- entry: vocabulary
-- input { [1.0, 2.0] [[1.0, 2.0], [3.0, 4.0]] }
-- output { 5.0 [[1.0, 2.0], [2.0, 4.0]] [[7.0, 10.0], [15.0, 22.0]] 5.0 [2.0, 3.0] [0.0, 1.0] }
entry vocabulary (v: [2]f64) (a: [2][2]f64) : (f64, [2][2]f64, [2][2]f64, f64, []f64, [2]f64) =
  (vec.norm v ** 2 |> f64.round, vec.outProd v v, mat.mul a a, mat.trace (mat.mul a (mat.eye 2)),
   vec.range 2 4, vec.hot 2 1)

-- ==
-- entry: gathered
-- input { [1.0, 2.0, 3.0] [2i64, 0i64, 2i64, 2i64] } output { [1.3817733f64, 0.0f64, -8.486617f64] }
-- input { [1.0, 2.0, 3.0] [2i64, 77i64] } error: out of bounds
-- input { empty([0]f64) empty([0]i64) } output { empty([0]f64) }
-- input { empty([0]f64) [5i64] } output { empty([0]f64) }
entry gathered [n][m] (xs: [n]f64) (ks: [m]i64) : [n]f64 =
  calculus.grad (\xs -> f64.sum (map (\k -> xs[k] * f64.sin xs[k]) ks)) xs

-- ==
-- entry: by_key
-- input { [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] [2i64, 0i64, 2i64, -1i64, 9i64, 2i64] }
-- output { [5.0, 3.0, f64.inf, 4.0, f64.inf, f64.inf] [f64.inf, 0.5, 0.0, 0.5, 0.0, 0.0] }
entry by_key [n] (xs: [n]f64) (ks: [n]i64) : ([n]f64, [n]f64) =
  (tabulate n (\i -> f64.minimum (map2 (\k x -> if k + 1 == i && x > 1 then x + 1 else f64.inf) ks xs)),
   tabulate n (\i -> f64.sum (map2 (\k x -> if i == k + 1 then 1 / (x * f64.i64 (k + 1)) else 0) ks xs)))

-- Recurrences whose states are scalars: one loop for all directions.
-- ==
-- entry: recurrences
-- input { [1.0, -2.0, 3.0, 0.5, 0.25, 1.5, -0.5] } output { true }
-- input { [1.0, -2.0] } output { true }
-- input { [1.0] } output { true }
-- input { empty([0]f64) } output { true }
entry recurrences [n] (v: [n]f64) : bool =
  and [agree (\v -> loop s = 1 for t < n do f64.sin s * v[t]) v,
       agree (\v -> loop s = 0.5 for t < n do f64.exp (0.1 * (s + v[t]))) v,
       agree (\v -> loop s = 1 for t < n do v[n - 1 - t] / (2 + s * s)) v,
       agree (\v -> loop s = 1 for t < n / 2 do f64.cos s * v[2 * t] + 0.25 * s) v,
       agree (\v -> loop s = 1 for t < n - 1 do s * v[t] + f64.sin (v[t + 1] - s)) v,
       agree (\v -> (loop (s, p) = (0, 1) for t < n do (s + p * v[t] * v[t], p * 0.5)).0) v,
       agree (\v -> let (s, p) = loop (s, p) = (0.1, 1) for t < n do (s * p + v[t], f64.cos p) in s * p) v,
       agree (\v -> loop s = 2 for t < n do if s < 1 then s * s + v[t] else s / 2 - v[t] * s) v,
       agree (\v -> loop s = 2 for t < n do if t % 2 == 0 then s * s + v[t] else s / 2) v,
       agree (\v -> f64.sqrt (1 + f64.abs (loop s = 0 for t < n do 0.9 * s + v[t] * f64.i64 t))) v,
       agree (\v -> let (s, p) = loop (s, p) = (1, 2) for t < n do (f64.sin p * v[t], f64.cos s) in s + p) v]

-- An infinite factor before the offset, and one after it.
-- ==
-- entry: recurrence_guarded
-- input { [1.0, -2.0, 3.0, 0.5, 0.25, 1.5] [1.0, 0.0, 2.0, 1.0, 4.0, 1.0] } output { true true }
entry recurrence_guarded [n] (v: [n]f64) (w: [n]f64) : (bool, bool) =
  let f v = loop s = 1 for t < n do f64.sqrt (w[t] * w[t] * (1 + s * s)) + v[t]
  let finite x = !(f64.isnan x)
  in (all finite (calculus.grad f v), agree f v)

-- Twice, and over matrices.
-- ==
-- entry: recurrences_nested
-- input { [1.0, -2.0, 3.0, 0.5, 0.25, 1.5] } output { true true }
entry recurrences_nested [n] (v: [n]f64) : (bool, bool) =
  let f v = loop s = 1 for t < n do f64.sin s * v[t]
  let h = calculus.jacob (calculus.grad f) v
  let g = calculus.jacob (\v -> vjp f v 1) v
  let a = map (\x -> map (* x) v) v
  in (and (map2 close (flatten h) (flatten g)),
      agree2 (\a -> loop s = 1 for t < n do f64.sin s * a[t, n - 1 - t] + a[0, t]) a)

-- Components linear in the derivative of one element: prefixes and suffixes of the others.
-- ==
-- entry: products
-- input { [1.0, -2.0, 3.0, 0.5, 0.25, 1.5, -0.5] } output { true }
-- input { [1.0, -2.0] } output { true }
-- input { [1.5] } output { true }
-- input { empty([0]f64) } output { true }
-- input { [1.0, 0.0, 3.0, 0.5] } output { true }
-- input { [1.0, 0.0, 3.0, 0.0] } output { true }
entry products [n] (v: [n]f64) : bool =
  and [agree f64.product v,
       agree (\v -> f64.product (map (\x -> x * x + 0.5) v)) v,
       agree (\v -> f64.sin (f64.product v)) v,
       agree (\v -> (reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\x -> (0.5, x)) v)).1) v,
       agree (\v -> f64.product (map2 (\x i -> if i % 2 == 0 then x else 2 - x) v (iota n))) v,
       agree (\v -> f64.product (tabulate n (\i -> v[n - 1 - i] + 1))) v,
       agree2 (\a -> f64.product (map (\r -> r[0] * r[1]) a)) (map (\x -> [x, x + 1]) v)]

-- | Gradients of layers by their input: values in front of the map over directions, factors summed first.
-- ==
-- entry: layers
-- input { [0.5, -1.0, 2.0, 0.25, 1.5] [1.0, 0.3, -0.7, 0.1, 0.9, 2.0] } output { [true, true, true, true, true, true] }
-- input { [0.5] [1.0, 0.3, -0.7, 0.1, 0.9, 2.0] } output { [true, true, true, true, true, true] }
-- input { [0.5, 0.1] empty([0]f64) } output { [true, true, true, true, true, true] }
-- input { empty([0]f64) [0.5, 0.1] } output { [true, true, true, true, true, true] }
entry layers [n][m] (x: [n]f64) (b: [m]f64) : []bool =
  let weights (k: i64) (l: i64) : [k][l]f64 =
    tabulate_2d k l (\i j -> f64.sin (f64.i64 (3 * i + j * j)) / 2)
  let layer [k][l] (w: [k][l]f64) x = map (\row -> f64.tanh (vec.dot row x)) w
  let one x = map2 (+) b (layer (weights m n) x)
  let two x = layer (weights n m) (one x)
  let three x = layer (weights m n) (two x)
  let mean [k][l] (w: [k][l]f64) x = map (\row -> f64.tanh (vec.dot row x / f64.i64 l)) w
  let poles x = map (\row -> f64.log (1 + vec.dot row row * vec.dot row (one x) ** 2)) (weights n m)
  in [agree (\x -> vec.sum (one x)) x, agree (\x -> vec.sum (two x)) x,
      agree (\x -> f64.sum (map2 (\a b -> (a - b) ** 2) b (three x))) x,
      agree (\x -> f64.sum (map f64.sqrt (map (+ 1) (poles x)))) x,
      agree (\x -> vec.sum (two x) * vec.sum (one x)) x,
      agree (\x -> vec.norm (mean (weights m n) (mean (weights n m) (mean (weights m n) x)))) x]

-- | Gradients of layers whose sum has several terms: residual, gated and densely connected ones, two products.
-- ==
-- entry: added_layers
-- input { [0.5, -1.0, 2.0, 0.25, 1.5] [1.0, 0.3, -0.7, 0.1, 0.9, 2.0] } output { [true, true, true, true, true, true, true, true] }
-- input { [0.5] [1.0, 0.3, -0.7, 0.1, 0.9, 2.0] } output { [true, true, true, true, true, true, true, true] }
-- input { [0.5, 0.1] empty([0]f64) } output { [true, true, true, true, true, true, true, true] }
-- input { empty([0]f64) [0.5, 0.1] } output { [true, true, true, true, true, true, true, true] }
entry added_layers [n][m] (x: [n]f64) (b: [m]f64) : []bool =
  let weights (k: i64) (l: i64) : [k][l]f64 =
    tabulate_2d k l (\i j -> f64.sin (f64.i64 (3 * i + j * j)) / 2)
  let layer [k][l] (w: [k][l]f64) x = map (\row -> f64.tanh (vec.dot row x)) w
  let residual [k] (x: [k]f64) = map2 (+) x (layer (weights k k) x)
  let inside [k] (x: [k]f64) = map2 (\row xi -> f64.tanh (f64.sin xi + vec.dot row x)) (weights k k) x
  let gated [k] (x: [k]f64) = map2 (\row xi -> xi * f64.tanh (vec.dot row x)) (weights k k) x
  let wide x = layer (weights m n) x
  let dense x = map3 (\r q c -> f64.tanh (vec.dot r (wide x) + c * vec.dot q x)) (weights m m) (weights m n) b
  let product [k] (x: [k]f64) =
    map2 (\r q -> f64.tanh (vec.dot r x) * f64.cos (vec.dot q x)) (weights k k) (transpose (weights k k))
  let offset [k] (x: [k]f64) = let m = vec.sum x in map (\row -> f64.tanh (vec.dot row x - m / 8)) (weights k k)
  let norm x = vec.dot x x
  in [agree (norm <-< residual <-< residual) x, agree (norm <-< residual <-< wide <-< residual) x,
      agree (norm <-< inside <-< inside <-< inside) x, agree (norm <-< gated <-< gated) x,
      agree (vec.sum <-< residual <-< dense) x, agree (norm <-< product <-< product) x,
      agree (norm <-< offset <-< offset) x,
      agree (\x -> norm x + norm (wide x) * vec.sum (residual (wide x))) x]

-- | Sums that are split: by one case, by keys, and by what is the same for all directions or has a factor that is.
-- ==
-- entry: split_sums
-- input { [0.5, -1.0, 2.0, 0.25, 1.5] [1.0, 0.3, -0.7, 0.1, 0.9, 2.0] } output { [true, true, true, true, true, true, true, true] }
-- input { [0.5] [1.0, 0.3] } output { [true, true, true, true, true, true, true, true] }
-- input { empty([0]f64) [1.0, 0.3] } output { [true, true, true, true, true, true, true, true] }
-- input { [0.5, 2.0] empty([0]f64) } output { [true, true, true, true, true, true, true, true] }
entry split_sums [n][m] (x: [n]f64) (b: [m]f64) : []bool =
  let mean [k] (x: [k]f64) = vec.sum x / f64.i64 (k + 1)
  let variance [k] (x: [k]f64) = let c = mean x in vec.sum (map (\x -> (x - c) ** 2) x)
  let log_sum_exp x =
    let c = f64.maximum x in c + f64.log (vec.sum (map (\x -> f64.exp (x - c)) x))
  let next [k] (x: [k]f64) (i: i64) = x[(i + 1) % k]
  let stencil [k] (x: [k]f64) =
    vec.sum (tabulate k (\i -> f64.sin (next x i - 2 * x[i] + x[(i + k - 1) % k] * next x i)))
  let inside [k] (x: [k]f64) = vec.sum (tabulate (i64.max 0 (k - 2)) (\i -> (x[i] - x[i + 2]) ** 3))
  let weights (k: i64) (l: i64) : [k][l]f64 =
    tabulate_2d k l (\i j -> f64.sin (f64.i64 (3 * i + j * j)) / 2)
  let layer [k][l] (w: [k][l]f64) x = map (\row -> f64.tanh (vec.dot row x)) w
  let first w = vec.sum (layer (weights n m) (layer (w: [m][n]f64) x))
  let close = map2 (map2 (\a b -> f64.abs (a - b) < 1e-9 * (1 + f64.abs b)))
  let scaled x = let s = f64.sin (vec.sum b * vec.sum x) in vec.sum (map (\y -> f64.exp (y * s)) b)
  in [agree variance x, agree log_sum_exp x, agree stencil x, agree inside x,
      agree (\x -> variance (map f64.cos x) * stencil x) x, agree scaled x,
      and (flatten (close (calculus.mgrad first (weights m n)) (vjp first (weights m n) 1))),
      agree (\x -> vec.sum (layer (weights m n) (map f64.cos x)) + log_sum_exp (map (* 2) x)) x]

-- | Rows of a matrix that data choose, read in branches, too: histograms, column by column; an index out of range fails.
-- ==
-- entry: rows_by_key
-- input { [[0.5, -1.0, 2.0], [0.25, 1.5, 0.1], [2.0, 1.0, -0.5]] [0i64, 2i64, 0i64, 1i64, 2i64] [1.0, 2.0, 0.5, 3.0, -1.0] } output { true }
-- input { [[0.5, -1.0, 2.0]] [0i64, 0i64] [1.0, 2.0] } output { true }
-- input { empty([0][3]f64) empty([0]i64) empty([0]f64) } output { true }
-- input { [[0.5, -1.0, 2.0]] [0i64, 1i64] [1.0, 2.0] } error: Index
entry rows_by_key [n][m] (a: [n][3]f64) (keys: [m]i64) (ws: [m]f64) : bool =
  let f (a: [n][3]f64) k w =
    let r = a[k, 0] * a[k, 0] + a[k, 1] + w
    in if r > 3 then f64.sin a[k, 1] * f64.sqrt r else a[k, 1] * f64.cos (a[k, 2] * w)
  in agree2 (\a -> vec.sum (map2 (f a) keys ws)) a

-- | Parts of the argument, forwards and with strides; histograms at remainders.
-- ==
-- entry: parts
-- input { [0.5, -1.0, 2.0, 0.25, 1.5] } output { [true, true, true, true, true] }
-- input { [0.5] } output { [true, true, true, true, true] }
-- input { empty([0]f64) } error: Index
entry parts [n] (x: [n]f64) : []bool =
  let differences [k] (x: [k]f64) =
    vec.sum (map2 (\a b -> f64.sin (a - 2 * b)) x[1:] (x[:k - 1] :> [k - 1]f64))
  let every second x = vec.sum (map (\a -> a * a * a) x[second:n:2])
  let backwards x = vec.sum (map2 (\a b -> f64.exp (a * b)) x (x[::-1] :> [n]f64))
  let bins x = let h = hist (+) 0 n (map (\i -> i * 7 % n) (iota n)) x in vec.dot h h
  in [agree differences x, agree (every 0) x, agree (every 1) x, agree backwards x, agree bins x]
