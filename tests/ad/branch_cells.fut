-- Branches that update cells of an array in a loop: the update stands outside, where some index is known to
-- be in range. Every result is the largest difference between the adjoint and forward mode, element by
-- element, over sizes that include empty and one-element arrays.

def numbers (n: i64) (k: i64) : [n]f64 =
  tabulate n (\i -> f64.sin (f64.i64 (3 * i + k)) + 0.1 * f64.i64 (i % 7))

def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)

def differ [n][m] (f: [n]f64 -> [m]f64) (x: [n]f64) : f64 =
  let s = numbers m 5
  let back = vjp f x s
  let forth = tabulate n (\i -> dot s (jvp f x (tabulate n (\k -> f64.bool (i == k)))))
  in f64.maximum ([0] ++ map2 (\a b -> f64.abs (a - b)) back forth)

def over (f: (n: i64) -> [n]f64 -> [n]f64) : bool =
  all (\n -> differ (f n) (numbers n 1) < 1e-9) [0, 1, 2, 3, 7]

-- ==
-- entry: read counter shifted swap two both nested chosen deep absent computed matrix twice tagged
-- input { } output { true }
entry read = over (\n (x: [n]f64) ->
  loop a = copy x for k < n do loop a for i < n do
    let j = (i * 5 + k) % n
    in if a[i] * 0.5 < a[j] then a with [j] = a[i] * a[j] else a)
entry counter = over (\n (x: [n]f64) ->
  loop a = copy x for k < n do loop a for i < n do
    if (i + k) % 3 == 0 then a with [i] = a[i] * 0.9 + f64.sin a[k] else a)
-- The index is out of range where the condition fails.
entry shifted = over (\n (x: [n]f64) ->
  loop a = copy x for k < n do loop a for i < n do
    if i + k + 1 < n then a with [i + k + 1] = a[i] * a[k] else a)
entry swap = over (\n (x: [n]f64) ->
  loop a = copy x for _k < n do loop a for i < n - 1 do
    if a[i] > a[i + 1]
    then let t = a[i]
         let u = a[i + 1]
         in (a with [i] = u * 1.1) with [i + 1] = t * u
    else a)
entry two = over (\n (x: [n]f64) ->
  let (a, b) = loop (a, b) = (copy x, copy x) for k < n do loop (a, b) for i < n do
    if a[i] > b[k]
    then let c = a[i]
         in (a with [i] = c * 0.9, b with [k] = b[k] * 1.01 + c * c)
    else (a, b)
  in map2 (+) a b)
entry both = over (\n (x: [n]f64) ->
  loop a = copy x for k < n do loop a for i < n do
    if (i + k) % 3 == 0 then a with [i] = a[i] * a[k] else a with [k] = a[k] * 0.5 + a[i] * a[i])
entry nested = over (\n (x: [n]f64) ->
  loop a = copy x for _k < n do loop a for i < n do
    if i > 0
    then if a[i - 1] > a[i] then a with [i] = a[i] * 0.9 * a[i - 1]
         else if a[i] > 0.5 then a with [i - 1] = a[i] * a[i] else a
    else a)
entry chosen = over (\n (x: [n]f64) ->
  (loop (a, s) = (copy x, 0) for i < n do
     if a[i] > s then let c = a[i] in (a with [n - 1 - i] = c * s, s + c * c) else (a, s * 0.5)).0)
entry deep = over (\n (x: [n]f64) ->
  loop a = copy x for i < n do
    if i % 2 == 0
    then let v = a[i] * a[i]
         in if v > 0.1 then (if v > 0.5 then a with [i] = v * 0.3 else a with [0] = v + a[0]) else a
    else if a[i] < 0 then a with [i / 2] = a[i] * 2 * a[0] else a)
-- Nothing is known of the size where the branch is.
entry absent = over (\n (x: [n]f64) ->
  let a = copy x
  let a = if n > 2 then a with [1] = a[2] * a[0] else a
  in a)
entry computed = over (\n (x: [n]f64) ->
  let is = map (\i -> (i * 7 + 3) % n) (iota n)
  in loop a = copy x for i < n do
       let a = if a[i] > 0.2 then a with [is[i]] = a[i] * a[is[i]] else a
       in if a[0] > 0 then a with [is[n - 1 - i]] = f64.cos a[i] else a)
entry matrix = over (\n (x: [n]f64) ->
  let d = tabulate_2d n n (\i j -> x[i] * x[j] + f64.i64 i)
  let d = loop d for k < n do loop d for i < n do loop d for j < n do
    if d[i, k] + d[k, j] < d[i, j] then d with [i, j] = d[i, k] + d[k, j] * d[k, j] else d
  in map f64.sum d)
entry twice = over (\n (x: [n]f64) ->
  loop a = copy x for i < n do
    if a[i] > 0 then let b = a with [i] = a[i] * 2
                     in b with [0] = b[i] * b[i]
    else if i % 2 == 0 then a with [i] = 1 else a)
entry tagged = over (\n (x: [n]f64) ->
  loop a = copy x for i < n do
    match i % 3
    case 0 -> a with [i] = a[i] * a[0]
    case 1 -> a
    case _ -> (a with [0] = a[i]) with [i] = a[i] * 3)
