-- Arrays updated in place whose rows, chosen by branches, are read as views or copied: elimination
-- with pivots, and two arrays of which a branch gives a row each.  Forward and reverse mode agree with
-- each other and with differences; second derivatives in all orders.

def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)
def near (tolerance: f64) (a: f64) (b: f64) = f64.abs (a - b) <= tolerance * (1 + f64.abs a)

def difference [n] (f: [n]f64 -> f64) (xs: [n]f64) (d: [n]f64) : f64 =
  let at h = f (map2 (\x y -> x + h * y) xs d)
  let h = 1e-4
  in (8 * (at h - at (-h)) - (at (2 * h) - at (-2 * h))) / (12 * h)

def agree [n] (f: [n]f64 -> f64) (xs: [n]f64) : bool =
  let d = map (\i -> f64.cos (f64.i64 i)) (iota n)
  let e = map (\i -> f64.sin (f64.i64 (i + 1))) (iota n)
  let gradient = \ys -> vjp f ys 1
  let tangent = jvp f xs d
  let second = dot (vjp (\ys -> jvp f ys d) xs 1) e
  in near 1e-9 (dot (gradient xs) d) tangent && near 1e-6 (difference f xs d) tangent
    && near 1e-9 second (dot (jvp gradient xs e) d)
    && near 1e-9 second (dot (vjp (\ys -> dot (gradient ys) d) xs 1) e)
    && near 1e-9 second (jvp (\ys -> jvp f ys d) xs e)

-- log |det a| and the sum of the solution of a x = xs[:m], rows swapped by pivot.
def elimination [n] (m: i64) (xs: [n]f64) : f64 =
  let a = map (map (\x -> f64.sin (11 * x))) (unflatten (xs :> [m * m]f64))
  let (a, logs) = loop (a, logs) = (copy a, 0) for k < m do
    let (p, _) = loop (p, best) = (k, f64.abs a[k, k]) for i in k + 1..<m do
      if f64.abs a[i, k] > best then (i, f64.abs a[i, k]) else (p, best)
    let row = copy a[k]
    let other = copy a[p]
    let a[k] = other
    let a[p] = if p == k then copy a[k] else row
    let a = loop a for i in k + 1..<m do
      let l = a[i, k] / a[k, k]
      let a[i, k] = l
      in loop a for j in k + 1..<m do a with [i, j] = a[i, j] - l * a[k, j]
    in (a, logs + f64.log (f64.abs a[k, k]))
  let x = loop x = copy xs[:m] for i < m do
    loop x for j < i do x with [i] = x[i] - a[i, j] * x[j]
  let x = loop x for i in m - 1..m - 2...0 do
    let x = loop x for j in i + 1..<m do x with [i] = x[i] - a[i, j] * x[j]
    in x with [i] = x[i] / a[i, i]
  in logs + f64.sum x

-- Row p is divided by the copy of one or the other row.
def chosen [n] (xs: [n]f64) : f64 =
  let a = tabulate_2d n n (\i j -> xs[i] * xs[j] + 0.1)
  let a = loop a for k < n do
    let first = copy a[0]
    let a[k] = if xs[k] > 0.6 then copy a[k] else first
    in a with [k, k] = a[k, k] / a[0, k]
  in f64.sum (map f64.product a)

-- r is a view of a, s one of b; one is updated while the other is still read.
def both [n] (xs: [n]f64) : f64 =
  let a = tabulate_2d n n (\i j -> f64.sin (xs[i] + f64.i64 j))
  let b = tabulate_2d n n (\i j -> f64.cos (xs[j] * f64.i64 (i + 1)))
  let (a, b) = loop (a, b) for k < n - 1 do
    let (r, s) = if xs[k] > 0.5 then (a[0], b[k]) else (a[k], b[1])
    let q = r[k] * s[k] * s[0]
    let a[k, 1] = q
    let z = s[0] * s[k] * q
    let b[k + 1, 0] = z * z
    in (a, b with [0, k] = z * q)
  in f64.sum (map f64.sum a) + f64.sum (map f64.product b)

def data (n: i64) = map (\i -> 0.3 + 0.1 * f64.i64 (i * i %% 7) + 0.013 * f64.i64 i) (iota n)

-- ==
-- entry: elimination_agrees chosen_agrees both_agrees
-- input { 3i64 } output { true }
-- input { 2i64 } output { true }
entry elimination_agrees (m: i64) = agree (elimination m) (data (m * m))
entry chosen_agrees (n: i64) = agree chosen (data n)
entry both_agrees (n: i64) = agree both (data (2 * n))
