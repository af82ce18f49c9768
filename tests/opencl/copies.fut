-- Floats added at shared places: each thread has a copy of the places, where copies are little.

-- ==
-- entry: histogram
-- input { 0i64 3i64 } output { 3f64 0f64 }
-- input { 10000i64 3i64 } output { 6.4981503577660522f64 1.999999998182636f64 }
-- input { 20i64 300i64 } output { 22461.972281446459f64 7.0795220151343585f64 }
entry histogram (n: i64) (k: i64) : (f64, f64) =
  let at = map (\i -> i * i % k) (iota n)
  let to = reduce_by_index (replicate k 0.5) (+) 0 at (map (\i -> f64.sin (f64.i64 i)) (iota n))
  let most = reduce_by_index (replicate k 0) f64.max 0 at (map (\i -> f64.cos (f64.i64 i)) (iota n))
  in (f64.sum (map2 (\i x -> x * f64.i64 (i + 1)) (iota k) to), f64.sum most)

def loss [k] (mu: [k]f64) (x: f64) : f64 =
  let y = map (\m -> (x - m) * (x - m)) mu
  let least = f64.minimum y
  in least - f64.log (f64.sum (map (\v -> f64.exp (least - v)) y))

-- Iterations with arrays, too.
-- ==
-- entry: mixture
-- input { 0i64 4i64 } output { 0f64 0f64 }
-- input { 5000i64 4i64 } output { -4061.6792725866803f64 1941.9779720531578f64 }
-- input { 200i64 150i64 } output { -236.79705911383576f64 1.6958125170059508f64 }
entry mixture (n: i64) (k: i64) : (f64, f64) =
  let x = map (\i -> f64.sin (f64.i64 i)) (iota n)
  let mu = map (\i -> f64.cos (f64.i64 i) * 2) (iota k)
  let g = vjp (\m -> f64.sum (map (loss m) x)) mu 1
  in (f64.sum (map2 (\i v -> v * f64.i64 (i + 1)) (iota k) g), f64.maximum g)

-- ==
-- entry: rows
-- input { 3000i64 5i64 } output { 62763.2734f32 }
entry rows (n: i64) (k: i64) : f32 =
  let a = tabulate_2d n k (\i j -> f32.i64 (i % 7 + j) * 0.25)
  let b = map (\j -> f32.i64 j - 1.5) (iota k)
  let g = vjp (\b -> f32.sum (map (\r -> f32.sqrt (1 + f32.sum (map2 (*) r b) ** 2)) a)) b 1
  in f32.sum (map2 (\i v -> v * f32.i64 (i + 1)) (iota k) g)
