-- Larger programs, judged by <u, jvp f x v> = <vjp f x u, v>, and by Hessians from two nestings.
-- ==
-- entry: lstm
-- input { 3i64 4i64 } output { true }
-- ==
-- entry: clusters
-- input { 6i64 3i64 } output { true }
-- ==
-- entry: descent
-- input { 1.5 2.0 } output { true }
-- ==
-- entry: midpoint
-- input { 20i64 } output { true }
-- ==
-- entry: determinant
-- input { 4i64 } output { true }
-- ==
-- entry: tridiagonal
-- input { 5i64 } output { true }
-- ==
-- entry: triangle
-- input { 4i64 } output { true }

def near (a: f64) (b: f64) = f64.abs (a - b) <= 1e-9 * f64.max 1 (f64.max (f64.abs a) (f64.abs b))
def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)
def some (n: i64) (seed: f64) : [n]f64 = tabulate n (\i -> f64.sin (seed + 1.7 * f64.i64 i))

def agree [n] [m] (f: [n]f64 -> [m]f64) (x: [n]f64) =
  let v = some n 0.3
  let u = some m 0.9
  in near (dot u (jvp f x v)) (dot (vjp f x u) v)

-- | jvp of vjp and vjp of vjp give the same Hessian times vector.
def agree_twice [n] (f: [n]f64 -> f64) (x: [n]f64) =
  let v = some n 0.3
  let g y = vjp f y 1
  let a = jvp g x v
  let b = vjp g x v
  let c = map (\i -> jvp (\y -> jvp f y v) x (tabulate n (\j -> f64.bool (i == j)))) (iota n)
  in and (map2 near a b) && and (map2 near a c)

def sigmoid (x: f64) = 1 / (1 + f64.exp (-x))

-- A recurrent cell run over a sequence; weights and inputs come from one vector.
def lstm_loss (steps: i64) (d: i64) (p: []f64) : f64 =
  let w k = unflatten (take (d * d) (drop (k * d * d) p) :> [d * d]f64)
  let matvec (m: [d][d]f64) (x: [d]f64) : [d]f64 = map (dot x) m
  let (_, _, loss) =
    loop (h, c, loss) = (replicate d 0.1, replicate d 0.2, 0) for t < steps do
      let x = tabulate d (\i -> f64.cos (f64.i64 (t * d + i)))
      let forget = map sigmoid (map2 (+) (matvec (w 0) x) h)
      let input = map sigmoid (map2 (+) (matvec (w 1) x) (matvec (w 2) h))
      let change = map f64.tanh (matvec (w 3) (map2 (+) x h))
      let c = map2 (+) (map2 (*) forget c) (map2 (*) input change)
      let h = map2 (*) input (map f64.tanh c)
      in (h, c, loss + f64.log (f64.sum (map f64.exp h)))
  in loss
entry lstm (steps: i64) (d: i64) =
  let n = 4 * d * d
  in agree_twice (lstm_loss steps d) (some n 0.1)

-- Sum of squared distances to the nearest of k centres.
def clusters_cost (points: [][2]f64) (k: i64) (flat: []f64) : f64 =
  let centres = unflatten (flat :> [k * 2]f64)
  let square (x: f64) = x * x
  in f64.sum (map (\p -> f64.minimum (map (\c -> f64.sum (map square (map2 (-) p c))) centres))
                  points)
entry clusters (n: i64) (k: i64) =
  let points = unflatten (some (n * 2) 0.5)
  in agree_twice (clusters_cost points k) (some (k * 2) 2.5)

-- Gradient descent until the gradient is small, differentiated as a whole.
def lowest (a: f64) (b: f64) : f64 =
  let f x = (x - a) * (x - a) + 0.1 * b * f64.exp x
  let (x, _, _) =
    loop (x, g, i) = (0, vjp f 0 1, 0i32) while f64.abs g > 1e-3 && i < 200 do
      let x = x - 0.1 * g in (x, vjp f x 1, i + 1)
  in x
entry descent (a: f64) (b: f64) =
  let fwd = jvp (\(a, b) -> lowest a b) (a, b) (0.3, -0.7)
  let (da, db) = vjp (\(a, b) -> lowest a b) (a, b) 1
  in near fwd (0.3 * da - 0.7 * db)

-- An integrator with state in an array that is rebuilt in every step.
entry midpoint (n: i64) =
  agree (\(p: [3]f64) ->
           let slope (y: [2]f64) = [p[0] * y[0] - p[1] * y[0] * y[1], y[0] * y[1] - p[2] * y[1]]
           let step (y: [2]f64) = map2 (\a s -> a + 0.01 * s) y
                                       (slope (map2 (\a s -> a + 0.005 * s) y (slope y)))
           in loop y = [1.0, 0.7] for _i < n do step y)
        [1.1, 0.4, 0.9]

-- Elimination in place.
entry determinant (n: i64) =
  let lu (a: *[n][n]f64) : *[n][n]f64 =
    loop a for k < n do
      loop a for i0 < n - k - 1 do
        let i = i0 + k + 1
        let l = a[i, k] / a[k, k]
        let a = a with [i, k] = l
        in loop a for j0 < n - k - 1 do
             let j = j0 + k + 1
             in a with [i, j] = a[i, j] - l * a[k, j]
  let det (flat: [n * n]f64) =
    let a = lu (copy (unflatten flat))
    in f64.product (map (\i -> a[i, i]) (iota n))
  in agree_twice det (map2 (+) (some (n * n) 0.2)
                               (flatten (tabulate_2d n n (\i j -> 3 * f64.bool (i == j)))))

-- The same array is read, overwritten and read again; two arrays at once.
entry tridiagonal (n: i64) =
  agree (\(x: [2 * n]f64) ->
           let (b, y) =
             loop (b, y) = (copy (take n x), copy (drop n x :> [n]f64)) for i < n - 1 do
               let w = 0.3 / b[i]
               in (b with [i + 1] = b[i + 1] - w * 0.3, y with [i + 1] = y[i + 1] - w * y[i])
           let y = loop y for k < n - 1 do
                     let i = n - 2 - k in y with [i] = (y[i] - 0.3 * y[i + 1]) / b[i]
           in map2 (*) b y)
        (map (+ 3) (some (2 * n) 0.6))

-- A table filled in place from its own entries.
entry triangle (n: i64) =
  agree_twice (\(x: [n]f64) ->
                 let t = replicate (n + 1) (replicate (n + 1) 1f64)
                 let t = loop t for i < n do
                           loop t for j < n do
                             let up = t[i, j + 1]
                             let left = t[i + 1, j]
                             in t with [i + 1, j + 1] =
                                  if i == j then up * left * x[i] else up + f64.sin (left * x[j])
                 in t[n, n])
              (some n 0.8)
