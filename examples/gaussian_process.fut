-- | Gaussian process regression: the negative log marginal likelihood by a Cholesky factorisation, its
-- gradient in the logarithms of length, amplitude and noise by reverse mode through the
-- factorisation, and a fit by gradient descent.

def cholesky [n] (a: [n][n]f64) : [n][n]f64 =
  loop l = replicate n (replicate n 0f64)
  for j < n do
    let dot i = f64.sum (map (\k -> l[i, k] * l[j, k]) (iota j))
    let d = f64.sqrt (a[j, j] - dot j)
    let column = tabulate n (\i -> if i < j then 0 else if i == j then d else (a[i, j] - dot i) / d)
    in tabulate_2d n n (\i k -> if k == j then column[i] else l[i, k])

-- | z with l z = b.
def forward_substitution [n] (l: [n][n]f64) (b: [n]f64) : [n]f64 =
  loop z = replicate n 0f64
  for i < n do
    let known = f64.sum (map (\k -> l[i, k] * z[k]) (iota i))
    in z with [i] = (b[i] - known) / l[i, i]

def kernel (theta: [3]f64) (x: f64) (y: f64) : f64 =
  f64.exp (theta[1] - 0.5 * ((x - y) / f64.exp theta[0]) ** 2)

-- | 1/2 y^T K^-1 y + 1/2 log |K|.
def objective [n] (xs: [n]f64) (ys: [n]f64) (theta: [3]f64) : f64 =
  let noise i j = if i == j then f64.exp theta[2] else 0
  let l = cholesky (tabulate_2d n n (\i j -> kernel theta xs[i] xs[j] + noise i j))
  let z = forward_substitution l ys
  in 0.5 * f64.sum (map (\x -> x * x) z) + f64.sum (map (\i -> f64.log l[i, i]) (iota n))

def places (n: i64) = tabulate n (\i -> 0.3 * f64.i64 i)

def values (n: i64) = map (\x -> f64.sin x + 0.1 * f64.cos (11 * x * x)) (places n)

def guess = [0.1f64, 0.2, -2]

-- ==
-- entry: value
-- input { 6i64 }
-- output { -2.2091904396298414f64 }
entry value (n: i64) : f64 = objective (places n) (values n) guess

-- ==
-- entry: gradient
-- input { 6i64 }
-- output { [-1.0895076896239562f64, 0.7589697547897658f64, 1.7557693349431331f64] }
entry gradient (n: i64) : [3]f64 = vjp (objective (places n) (values n)) (copy guess) 1

-- | Forward mode, one parameter after the other, finds the same.
-- ==
-- entry: agrees
-- input { 12i64 } output { true }
entry agrees (n: i64) : bool =
  let f = objective (places n) (values n)
  let forward = tabulate 3 (\i -> jvp f guess (tabulate 3 (\j -> f64.bool (i == j))))
  in and (map2 (\a b -> f64.abs (a - b) < 1e-9 * (1 + f64.abs a)) forward (vjp f guess 1))

-- ==
-- entry: fits
-- input { 12i64 } output { true }
entry fits (n: i64) : bool =
  let f = objective (places n) (values n)
  let theta = loop theta = copy guess for _i < 40 do map2 (\t g -> t - 0.02 * g) theta (vjp f theta 1)
  in f theta < f guess - 0.3
