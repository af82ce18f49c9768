-- | Fitting a Kalman filter: the log-likelihood of noisy positions under a model of nearly constant
-- velocity, and its gradient in the logarithms of both noises and the initial state.  One vjp
-- through the filter's recursion replaces the sensitivity equations.

def matmul [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\row -> map (\column -> f64.sum (map2 (*) row column)) (transpose b)) a

def dt = 0.1f64

def transition = [[1, dt], [0, 1f64]]

-- | Of white noise of strength q in the acceleration.
def process_noise (q: f64) =
  [[q * dt ** 3 / 3, q * dt ** 2 / 2], [q * dt ** 2 / 2, q * dt]]

-- | Predict, compare with the measured position, correct.
def filter_step (q: f64) (r: f64) (x: [2]f64, p: [2][2]f64, loglik: f64) (y: f64) =
  let x = map (\row -> f64.sum (map2 (*) row x)) transition
  let p = map2 (map2 (+)) (matmul (matmul transition p) (transpose transition)) (process_noise q)
  let variance = p[0, 0] + r
  let error = y - x[0]
  let gain = [p[0, 0] / variance, p[1, 0] / variance]
  let x = map2 (\xi k -> xi + k * error) x gain
  let p = map2 (\k row -> map2 (\pij p0j -> pij - k * p0j) row p[0]) gain p
  in (x, p, loglik - 0.5 * (f64.log (2 * f64.pi * variance) + error * error / variance))

-- | theta: log q, log r, position, velocity.
def log_likelihood [n] (ys: [n]f64) (theta: [4]f64) : f64 =
  let start = ([theta[2], theta[3]], [[1, 0], [0, 1f64]], 0f64)
  let (_, _, loglik) =
    loop state = start for y in ys do filter_step (f64.exp theta[0]) (f64.exp theta[1]) state y
  in loglik

def measured (n: i64) =
  tabulate n (\i -> let t = dt * f64.i64 i in f64.sin t + 0.05 * f64.sin (17 * t * t))

def guess = [-1f64, -2, 0, 1]

-- ==
-- entry: value
-- input { 8i64 }
-- output { -2.2175368468365266f64 }
entry value (n: i64) : f64 = log_likelihood (measured n) guess

-- ==
-- entry: gradient
-- input { 8i64 }
-- output { [-0.055811144476896196f64, -3.099578992708377f64, -0.072227026337943465f64, -0.060278784273562647f64] }
entry gradient (n: i64) : [4]f64 = vjp (log_likelihood (measured n)) (copy guess) 1

-- | Uphill, with steps as long as the gradient allows.
-- ==
-- entry: climbs
-- input { 40i64 } output { true }
entry climbs (n: i64) : bool =
  let f = log_likelihood (measured n)
  let theta =
    loop theta = copy guess for _i < 50 do
      let g = vjp f theta 1
      let step = 0.2 / (1 + f64.sqrt (f64.sum (map (\x -> x * x) g)))
      in map2 (\t gi -> t + step * gi) theta g
  in f theta > f guess + 5
