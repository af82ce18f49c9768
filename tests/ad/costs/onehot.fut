-- Gradients by forward mode whose work the optimiser makes that of reverse mode: an entry NAME_d works
-- n^d at arrays of n elements (matrices of n rows and columns), judged by test_ad_cost.c.
import "lib/ad/calculus"
import "lib/linalg_tilde"
module calculus = mk_calculus f64
module la = mk_linalg_tilde f64
module vec = la.vec
module mat = la.mat

def some (n: i64) : [n]f64 = tabulate n (\i -> f64.sin (f64.i64 i) + 2)
def grid (n: i64) : [n][n]f64 = tabulate_2d n n (\i j -> f64.sin (f64.i64 (i * n + j)) + 2)
def gather [n] (is: [n]i64) (xs: [n]f64) : [n]f64 = map (\i -> xs[i]) is

entry times_identity_1 (n: i64) : [n]i64 =
  let eye = tabulate_2d n n (\i j -> i64.bool (i == j))
  in tabulate n (\i -> i64.sum (map2 (*) (map (* 3) (iota n)) eye[:, i]))
entry dot_1 (n: i64) : [n]f64 = calculus.grad (\a -> vec.dot a (some n)) (some n)
entry trace_2 (n: i64) : [n][n]f64 = calculus.mgrad mat.trace (grid n)
entry trace_scaled_2 (n: i64) : [n][n]f64 =
  calculus.mgrad (\m -> mat.trace (mat.map (\x -> 3 * x) m)) (grid n)
entry bilinear_2 (n: i64) : [n][n]f64 =
  calculus.mgrad (\a -> vec.dot (some n) (map (\row -> vec.dot row (some n)) a)) (grid n)
entry scaled_1 (n: i64) : [n]f64 = calculus.vdiff (\s -> vec.smul s (some n)) 2
entry sum_jacobian_2 (n: i64) : [n][n]f64 = calculus.jacob (\a -> vec.add a (some n)) (some n)
entry maximum_1 (n: i64) : [n]f64 = calculus.grad f64.maximum (some n)
entry minimum_of_squares_1 (n: i64) : [n]f64 =
  calculus.grad (\xs -> f64.minimum (map (\x -> x * x) xs)) (some n)
entry factorisation_2 (n: i64) : [n]f64 =
  let term p x = f64.log p + x / p
  in calculus.grad (\u -> f64.sum (map2 (\p row -> f64.sum (map2 (\q x -> term (p * q) x) (some n) row))
                                        u (grid n))) (some n)
entry norm_1 (n: i64) : [n]f64 = calculus.grad vec.norm (some n)
entry loop_1 (n: i64) : [n]f64 =
  let xs = some n
  in calculus.grad (\xs -> loop s = 0 for i < n do s + xs[i] * 2) xs
entry forward_attribute_1 (n: i64) : [n]f64 =
  #[strategy(forward)] vjp (\xs -> f64.sum (map (\x -> f64.sin x * x) xs)) (some n) 1
entry hessian_of_sum_2 (n: i64) : [n][n]f64 =
  calculus.jacob (calculus.grad (\xs -> f64.sum (map (\x -> f64.sin x * x) xs))) (some n)
entry hessian_of_product_2 (n: i64) : [n][n]f64 =
  let f [n] (xs: [n]f64) = f64.sum (map (\x -> f64.sin x * x) xs)
  in calculus.jacob (calculus.grad (\xs -> f xs * f xs)) (some n)
entry gathered_1 (n: i64) : [n]f64 =
  let keys = tabulate n (\i -> i * 7 % n)
  in calculus.grad (\xs -> f64.sum (map (\k -> xs[k] * f64.sin xs[k]) keys)) (some n)
entry least_of_each_1 (n: i64) : [n]f64 =
  let keys = tabulate n (\i -> i * i % n)
  in tabulate n (\i -> f64.minimum (map2 (\k x -> if k == i then x else f64.inf) keys (some n)))
entry reverse_trace_2 (n: i64) : [n][n]f64 =
  vjp (\m -> mat.trace (mat.mul m (grid n))) (grid n) 1
entry histogram_1 (n: i64) : [n]f64 =
  let keys = map (/ 2) (iota n)
  let bins xs = reduce_by_index (replicate n 0) (+) 0 keys xs
  in calculus.grad (\xs -> f64.sum (map (\h -> h * h) (bins xs))) (some n)
entry recurrence_1 (n: i64) : [n]f64 =
  calculus.grad (\v -> loop s = 1 for t < n do f64.sin s * v[t]) (some n)
entry recurrence_shifted_1 (n: i64) : [n]f64 =
  calculus.grad (\v -> loop s = 1 for t < n - 1 do s * f64.sin v[t] + f64.exp (v[t + 1] - s)) (some n)
entry product_1 (n: i64) : [n]f64 = calculus.grad f64.product (some n)
entry product_of_squares_1 (n: i64) : [n]f64 =
  calculus.grad (\xs -> f64.product (map (\x -> x * x / 4) xs)) (some n)
entry layer_2 (n: i64) : [n]f64 =
  let layer x = map (\row -> f64.tanh (vec.dot row x)) (grid n)
  in calculus.grad (\x -> f64.sum (layer x)) (some n)
entry softmax_layer_2 (n: i64) : [n]f64 =
  let layer x = map (\row -> vec.dot row x) (grid n)
  in calculus.grad (\x -> f64.log (f64.sum (map f64.exp (layer x)))) (some n)
entry two_layers_2 (n: i64) : [n]f64 =
  let layer x = map (\row -> f64.tanh (vec.dot row x)) (grid n)
  in calculus.grad (\x -> f64.sum (layer (layer x))) (some n)
entry four_layers_2 (n: i64) : [n]f64 =
  let layer x = map (\row -> f64.tanh (vec.dot row x)) (grid n)
  in calculus.grad (\x -> vec.norm (layer (layer (layer (layer x))))) (some n)
entry layers_of_means_2 (n: i64) : [n]f64 =
  let layer x = map (\row -> f64.tanh (vec.dot row x / f64.i64 n)) (grid n)
  in calculus.grad (\x -> vec.norm (layer (layer x))) (some n)
entry residual_layers_2 (n: i64) : [n]f64 =
  let layer x = map2 (\row xi -> xi + f64.tanh (vec.dot row x)) (grid n) x
  in calculus.grad (\x -> vec.norm (layer (layer (layer x)))) (some n)
entry gated_layers_2 (n: i64) : [n]f64 =
  let layer x = map2 (\row xi -> f64.sin xi * f64.tanh (vec.dot row x)) (grid n) x
  in calculus.grad (\x -> vec.norm (layer (layer x))) (some n)
entry layers_of_products_2 (n: i64) : [n]f64 =
  let layer x = map2 (\r q -> f64.tanh (vec.dot r x) * f64.cos (vec.dot q x)) (grid n) (grid n)
  in calculus.grad (\x -> vec.norm (layer (layer x))) (some n)
entry dense_layers_2 (n: i64) : [n]f64 =
  let layer x = map (\row -> f64.tanh (vec.dot row x)) (grid n)
  let both h x = map2 (\r q -> f64.tanh (vec.dot r h + vec.dot q x)) (grid n) (grid n)
  in calculus.grad (\x -> vec.norm (both (layer x) x)) (some n)
entry layers_read_twice_2 (n: i64) : [n]f64 =
  let layer x = map (\row -> f64.tanh (vec.dot row x)) (grid n)
  in calculus.grad (\x -> let h = layer x in vec.norm (layer h) + vec.dot h h + vec.dot x x) (some n)
entry layers_of_sines_2 (n: i64) : [n]f64 =
  let layer x = map2 (\r q -> f64.tanh (vec.dot r x + vec.dot q (map f64.sin x))) (grid n) (grid n)
  in calculus.grad (\x -> vec.norm (layer (layer x))) (some n)
entry reverse_jacobian_2 (n: i64) : [n][n]f64 =
  let w = opaque (grid n)
  let layer x = map (\row -> f64.tanh (vec.dot row x)) w
  let units = map (\i -> map (\j -> if i == j then 1f64 else 0) (iota n)) (iota n)
  in map (vjp (\x -> map f64.sin (layer x)) (some n)) units
entry reverse_residual_jacobian_2 (n: i64) : [n][n]f64 =
  let w = opaque (grid n)
  let layer x = map2 (\row xi -> xi + f64.tanh (vec.dot row x)) w x
  let units = map (\i -> map (\j -> if i == j then 1f64 else 0) (iota n)) (iota n)
  in map (vjp layer (some n)) units
entry variance_1 (n: i64) : [n]f64 =
  let f [n] (xs: [n]f64) =
    let m = f64.sum xs / f64.i64 n in f64.sum (map (\x -> (x - m) * (x - m)) xs)
  in calculus.grad f (some n)
entry log_sum_exp_1 (n: i64) : [n]f64 =
  let f xs = let m = f64.maximum xs in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))
  in calculus.grad f (some n)
entry stencil_1 (n: i64) : [n]f64 =
  let second xs i = f64.sin (xs[(i + 1) % n] - 2 * xs[i] + xs[(i + n - 1) % n])
  in calculus.grad (\xs -> f64.sum (tabulate n (second xs))) (some n)
entry gathered_twice_1 (n: i64) : [n]f64 =
  let keys = tabulate n (\i -> i * 7 % n)
  in calculus.grad (\xs -> f64.sum (map (\k -> xs[k] * xs[(k + 1) % n]) keys)) (some n)
entry layer_of_cosines_jacobian_2 (n: i64) : [n][n]f64 =
  let w = opaque (grid n)
  in calculus.jacob (\x -> map (\row -> f64.tanh (vec.dot row (map f64.cos x))) w) (some n)
entry weights_of_first_layer_2 (n: i64) : [n][n]f64 =
  let (x, u) = (opaque (some n), opaque (grid n))
  let layer w x = map (\row -> f64.tanh (vec.dot row x)) w
  in calculus.mgrad (\w -> f64.sum (layer u (layer w x))) (grid n)
entry rows_by_key_1 (n: i64) : [n][5]f64 =
  let keys = tabulate n (\i -> i * 7 % n)
  let f (a: [n][5]f64) k w =
    let r = a[k, 0] * a[k, 0] + w
    in if r > 3 then f64.sin a[k, 1] * f64.sqrt r else a[k, 1] * f64.cos (a[k, 4] * w)
  let rows = opaque (tabulate_2d n 5 (\i j -> f64.i64 (i + j)))
  in calculus.mgrad (\a -> f64.sum (map2 (f a) keys (some n))) rows
entry differences_1 (n: i64) : [n]f64 =
  let f [n] (xs: [n]f64) = f64.sum (map2 (\a b -> f64.sin (a - b)) xs[1:] (xs[:n - 1] :> [n - 1]f64))
  in calculus.grad f (some n)
entry histogram_at_remainders_1 (n: i64) : [n]f64 =
  let bins [n] (xs: [n]f64) = hist (+) 0 n (map (\i -> i * 7 % n) (iota n)) xs
  in #[strategy(forward)] vjp (\xs -> f64.sum (map (\h -> h * h) (bins xs))) (some n) 1
