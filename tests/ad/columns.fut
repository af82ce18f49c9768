-- Loops over maps that read parts of their rows: the adjoint of such a row goes to the adjoint of the
-- whole array.  Every result is the largest difference between the adjoint and forward mode, element by
-- element, over sizes that include empty and one-element arrays.

def numbers (n: i64) (k: i64) : [n]f64 =
  tabulate n (\i -> f64.sin (f64.i64 (3 * i + k)) + 0.1 * f64.i64 (i % 7))

def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)

def differ [n][m] (f: [n][m]f64 -> f64) (x: [n][m]f64) : f64 =
  let back = flatten (vjp f x 1)
  let unit k = unflatten (tabulate (n * m) (\i -> f64.bool (i == k)))
  let forth = tabulate (n * m) (\k -> jvp f x (unit k))
  in f64.maximum ([0] ++ map2 (\a b -> f64.abs (a - b)) back forth)

def matrix (n: i64) (m: i64) : [n][m]f64 = unflatten (numbers (n * m) 2)

def over (f: (n: i64) -> (m: i64) -> [n][m]f64 -> f64) : bool =
  all (\n -> all (\m -> differ (f n m) (matrix n m) < 1e-9) [0, 1, 2, 5]) [0, 1, 3, 4]

-- ==
-- entry: single pair states window windows inner chosen branch written views blocks shared twice nested
-- input { } output { true }
entry single = over (\n m (a: [n][m]f64) ->
  loop s = 0 for j < m do s * 0.5 + f64.sum (map (\i -> a[i, j] * a[i, j]) (iota n)))
entry pair = over (\n m (a: [n][m]f64) ->
  loop s = 0 for j < m do s * 0.5 + f64.sum (map (\r -> r[j] * r[(j + 1) % m]) a))
entry states = over (\n m (a: [n][m]f64) ->
  f64.product (loop x = replicate n 1 for j < m do map2 (\r x -> 0.5 * x + f64.sin r[j]) a x))
entry window = over (\n m (a: [n][m]f64) ->
  loop s = 0 for j < m - 1 do s * 0.5 + f64.sum (map (\r -> f64.product r[j:j + 2]) a))
entry windows = over (\n m (a: [n][m]f64) ->
  loop s = 0 for j < m do s * 0.5 + f64.sum (map (\r -> f64.product r[j:]) a))
entry inner = over (\n m (a: [n][m]f64) ->
  loop s = 0 for j < m do
    s * 0.5 + f64.sum (map (\r -> loop t = 1 for k < j do t * r[j - k]) a))
entry chosen = over (\n m (a: [n][m]f64) ->
  let is = map (* 3) (iota n)
  in loop s = 0 for j < m do
       s * 0.5 + f64.sum (map2 (\r i -> if i > j then r[(i + j) % m] * r[j] else r[j]) a is))
entry branch = over (\n m (a: [n][m]f64) ->
  loop s = 0 for j < m do
    if j % 2 == 0 then s * 0.5 + f64.sum (map (\r -> r[j] * r[m - 1]) a) else s)
entry written = over (\n m (a: [n][m]f64) ->
  let a = loop a = copy a for j < m - 1 do
            a with [:, j + 1] = map (\r -> 0.5 * r[j] * r[j + 1]) a
  in f64.sum (flatten a))
entry views = over (\n m (a: [n][m]f64) ->
  let b = tabulate 2 (\k -> map (map (* f64.i64 (k + 1))) a)
  in loop s = 0 for k < 2 do
       let c = b[k]
       in loop s for j < m do s * 0.5 + f64.sum (map (\r -> r[j] * r[j]) c) + (if n > 1 then c[1, j] else 0))
entry blocks = over (\n m (a: [n][m]f64) ->
  let b = tabulate 2 (\k -> map (map (* f64.i64 (k + 1))) a)
  let x = loop x = tabulate_2d 2 n (\_ _ -> 1) for t < m do
            tabulate_2d 2 n (\i j -> 0.5 * x[i, j] + b[i, j, t] * b[1 - i, j, t])
  in f64.sum (flatten x))
-- The same array as two inputs, and free beside.
entry shared = over (\n m (a: [n][m]f64) ->
  loop s = 0 for j < m do
    s * 0.5 + f64.sum (map3 (\i r q -> r[j] * q[m - 1 - j] * a[(i + 1) % n, j]) (iota n) a (reverse a)))
entry twice = over (\n m (a: [n][m]f64) ->
  loop s = 0 for j < m do
    let x = map (\r -> r[j]) a
    let y = map2 (\r x -> r[m - 1] * x) a x
    in s * 0.5 + f64.sum x + f64.product y + f64.sum a[:, j])
entry nested = over (\n m (a: [n][m]f64) ->
  f64.sum (map (\k -> loop s = 0 for j < m do s * 0.5 + k * f64.sum (map (\r -> r[j]) a)) [1, 2, 3]))
-- ==
-- entry: second column_slices repeated waved waves pairs ratios steps two strided outer slope alignment
-- input { } output { true }

-- Second derivatives.
entry second = over (\n m (a: [n][m]f64) ->
  let f (a: [n][m]f64) = loop s = 0 for j < m do s * 0.5 + f64.sum (map (\r -> r[j] * r[j] * r[0]) a)
  in f64.sum (map2 (*) (numbers (n * m) 3) (flatten (vjp f a 1))))
entry column_slices = over (\n m (a: [n][m]f64) ->
  loop s = 0 for j < m do s * 0.5 + f64.product (map (\r -> f64.sin r[j]) a) * f64.sum a[:, j])
entry repeated = over (\n m (a: [n][m]f64) ->
  loop s = 0 for k < 3 do
    loop s for j < m do s * 0.5 + f64.sum (map (\r -> r[j] * r[(j * k) % m]) (transpose (transpose a))))
-- The tape has the argument of the cosine, so that no column is summed again.
entry waved = over (\n m (a: [n][m]f64) ->
  loop s = 0 for j < m do f64.cos (s + f64.sum (map (\r -> r[j] * r[j]) a)))
entry waves = over (\n m (a: [n][m]f64) ->
  let f (a: [n][m]f64) = loop s = 1 for j < m do f64.sin (s * f64.sum (map (\r -> f64.exp r[j]) a) / 10)
  in f64.sum (map2 (*) (numbers (n * m) 3) (flatten (vjp f a 1))))
entry pairs = over (\n m (a: [n][m]f64) ->
  let (s, t) = loop (s, t) = (0, 1) for j < m do
                 let x = f64.maximum (map (\r -> r[j] * s) a)
                 let y = f64.sum (map (\r -> r[j]) a)
                 in (f64.sin (s + y) * t, if m > 3 then x * y else f64.tanh (t + y))
  in s * (if n == 0 then 1 else t))
-- What the loop adds to columns is added after it, from numbers that it keeps.
entry ratios = over (\n m (a: [n][m]f64) ->
  loop s = 0 for j < m do s + f64.sum (map (\r -> r[j] / (2 + r[j] * s + s * s)) a))
entry steps = over (\n m (a: [n][m]f64) ->
  loop s = 1 for j < m do f64.tanh (s + f64.sum (map2 (\r x -> r[j] * x) a (numbers n 4))))
entry two = over (\n m (a: [n][m]f64) ->
  let b = map (map f64.sin) a
  in loop s = 1 for j < m do
       f64.tanh (s + f64.sum (map2 (\r q -> r[j] * q[m - 1 - j] * s) a b)) * f64.cos (f64.sum a[:, j]))
entry strided = over (\n m (a: [n][m]f64) ->
  loop s = 1 for j < m do f64.tanh (s + f64.sum (map (\r -> r[(2 * j) % m] * r[j / 2] * s) a)))
entry outer = over (\n m (a: [n][m]f64) ->
  loop s = 1 for k < 3 do
    loop s for j < m do f64.tanh (s + f64.sum (map (\r -> r[j] * r[(j + k) % m]) a)))
entry slope = over (\n m (a: [n][m]f64) ->
  let f (a: [n][m]f64) = loop s = 1 for j < m do s / (2 + f64.sum (map (\r -> r[j] * r[j] * s) a))
  in f64.sum (map2 (*) (numbers (n * m) 3) (flatten (vjp f a 1))))
-- Scores of alignments, a diagonal at a time.
entry alignment = over (\n m (s: [n][m]f64) ->
  let soft a b = let c = f64.max a b in c + f64.log (f64.exp (a - c) + f64.exp (b - c))
  let (_, last) = loop (p2, p1) = (replicate n 0, replicate n 0) for t < n + m - 1 do
    let cell i =
      let j = t - i
      in if j < 0 || j >= m then 0
         else let up = if i > 0 then p1[i - 1] else -1
              let left = if j > 0 then p1[i] else -1
              let corner = if i > 0 && j > 0 then p2[i - 1] else 0
              in soft (up - 1) (soft (left - 1) (corner + s[i, j]))
    in (p1, tabulate n cell)
  in if n == 0 then 0 else last[n - 1])
