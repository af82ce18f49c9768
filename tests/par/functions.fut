-- Loops that call functions that do not call themselves: on a device their statements are the kernel's.
-- ==
-- entry: scalars rows made updated several counted summed sums nested
-- input { 300i64 } auto output
-- input { 1i64 } auto output
-- input { 0i64 } auto output
-- ==
-- entry: fails sum_fails
-- input { 1000i64 } error: Index \[700\] out of bounds.*functions.fut:17:

def weights = [0.25f64, 0.5, 0.125, 1]
def table = map (\i -> f64.cos (f64.i64 i)) (iota 13)
def data (n: i64) = map (\i -> f64.sin (f64.i64 (i * i % 10007))) (iota n)

#[noinline]
def at [n] (x: [n]f64) (i: i64) : f64 =
  x[i] * weights[i % 4] + table[i % 13]
entry scalars (n: i64) = let x = data n in map (at x) (iota n)
entry fails (n: i64) = let x = data (n - 300) in map (at x) (iota n)

-- A row, in a loop whose trips data decide, with a call in it.
#[noinline]
def norm [m] (r: [m]f64) : f64 =
  let s = loop s = 0.1 for i < m do s + at r i * r[m - 1 - i]
  in loop s while f64.abs s < 3 do s * 1.5 + at r 0
entry rows (n: i64) =
  let a = tabulate_2d n 9 (\i j -> f64.abs (f64.sin (f64.i64 (7 * i + j))))
  in (map norm a, map (\i -> norm a[(i + 1) % n, 2:8]) (iota n))

-- Arrays: handed over at once, after a branch, beside a scalar, as rows of the result.
#[noinline]
def scaled [m] (r: [m]f64) (k: i64) : [m]f64 = map (\x -> x * at r k) r
#[noinline]
def either [m] (r: [m]f64) (k: i64) : [m]f64 = if k % 2 == 0 then scaled r 1 else reverse r
#[noinline]
def both [m] (r: [m]f64) (k: i64) : (f64, [m]f64, [2]f64) =
  let s = scaled r (k % m) in (s[0], s, [norm r, s[m - 1]])
entry made (n: i64) =
  let a = tabulate_2d n 5 (\i j -> f64.sin (f64.i64 (3 * i + j)))
  in (map2 scaled a (map (% 5) (iota n)), map2 (\r i -> f64.sum (either r i)) a (iota n),
      unzip3 (map2 both a (iota n)))

-- In place.
#[noinline]
def marked [m] (r: *[m]i64) (k: i64) : *[m]i64 =
  if m == 0 then r else let r = r with [k % m] = k in r with [0] = r[0] + r[m - 1]
entry updated (n: i64) =
  map (\i -> let r = marked (replicate 6 i) i in marked r (i + 1)) (iota n)

-- One function several times, with an array of its own kept in a loop.
#[noinline]
def steps (x: f64) (k: i64) : f64 =
  let a = loop a = replicate 4 x for i < k do map (\y -> y * 0.5 + a[i % 4]) a
  in f64.sum a
entry several (n: i64) =
  map2 (\x i -> steps x (i % 7) - steps (-x) 2 * steps (x * x) 0) (data n) (iota n)

entry counted (n: i64) =
  let x = data n
  in (hist (+) 0i64 7 (map (% 7) (iota n)) (map (\i -> i64.f64 (100 * at x i)) (iota n)),
      i64.sum (map (\i -> i64.f64 (50 * steps x[i] (i % 3))) (iota n)))

-- Sums of floats, derivatives.
entry summed (n: i64) =
  let x = data n
  in (f64.sum (map (at x) (iota n)),
      vjp (\x -> f64.sum (map (\r -> at x r * at x ((r * r) % n)) (iota n))) x 1,
      map (\v -> jvp (\x -> norm [x, x * x, 1]) v 1) x)

-- Of calls of functions with arrays, with loops whose sums are vector code; two sums at once.
entry sums (n: i64) =
  let x = data n
  let a = tabulate_2d n 40 (\i j -> f64.abs (f64.sin (f64.i64 (7 * i + j))))
  in (f64.sum (map2 (\x i -> steps x (i % 5)) x (iota n)), f64.sum (map norm a),
      f64.maximum (map2 (\x i -> at [x, x * x] (i % 2)) x (iota n)),
      f64.sum (map (\r -> (scaled r 1)[3]) a),
      let (p, q) = unzip (map (\i -> (at x i, f32.f64 (steps x[i] 1))) (iota n))
      in (f64.sum p, f32.sum q))
entry sum_fails (n: i64) = let x = data (n - 300) in f64.sum (map (at x) (iota n))

entry nested (n: i64) =
  tabulate_2d n 3 (\i j -> norm (scaled [f64.i64 i, f64.i64 j, 1] (j % 3)))
