-- Derivatives of functions that call themselves last, which are loops (opt/tail.c).

-- Reverse mode against forward mode, and second derivatives in all four nestings along one direction.
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

def look [n] (x: [n]f64) (q: f64) (lo: i64) (hi: i64) : f64 =
  if hi - lo <= 1 then x[lo] * x[lo] * q
  else let m = (lo + hi) / 2 in if x[m] > q then look x q lo m else look x q m hi
def looks [n] (x: [n]f64) : f64 = f64.sum (map (\i -> look x (f64.i64 i) 0 n) (iota n))

def chain [n] (a: [n]f64) (i: i64) (s: f64) : f64 =
  if i == n then s else chain a (i + 1) (f64.sin (s * a[i]))

def fill [n] (a: *[n]f64) (i: i64) : *[n]f64 =
  if i >= n then a else fill (a with [i] = a[i] * a[i - 1]) (i + 1)

-- Ends where data say; the base needs what was updated on the way.
def walk [n] (a: *[n]f64) (i: i64) (s: f64) : (f64, *[n]f64) =
  let x = a[i]
  let a = a with [i] = x * s
  let j = (i * 2 + 1) % n
  in if s > 3 then (x * s, a) else walk a j (s + a[j] * a[j])

def halves [n] (xs: [n]f64) (d: f64) : f64 =
  if n <= 1 then f64.sum xs * d
  else halves (map2 (*) (take (n / 2) xs) (take (n / 2) (drop 1 xs) :> [n / 2]f64)) (d + xs[0])

def turns [n] (k: i64) (a: *[n]f64) (b: *[n]f64) : f64 =
  if k == 0 then f64.sum a * f64.sum b else turns (k - 1) b (a with [k % n] = b[0] * a[k % n])

-- ==
-- entry: agreed
-- input { [0.7, 1.3, 2.1, 3.2, 4.4, 5.9] } output { [true, true, true, true, true, true] }
entry agreed [n] (x: [n]f64) =
  [agree looks x, agree (\x -> chain x 0 1) x, agree (\x -> f64.sum (fill (copy x) 1)) x,
   agree (\x -> let (s, a) = walk (copy x) 1 1 in s + f64.sum (map (\y -> y * y) a)) x,
   agree (\x -> halves x 1) x, agree (\x -> turns 5 (copy x) (map f64.sqrt x)) x]

-- ==
-- entry: values
-- input { [1.0, 2.0, 3.0] } output { [2.0, 0.0, 0.0] [9.0, 4.0, 2.0] }
entry values [n] (x: [n]f64) =
  (vjp (\x -> look x 1 0 n) x 1, vjp (\x -> f64.sum (fill (copy x) 1)) x 1)
