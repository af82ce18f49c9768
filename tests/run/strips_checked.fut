-- Long bodies with a test in every iteration: full strips, single vectors, the rest; the first
-- iteration that fails says so wherever it stands.
-- ==
-- entry: same
-- input { 45i64 } output { true }
-- ==
-- entry: fails
-- input { 45i64 45i64 } output { true }
-- input { 45i64 3i64 } error: Index \[3\] out of bounds for array of shape \[3\]
-- input { 45i64 34i64 } error: Index \[34\] out of bounds for array of shape \[34\]
-- input { 45i64 38i64 } error: Index \[38\] out of bounds for array of shape \[38\]
-- input { 45i64 44i64 } error: Index \[44\] out of bounds for array of shape \[44\]
-- input { 14i64 13i64 } error: Index \[13\] out of bounds for array of shape \[13\]
-- input { 14i64 10i64 } error: Index \[10\] out of bounds for array of shape \[10\]

def body [m] (xs: [m]f64) (i: i64) : f64 =
  let x = xs[i]
  let a = f64.exp (-x)
  let b = 1 / (1 + a)
  let c = f64.exp (x - b) * b + 3
  let d = 1 / (c * c + x)
  let e = f64.exp (d * x) - d * b
  let f = e * e + c * d - a * 0.25
  let g = f / (1 + d * d) + e * 0.5
  let h = g * g - f * a + x * 0.125
  in h * d + g - f * b + e * c - a

def data (m: i64) : [m]f64 = tabulate m (\i -> f64.sin (f64.i64 i))

def by_loop [m] (xs: [m]f64) (n: i64) : [n]f64 =
  #[sequential]
  loop ys = replicate n 0 for i < n do
    let ys[i] = body xs i
    in ys

def near [n] (a: [n]f64) (b: [n]f64) : bool =
  and (map2 (\x y -> f64.abs (x - y) <= 1e-12 * (1 + f64.abs x)) a b)

entry same (most: i64) : bool =
  let xs = data most
  in loop ok = true for n < most + 1 do ok && near (tabulate n (body xs)) (by_loop xs n)

entry fails (n: i64) (m: i64) : bool =
  near (tabulate n (body (data m))) (by_loop (data m) n)
