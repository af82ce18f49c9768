-- Sums of floats whose iterations have arrays of lengths that are known when the program runs: each
-- thread has its part of a block.
def logsumexp [n] (xs: [n]f64) : f64 =
  let m = f64.maximum xs
  in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))

-- ==
-- entry: mixture
-- input { 0i64 7i64 5i64 } output { 0f64 }
-- input { 1i64 1i64 1i64 } output { 1f64 }
-- input { 300i64 7i64 5i64 } output { 4204.0188429959017f64 }
-- input { 1000i64 3i64 200i64 } output { 374471.25697750703f64 }
entry mixture (n: i64) (k: i64) (d: i64) : f64 =
  let x = tabulate_2d n d (\i j -> f64.sin (f64.i64 (i * d + j)))
  let mu = tabulate_2d k d (\i j -> f64.cos (f64.i64 (i + 3 * j)))
  in f64.sum (map (\r -> logsumexp (map (\m ->
       let y = scan (+) 0 (map2 (-) r m)
       in f64.sum (map (\v -> v * v) y)) mu)) x)

-- Arrays that change places.
-- ==
-- entry: walks
-- input { 0i64 40i64 } output { 0f64 }
-- input { 3000i64 40i64 } output { 155512.50168042057f64 }
-- input { 100i64 5000i64 } output { 14438.783372094496f64 }
entry walks (n: i64) (k: i64) : f64 =
  f64.sum (map (\i ->
    let s = loop s = map f64.i64 (iota k) for t < 3 do
              map (\v -> 0.3 * v + f64.sqrt (f64.i64 (i + t))) (reverse s)
    in f64.maximum s) (iota n))

-- In the thread's frame.
-- ==
-- entry: small
-- input { 5000i64 } output { 7000000f32 }
entry small (n: i64) : f32 =
  f32.sum (map (\i ->
    let s = map (\j -> f32.i64 (i * 7 + j) * 0.01) (iota 5)
    let t = scan (+) 0 s
    in t[i % 5] + f32.maximum t) (iota n))

-- ==
-- entry: checked
-- input { 5000i64 9i64 7i64 } output { 4375440.0899999989f64 }
-- input { 5000i64 9i64 70i64 } error: out of bounds
entry checked (n: i64) (k: i64) (at: i64) : f64 =
  f64.sum (map (\i ->
    let s = map (\j -> f64.i64 (i * 7 + j) * 0.01) (iota k)
    let t = scan (+) 0 s
    in t[if i == 4321 then at else i % k]) (iota n))
