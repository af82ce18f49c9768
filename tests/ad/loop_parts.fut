-- Loops over an array whose ranges are written and read separately: values as by maps, reverse mode
-- as forward mode.
-- ==
-- entry: gates_value
-- input { 3i64 [0.5,1.0,2.0,0.1,0.2,0.3,0.7,0.8,0.9,1.5,1.25,1.125] } output { true }
-- input { 0i64 [0.5] } output { true }
-- ==
-- entry: gates_gradient
-- input { 3i64 [0.5,1.0,2.0,0.1,0.2,0.3,0.7,0.8,0.9,1.5,1.25,1.125] } output { true }
-- ==
-- entry: points_gradient
-- input { [0.5,1.0,2.0,0.1,0.2,0.3,0.7,0.8,0.9,1.5] } output { true }
-- ==
-- entry: shifted_value
-- input { 1i64 [0.5,1.0,0.0,2.0,3.0,0.0,0.5] } output { [0.5,2.0,0.0,4.0,1.5,0.0,2.0] }
-- input { 1i64 [0.5] } output { [0.5] }
-- ==
-- entry: shifted_gradient
-- input { 1i64 [0.5,1.0,2.0,0.1,0.2,0.3,0.7,0.8,0.9,1.5] } output { true }
-- ==
-- entry: overlap
-- input { [1.0,2.0,3.0,4.0,5.0] } output { [1.0,2.0,4.0,8.0,16.0] }
-- ==
-- entry: outside
-- input { 3i64 [1.0,2.0,3.0,4.0,5.0] } error: Index \[5\] out of bounds for array of shape \[5\]
-- input { 2i64 [1.0,2.0,3.0,4.0,5.0] } output { [2.0,4.0,2.0,4.0,5.0] }

def gates [m] (n: i64) (a: [m]f64) : [m]f64 =
  loop a = copy a for i < n do
    let a[i] = f64.exp (a[3 * n + i] * a[n + i])
    let a[2 * n + i] = a[i] * f64.sin a[2 * n + i] + a[n + i]
    in a

def by_maps [m] (n: i64) (a: [m]f64) : []f64 =
  let part k = a[k * n:k * n + n] :> [n]f64
  let first = map2 (\x y -> f64.exp (x * y)) (part 3) (part 1)
  let third = map3 (\f x y -> f * f64.sin x + y) first (part 2) (part 1)
  in first ++ part 1 ++ third ++ a[3 * n:]

def near [m] (a: [m]f64) (b: [m]f64) : bool =
  and (map2 (\x y -> f64.abs (x - y) <= 1e-12 * (1 + f64.abs x)) a b)

entry gates_value [m] (n: i64) (a: [m]f64) : bool = near (gates n a) (by_maps n a :> [m]f64)

def by_forward [m] (f: [m]f64 -> f64) (a: [m]f64) : [m]f64 =
  tabulate m (\i -> jvp f a (tabulate m (\j -> f64.bool (i == j))))

entry gates_gradient [m] (n: i64) (a: [m]f64) : bool =
  let f b = f64.sum (map2 (*) a (gates n b))
  in near (vjp f a 1) (by_forward f a)

def points [m] (a: [m]f64) : [m]f64 =
  loop a = copy a for i < m / 3 do
    let a[3 * i] = a[3 * i] * a[3 * i + 2]
    let a[3 * i + 1] = a[3 * i] + f64.cos a[3 * i + 1]
    in a

entry points_gradient [m] (a: [m]f64) : bool =
  let f b = f64.sum (map (\x -> x * x) (points b))
  in near (vjp f a 1) (by_forward f a)

entry overlap [m] (a: [m]f64) : [m]f64 =
  loop a = copy a for i < m - 2 do
    let a[i] = a[i]
    let a[i + 2] = 2 * a[i + 1]
    in a

entry outside [m] (n: i64) (a: [m]f64) : [m]f64 =
  loop a = copy a for i < n do
    let a[i] = 2 * a[i]
    let a[i + n] = a[i]
    in a

def shifted [m] (off: i64) (a: [m]f64) : [m]f64 =
  loop a = copy a for i < (m - off) / 3 do
    let a[off + 3 * i] = a[off + 3 * i] * a[3 * i + 2 + off]
    let a[3 * i + 2 + off] = a[off + 3 * i] + f64.cos a[3 * i + 1 + off] * a[off + 3 * i + 2]
    in a

entry shifted_value [m] (off: i64) (a: [m]f64) : [m]f64 = shifted off a

entry shifted_gradient [m] (off: i64) (a: [m]f64) : bool =
  let f b = f64.sum (map (\x -> x * x) (shifted off b))
  in near (vjp f a 1) (by_forward f a)
