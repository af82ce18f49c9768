-- Reductions by operators of several operations, in blocks; tests/cli/multicore.t compares their bits.
-- ==
-- entry: largest means turns grads vectors matrices modulo nested many outputs
-- input { 1000i64 } auto output
-- input { 70007i64 } auto output
-- input { 1i64 } auto output
-- input { 0i64 } auto output

def data (n: i64) = map (\i -> f64.sin (f64.i64 (i * i % 10007))) (iota n)

entry largest (n: i64) =
  reduce (\(a, i) (b, j) -> if b > a then (b, j) else (a, i)) (-f64.inf, -1) (zip (data n) (iota n))

-- Count, mean and sum of squares (Chan, Golub and LeVeque).
def join (n, m, s) (k, l, t): (f64, f64, f64) =
  let all = n + k
  let d = l - m
  let part = if all == 0 then 0 else k / all
  in (all, m + d * part, s + t + d * d * n * part)

entry means (n: i64) = reduce join (0, 0, 0) (map (\x -> (1, f64.exp x, 0)) (data n))

-- Products of complex numbers of absolute value 1.
entry turns (n: i64) =
  reduce (\(a, b) (c, d) -> (a * c - b * d, a * d + b * c)) (1, 0)
         (map (\x -> (f64.cos x, f64.sin x)) (data n))

entry grads (n: i64) =
  vjp (\xs -> let (m, v, w) = reduce join (0, 0, 0) (map (\x -> (1, f64.exp x, 0)) xs)
              in v + w / (m + 1)) (data n) 1

entry vectors (n: i64) =
  let xs = map (\i -> [f64.sin (f64.i64 i), f64.cos (f64.i64 i), f64.i64 i / 3]) (iota n)
  in (reduce (map2 (+)) [0, 0, 0] xs, reduce (map2 f64.max) (replicate 3 (-f64.inf)) xs)

entry matrices (n: i64) =
  let product a b = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
  in reduce product [[1, 0], [0, 1]]
            (map (\x -> [[f64.cos x, f64.sin x], [-f64.sin x, f64.cos x]]) (data n))

entry modulo (n: i64) =
  let m = n % 1000 + 1
  in reduce (\a b -> (a + b) % m) 0 (map (\i -> i * i) (iota n))

-- Inside a loop and a branch.
entry nested (n: i64) =
  loop s = 0f64 for k < 3 do
    if k == 1 then s
    else let (x, y) = reduce (\(a, b) (c, d) -> (a * c, a * d + b)) (1, 0)
                             (map (\x -> (f64.cos (x + s), 0.5)) (data n))
         in s / 2 + x + y

-- By several operators at once.
entry many (n: i64) =
  let xs = data n
  let (a, i) = reduce (\(a, i) (b, j) -> if b < a then (b, j) else (a, i)) (f64.inf, -1) (zip xs (iota n))
  in (a, i, f64.sum xs, reduce join (0, 0, 0) (map (\x -> (1, x, 0)) xs))

entry outputs (n: i64) =
  let ys = map f64.exp (data n)
  in (ys, reduce join (0, 0, 0) (map (\x -> (1, x, 0)) ys))
