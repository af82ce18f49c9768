-- Sums of floats in the order of one core, on any target: short bodies and long ones, in loops,
-- loops that walk over rows, arrays of an iteration's own, no vectors, several operators.
-- ==
-- entry: short long trained walks own plain several narrow written
-- input { 0i64 } auto output
-- input { 1i64 } auto output
-- input { 37i64 } auto output
-- input { 1000i64 } auto output
-- input { 20011i64 } auto output
-- ==
-- entry: fails
-- input { 20011i64 } error: x < 0.9

def data (n: i64) = map (\i -> f64.i64 (i * 7919 % 1009) / 1009 - 0.3) (iota n)

entry short (n: i64) =
  let xs = data n
  in (f64.sum xs, f64.product (map (\x -> 1 + x / 1000) xs), f64.minimum xs, f64.maximum xs)

-- A body of many statements: what is left of a block is vector code, too.
def polynomial (x: f64) =
  let y = x * x + 0.5
  let z = y * x - x / (y + 1)
  let a = f64.sqrt (y * y + z * z)
  let b = a * x + z * 0.25 - y
  let c = b * b - a * z + x
  let d = c / (1 + b * b) + a
  let e = d * c - b * a + z * y
  in e + d * 0.125 - c * x + f64.abs b

entry long (n: i64) = f64.sum (map polynomial (data n))

-- In a loop, where what is left fills single vectors.
entry trained (n: i64) =
  let xs = data n
  in loop w = 0.5 for _ in 0..<3 do
       w - (f64.sum (map (\x -> polynomial (w * x)) xs) + f64.sum xs) / f64.i64 (n + 1) / 8

entry walks (n: i64) =
  let m = n / 7
  let rows = map (\k -> map (\i -> f64.i64 ((i * k) % 13) / 13) (iota m)) (iota 7)
  let cost w = f64.sum (map (\i -> let y = f64.sum (map2 (\r v -> r[i] * v) rows w) in y * y) (iota m))
  in loop w = replicate 7 0.5 for _ in 0..<2 do
       map2 (\v g -> v - g / f64.i64 (m + 1)) w (vjp cost w 1)

-- Each iteration sorts three numbers in an array of its own.
entry own (n: i64) =
  let middle (x: f64) =
    let a = [x, x * x, 0.25]
    let a = loop a for (i, j) in [(0i64, 1i64), (1, 2), (0, 1)] do
              if a[j] < a[i] then (copy a) with [i] = a[j] with [j] = a[i] else a
    in a[1]
  in f64.sum (map middle (data n))

-- The number of rounds differs.
entry plain (n: i64) =
  f64.sum (map (\x -> loop y = x while y * y < 0.5 do y * 1.5 + 0.01) (data n))

entry several (n: i64) =
  let xs = data n
  let (a, b, c, d) = (f64.sum xs, f64.sum (map (\x -> x * x) xs), f64.maximum xs,
                      i64.sum (map (\x -> if x > 0 then 1 else 0) xs))
  in (a, b, c, d)

entry narrow (n: i64) =
  let xs = map f32.f64 (data n)
  in (f32.sum xs, f32.sum (map (\x -> f32.exp x * x) xs))

-- What is summed is a result, too.
entry written (n: i64) =
  let ys = map (\x -> x * x - 0.25) (data n)
  in (ys, f64.sum ys)

entry fails (n: i64) =
  f64.sum (map (\i -> let x = f64.i64 i / f64.i64 n in assert (x < 0.9) (f64.sqrt x)) (iota n))
