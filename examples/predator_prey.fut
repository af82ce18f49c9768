-- | Parameters of the equations of Lotka and Volterra from noisy counts of both species: adaptive
-- steps with dense output at the times of observation, least squares by Levenberg and Marquardt
-- with the Jacobian through the integrator, and standard errors from it.
import "lib/ad"
import "lib/linalg"
import "lib/ode"
import "lib/optim"
import "lib/random"
import "lib/stats"
module ad = mk_ad f64
module linalg = mk_linalg f64
module ode = mk_ode f64
module optim = mk_optim f64
module random = mk_random f64
module stats = mk_stats f64

-- | Prey grow at rate a and are eaten at rate b; predators starve at rate c and grow at rate d.
def rates (p: [6]f64) (_: f64) (y: [2]f64) : [2]f64 =
  let (a, b, c, d) = (p[0], p[1], p[2], p[3])
  in [a * y[0] - b * y[0] * y[1], d * y[0] * y[1] - c * y[1]]

-- | Both species at the times; p ends with the first state, which is that of times[0].
def course [m] (times: [m]f64) (p: [6]f64) : [m][2]f64 =
  (ode.dopri5_at (ode.ode_defaults with relative = 1e-8 with absolute = 1e-8)
                 (rates p) times [p[4], p[5]]).0

def truth = [1.1, 0.4, 0.4, 0.1, 10, 5f64]

def observe [m] (times: [m]f64) (noise: f64) (key: random.key) : [m][2]f64 =
  map2 (\y k -> map2 (\y z -> y * f64.exp (noise * z)) y (random.normals 2 k))
       (course times truth) (random.split m key)

-- | Logarithms of parameters are fitted to logarithms of counts.
def residual [m] (times: [m]f64) (seen: [m][2]f64) (q: [6]f64) : [m * 2]f64 =
  flatten (map2 (map2 (\a b -> f64.log a - f64.log b)) (course times (map f64.exp q)) seen)

-- | Parameters, their relative standard errors, and why the fit ended.
def fit [m] (times: [m]f64) (seen: [m][2]f64) (start: [6]f64) =
  let r = optim.levenberg_marquardt (optim.defaults with step = 1e-9)
            (residual times seen) (map f64.log start)
  let j = ad.jacobian (residual times seen) r.x
  let variance = 2 * r.value / f64.i64 (m * 2 - 6)
  let covariance = linalg.inverse (linalg.matmul (transpose j) j)
  in (map f64.exp r.x, map (\v -> f64.sqrt (variance * v)) (linalg.diagonal_of covariance), r.reason)

-- ==
-- entry: recovered
-- input { 40i64 } output { true true true }
entry recovered (m: i64) : (bool, bool, bool) =
  let times = map (\i -> 0.5 * f64.i64 i) (iota m)
  let seen = observe times 0.05 (random.key 1)
  let (p, errors, reason) = fit times seen [1, 0.3, 0.5, 0.15, 8, 6]
  -- At the minimum rounding decides whether the gradient is small first, or no step improves.
  in (reason == #gradient || reason == #step || reason == #line_search,
      and (map3 (\p t e -> f64.abs (f64.log (p / t)) < 4 * e) p truth errors),
      all (\e -> e > 0.001 && e < 0.05) errors)

-- | The gradient of the misfit: reverse mode through all steps against forward mode.
-- ==
-- entry: adjoint
-- input { 20i64 } output { true }
entry adjoint (m: i64) : bool =
  let times = map (\i -> 0.5 * f64.i64 i) (iota m)
  let seen = observe times 0.05 (random.key 1)
  let misfit q = stats.mean (map (\r -> r * r) (residual times seen q))
  let q = map f64.log [1, 0.3, 0.5, 0.15, 8, 6]
  let g = ad.grad misfit q
  let h = ad.jacobian_forward (\q -> [misfit q]) q
  in optim.largest (map2 (-) g h[0]) < 1e-9 * optim.largest g
