-- Loops that call functions, which read arrays from outside, beside updates.
-- ==
-- entry: added adjoints trees made
-- input { 300i64 97i64 } auto output
-- input { 1200i64 1i64 } auto output
-- input { 0i64 7i64 } auto output
-- ==
-- entry: fails
-- input { 1000i64 50i64 } error: out of bounds for array

def data (n: i64) = map (\i -> f64.sin (f64.i64 (i * i % 10007))) (iota n)
def keys (n: i64) (m: i64) = map (\i -> (i * i * 7919 + i * 31) % m) (iota n)

def power (x: f64) (n: i64) : f64 =
  if n <= 1 then x else power (x * x) (n / 2) + power x (n - 1) * 0.5
entry added (n: i64) (m: i64) =
  (hist (+) 0 m (keys n m) (map (\x -> power x 7) (data n)),
   hist f64.max (-f64.inf) m (keys n m) (map (\x -> power x 5) (data n)))
entry adjoints (n: i64) (m: i64) =
  vjp (\ys -> f64.sum (map (\k -> power ys[k] 5) (keys n m))) (data m) 1

-- It reads an array that was made before.
def tree [n] (x: [n]f64) (lo: i64) (hi: i64) : f64 =
  if hi - lo <= 1 then f64.exp (- (x[lo] * x[lo]))
  else let m = (lo + hi) / 2 in tree x lo m * x[m] + tree x m hi
entry trees (n: i64) (m: i64) =
  let x = data (m + 9)
  let y = map (\k -> tree x k (k + 8)) (keys n m)
  in (y, hist (+) 0 m (keys n m) (map (\k -> tree x k (k + 5)) (keys n m)),
      vjp (\x -> f64.sum (map (\k -> tree x k (k + 4)) (keys n m))) x 1)

-- It makes an array.
def parts [n] (x: [n]f64) (k: i64) : [n]f64 =
  if k == 0 then map f64.sin x
  else let y = parts x (k - 1) in map2 (\a b -> a * b + x[k]) y (rotate k x)
entry made (n: i64) (m: i64) =
  let x = data 12
  in hist (+) 0 m (keys n m) (map (\k -> f64.sum (parts x (k % 5))) (keys n m))

entry fails (n: i64) (m: i64) =
  let x = data m in map (\k -> tree x k (k + 8)) (keys n m)
