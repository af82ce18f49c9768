-- Scans of floats: in order on the host, or with --any-order in kernels over blocks.  Numbers whose
-- sums and products are exact in any order.
-- ==
-- entry: sums recurrence segments
-- input { 1i64 } auto output
-- input { 0i64 } auto output
-- input { 1000i64 } auto output
-- input { 50007i64 } auto output
-- ==
-- entry: agree
-- input { 50007i64 } output { true }
-- ==
-- entry: fails
-- input { 50007i64 } error: division by zero

def data (n: i64) = map (\i -> f64.i64 (i * 7919 % 1009) / 16) (iota n)

entry sums (n: i64) =
  (scan (+) 0 (data n), scan f64.max (-f64.inf) (data n), scan (+) 0 (map f32.f64 (data n)))

-- x' = a x + b, as pairs (a, b).
entry recurrence (n: i64) =
  scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0)
       (map (\i -> (if i % 2 == 0 then 2 else 0.5, f64.i64 (i % 4))) (iota n))
  |> map (.1)

entry segments (n: i64) =
  scan (\(f, x) (g, y) -> (f || g, if g then y else x + y)) (false, 0)
       (map2 (\i x -> (i % 97 == 5, x)) (iota n) (data n))
  |> map (.1)

-- The derivative of a scan is one from the right.
entry agree (n: i64) =
  let f (xs: [n]f64) = f64.sum (map2 (*) (data n) (scan (+) 0 xs))
  let tails = reverse (scan (+) 0 (reverse (data n)))
  in and (map2 (==) (vjp f (data n) 1) tails)

entry fails (n: i64) = scan (+) 0 (map (\i -> f64.i64 (5 / (i - 40000))) (iota n))
