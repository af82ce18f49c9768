-- What users of lib/ad write: a residual on a grid, its steady state as a function of what it
-- depends on, optimal control by collocation, calibration of a camera, small systems side by side,
-- numbers that are coupled by their sum.  Every entry: whether index expressions told, and whether sparse and dense
-- Jacobians, a Jacobian into a pattern, Hessians, and products of all of them with a vector agree.
-- ==
-- entry: grid
-- input { 3i64 4i64 } output { true true true true true }
-- ==
-- entry: control calibration blocks
-- input { 3i64 } output { true true true true true }
-- ==
-- entry: coupled
-- input { 5i64 } output { false true true true true }
-- ==
-- entry: steady_state
-- input { 3i64 3i64 0.5 } output { 33i64 true true true true }
import "lib/ad"
import "lib/ad/sparse"
module ad = mk_ad f64

def within (t: f64) (x: f64) (y: f64) = f64.abs (x - y) <= t * (1 + f64.abs x)
def near = within 1e-9
def nears [n] [m] (a: [n]f64) (b: [m]f64) = n == m && and (map2 near a (b :> [n]f64))
def dense [m1] [k] (n: i64) (offsets: [m1]i64, columns: [k]i64, values: [k]f64) : [][n]f64 =
  scatter_2d (replicate (m1 - 1) (replicate n 0)) (zip (csr_rows k offsets) columns) values
def matvec [n] [m] (a: [m][n]f64) (v: [n]f64) = map (\r -> f64.sum (map2 (*) r v)) a

-- Jacobian by blocks?, sparse = dense, given pattern = dense, Hessian of the squares = dense, products.
def check [n] [m] (f: [n]f64 -> [m]f64) (x: [n]f64) =
  let loss x = 0.5 * f64.sum (map (\r -> r * r) (f x))
  let v = tabulate n (\i -> f64.sin (f64.i64 i + 1))
  let j = ad.jacobian f x
  let h = ad.hessian loss x
  let [k] (o, c: [k]i64, e: [k]f64) = ad.sparse_jacobian f x
  let sparse = nears (flatten j) (flatten (dense n (o, c, e)))
  let given = nears e (ad.jacobian_in o c f x)
  let hs = nears (flatten h) (flatten (dense n (ad.sparse_hessian loss x)))
  let products = nears (matvec h v) (ad.hvp loss x v)
                 && nears (matvec (transpose j) (matvec j v)) (ad.gauss_newton f x v)
                 && nears (ad.gauss_newton f x v)
                          (ad.gauss_newton_loss f (\r -> 0.5 * f64.sum (map (\a -> a * a) r)) x v)
                 && nears (flatten j) (flatten (ad.jacobian_chunked 3 f x))
  in (ad.is_by_blocks f x, sparse, given, hs, products)


def residual (n: i64) (m: i64) (x: [n * m]f64) (p: (f64, [n * m]f64)) : [n * m]f64 =
  let u = unflatten x
  let at i j = if i < 0 || i >= n || j < 0 || j >= m then 0 else u[i, j]
  in map2 (-) (flatten (tabulate_2d n m (\i j ->
                 4 * u[i, j] - at (i - 1) j - at (i + 1) j - at i (j - 1) - at i (j + 1)
                 + p.0 * f64.exp u[i, j])))
              p.1

entry grid (n: i64) (m: i64) =
  check (\x -> residual n m x (1, replicate (n * m) 1)) (tabulate (n * m) (\i -> 0.1 * f64.i64 i))

-- Derivatives of the solution's energy by the equation: against differences, and by both modes.
entry steady_state (n: i64) (m: i64) (a: f64) =
  let load = tabulate (n * m) (\i -> f64.sin (f64.i64 i))
  let solve p = ad.newton_root (residual n m) (replicate (n * m) 0) p
  let energy p = f64.sum (map (\u -> u * u) (solve p))
  let g = ad.grad energy (a, load)
  let h = 1e-5
  let fd = (energy (a + h, load) - energy (a - h, load)) / (2 * h)
  let forward = jvp energy (a, load) (1, replicate (n * m) 0)
  let second = ad.hvp energy (a, load) (1, replicate (n * m) 0)
  let fd2 = ((ad.grad energy (a + h, load)).0 - (ad.grad energy (a - h, load)).0) / (2 * h)
  let f x = residual n m x (a, load)
  in (length (ad.sparse_jacobian f (solve (a, load))).1, ad.is_by_blocks f load,
      within 1e-6 g.0 fd, within 1e-9 g.0 forward, within 1e-5 second.0 fd2)

-- Position, speed and force at n nodes, trapezoidal rule.
def defects (n: i64) (x: [n * 3]f64) : [(n - 1) * 2]f64 =
  let z = unflatten x
  let rhs (s: [3]f64) = (s[1], s[2] - f64.sin s[0])
  in flatten (tabulate (n - 1) (\i ->
       let (a, b) = (rhs z[i], rhs z[i + 1])
       in [z[i + 1, 0] - z[i, 0] - 0.05 * (a.0 + b.0), z[i + 1, 1] - z[i, 1] - 0.05 * (a.1 + b.1)]))
entry control (n: i64) = check (defects n) (tabulate (n * 3) (\i -> 0.1 * f64.i64 i))

-- Focal length, centre and distortion of all views; angle and shift of each; three points.
def calib (views: i64) (x: [4 + 4 * views]f64) : [views * 3 * 2]f64 =
  let pts = [[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]]
  let poses = unflatten (x[4:] :> [views * 4]f64)
  in flatten (flatten (map (\q -> map (\p ->
        let (c, s) = (f64.cos q[0], f64.sin q[0])
        let (a, b) = (c * p[0] - s * p[1] + q[1], s * p[0] + c * p[1] + q[2])
        let (u, v) = (a / q[3], b / q[3])
        let r = 1 + x[3] * (u * u + v * v)
        in [x[0] * u * r + x[1] - 0.5, x[0] * v * r + x[2] - 0.25]) pts) poses)) :> [views * 3 * 2]f64
entry calibration (views: i64) = check (calib views) (tabulate (4 + 4 * views) (\i -> 1 + 0.1 * f64.i64 i))

entry coupled (n: i64) =
  check (\(x: [n]f64) -> let s = f64.sum x in map (\a -> a * a + 0.1 * s) x) (tabulate n f64.i64)

def fit (k: i64) (a: [k][3][3]f64) (x: [k * 3]f64) : [k * 3]f64 =
  let b = unflatten x
  in flatten (map2 (\m v -> map (\row -> f64.exp (0.1 * f64.sum (map2 (*) row v)) - 1) m) a b)
entry blocks (k: i64) =
  check (fit k (tabulate_3d k 3 3 (\i j l -> f64.cos (f64.i64 (i + 2 * j + 5 * l)))))
        (tabulate (k * 3) (\i -> 0.2 * f64.i64 i))

-- A local function that is large, so it is made once: the size of f's results is a name it does not mention.
-- ==
-- entry: captured_size
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] } output { [588.0, 22512.0] [882.0, 33768.0] [2352.0, 90048.0] }
entry captured_size [k] [n] (xs: [k][n]f64) =
  let f (a: f64) (x: [n]f64) : [n]f64 = map3 (\l c r -> a * l * c * r) (rotate (-1) x) x (rotate 1 x)
  let norm a x = let (_, _, v) = ad.sparse_jacobian (f a) x in f64.sum (map (\v -> v * v) v)
  in (map (norm 2) xs, map (norm (f64.sqrt 6)) xs, map (\x -> jvp (norm 2) x x) xs)
