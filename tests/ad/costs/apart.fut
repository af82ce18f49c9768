-- Gradients of one function written twice: NAME as one nest, NAME_apart as maps in a row.  Optimised,
-- the second costs what the first costs.  Judged by tests/unit/test_ad_cost.c with the
-- interpreter's counts.
def some (n: i64) : [n]f64 = tabulate n (\i -> 1 + f64.i64 (i %% 7) / 10)
def table (n: i64) (m: i64) : [n][m]f64 = tabulate_2d n m (\i j -> f64.sin (f64.i64 (i * m + j)))
def grad 'a (f: a -> f64) (x: a) : a = vjp f x 1
def distance [d] (x: [d]f64) (c: [d]f64) : f64 = f64.sum (map2 (\a b -> (a - b) * (a - b)) x c)

entry nearest (n: i64) = grad (\cs ->
  f64.sum (map (\x -> f64.minimum (map (distance x) cs)) (table n 3))) (table n 3)
entry nearest_apart (n: i64) = grad (\cs ->
  table n 3 |> map (\x -> map (distance x) cs) |> map f64.minimum |> f64.sum) (table n 3)

entry chain (n: i64) = grad (\x -> f64.sum (map (\a -> f64.exp (f64.sin (a * a))) x)) (some n)
entry chain_apart (n: i64) = grad (\x -> x |> map (\a -> a * a) |> map f64.sin |> map f64.exp |> f64.sum) (some n)

entry pairs (n: i64) = grad (\x -> f64.sum (map (\a -> f64.sin a * f64.cos a) x)) (some n)
entry pairs_apart (n: i64) = grad (\x -> f64.sum (map2 (*) (map f64.sin x) (map f64.cos x))) (some n)

entry rows (n: i64) = grad (\a -> f64.sum (map (\r -> f64.log (f64.sum (map f64.exp r))) a)) (table n 8)
entry rows_apart (n: i64) = grad (\a -> a |> map (map f64.exp) |> map f64.sum |> map f64.log |> f64.sum) (table n 8)

entry curvature (n: i64) = jvp (grad (\x -> f64.sum (map (\a -> f64.exp (f64.sin a)) x))) (some n) (some n)
entry curvature_apart (n: i64) = jvp (grad (\x -> x |> map f64.sin |> map f64.exp |> f64.sum)) (some n) (some n)
