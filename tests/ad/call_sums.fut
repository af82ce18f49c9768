-- Adjoints of arrays that functions read go through the derivatives of calls (doc/ad.md 4.15).

-- Reverse mode against forward mode, and second derivatives in three nestings along one direction.
def agree [n] (f: [n]f64 -> f64) (x: [n]f64) : bool =
  let unit i = tabulate n (\j -> f64.bool (i == j))
  let close a b = f64.abs (a - b) <= 1e-9 * (1 + f64.abs a)
  let g = vjp f x 1
  let t = map (\i -> jvp f x (unit i)) (iota n)
  let d = tabulate n (\i -> f64.sin (f64.i64 i + 1))
  let rr = vjp (\x -> f64.sum (map2 (*) d (vjp f x 1))) x 1
  let rf = vjp (\x -> jvp f x d) x 1
  let fr = jvp (\x -> vjp f x 1) x d
  in and (map2 close g t) && and (map2 close rr rf) && and (map2 close rr fr)

-- One array for two parameters, in turns.
def pairs [n] (x: [n]f64) (y: [n]f64) (i: i64) : f64 =
  if i == n then 1 else x[i] * y[n - 1 - i] + pairs y x (i + 1) * x[0]

-- Elements, slices, whole arrays; a result that is an array.
def parts [n] (x: [n]f64) (k: i64) : [n]f64 =
  if k == 0 then map f64.sin x
  else let y = parts x (k - 1)
       in map2 (\a b -> a * b + f64.sum x[0:k]) y (rotate k x)

-- Rows, in a map and in a map of maps, and an array from outside of both.
def tree [n] (x: [n]f64) (lo: i64) (hi: i64) : f64 =
  if hi - lo <= 1 then f64.exp (- (x[lo] * x[lo]))
  else let m = (lo + hi) / 2 in tree x lo m * x[m] + tree x m hi
def rows [n] (x: [n]f64) : f64 =
  let a = map (\i -> map (\j -> x[i] * x[j]) (iota n)) (iota n)
  let inner = map (\r -> tree r 0 n + f64.sum (map (\y -> y * tree x 0 n) r)) a
  in f64.sum inner

-- In loops and branches, beside contributions before and after.
def around [n] (x: [n]f64) : f64 =
  let a = f64.sum (map (\y -> y * y) x)
  let b = loop s = a for i < n do if x[i] > 1 then s * 0.5 + tree x 0 (i + 1) else s + x[i]
  let c = loop s = b while s < 20 do s * 1.5 + tree x 0 n * x[1]
  in c * x[0]

-- A consumed array beside one that is read.
def moved [n] (a: *[n]f64) (x: [n]f64) (i: i64) : f64 =
  if i == n then f64.sum a
  else x[i] * moved (a with [i] = a[i] * x[n - 1 - i]) x (i + 1)

-- A function that is kept, in a map whose results are arrays, and under a reduction.
#[noinline]
def kept [n] (x: [n]f64) (i: i64) : (f64, [2]f64) = (x[i] * f64.sin x[i * 7 % n], [x[i], x[0] * x[i]])
def keeps [n] (x: [n]f64) : f64 =
  let (s, v) = unzip (map (kept x) (iota n))
  in f64.sum (map2 (\a b -> a * b[0] + b[1] * b[1]) s v) + f64.maximum s

-- ==
-- entry: agreed
-- input { [0.7, 1.3, 0.4, 1.7, 1.1] } output { [true, true, true, true, true, true] }
entry agreed [n] (x: [n]f64) =
  [agree (\x -> pairs x x 0) x, agree (\x -> f64.sum (parts x 3)) x, agree rows x, agree around x,
   agree (\x -> moved (map (* 2) x) x 0) x, agree keeps x]

-- ==
-- entry: values
-- input { [2.0, 3.0] } output { [19.0, 6.0] [72.0, 48.0] }
entry values [n] (x: [n]f64) =
  (vjp (\x -> pairs x x 0) x 1, vjp (\x -> moved (copy x) x 0) x 1)
