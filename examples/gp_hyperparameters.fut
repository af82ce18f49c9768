-- | Gaussian processes with lib/linalg: length scales for each input, amplitude and noise by L-BFGS
-- on the marginal likelihood through the Cholesky factorisation, then means and variances at new
-- points.
import "lib/ad"
import "lib/linalg"
import "lib/optim"
import "lib/random"
import "lib/stats"
module ad = mk_ad f64
module linalg = mk_linalg f64
module optim = mk_optim f64
module random = mk_random f64
module stats = mk_stats f64

-- | Logarithms of the amplitude, of the noise's deviation and of each input's length scale.
type parameters [d] = {amplitude: f64, noise: f64, lengths: [d]f64}

def kernel [d] (p: parameters [d]) (x: [d]f64) (y: [d]f64) : f64 =
  let r = map3 (\x y l -> (x - y) / f64.exp l) x y p.lengths
  in f64.exp (2 * p.amplitude - 0.5 * linalg.dot r r)

def gram [n] [d] (p: parameters [d]) (xs: [n][d]f64) : [n][n]f64 =
  let k = map (\x -> map (kernel p x) xs) xs
  in linalg.add k (linalg.scale (f64.exp (2 * p.noise)) (linalg.identity n))

-- | Minus the log marginal likelihood.
def objective [n] [d] (xs: [n][d]f64) (ys: [n]f64) (p: parameters [d]) : f64 =
  - stats.multivariate_normal_logpdf (replicate n 0) (linalg.cholesky (gram p xs)) ys

def to [d] (p: parameters [d]) : [2 + d]f64 = [p.amplitude, p.noise] ++ p.lengths
def from [d] (x: [2 + d]f64) : parameters [d] =
  {amplitude = x[0], noise = x[1], lengths = x[2:] :> [d]f64}

def fit [n] [d] (xs: [n][d]f64) (ys: [n]f64) =
  let start: parameters [d] = {amplitude = 0, noise = -1, lengths = replicate d 0}
  let o = optim.defaults with gradient = 1e-5 with iterations = 200
  in optim.on_record to from (optim.lbfgs o 10) (objective xs ys) start

-- | Mean and variance of the function at a new point.
def predict [n] [d] (p: parameters [d]) (xs: [n][d]f64) (ys: [n]f64) (x: [d]f64) : (f64, f64) =
  let l = linalg.cholesky (gram p xs)
  let k = map (kernel p x) xs
  let v = linalg.solve_lower l k
  in (linalg.dot v (linalg.solve_lower l ys), kernel p x x - linalg.dot v v)

-- | A function of the first of two inputs, seen with noise of 0.1.
def sample (n: i64) (key: random.key) : ([n][2]f64, [n]f64) =
  let (a, b) = random.split2 key
  let xs = random.several n (random.uniforms 2) a |> map (map (* 4))
  in (xs, map2 (\x z -> f64.sin (2 * x[0]) + 0.1 * z) xs (random.normals n b))

-- ==
-- entry: learns
-- input { 60i64 } output { true true true true }
entry learns (n: i64) : (bool, bool, bool, bool) =
  let (xs, ys) = sample n (random.key 1)
  let (p, r) = fit xs ys
  let at = map (\i -> [0.2 * f64.i64 (i + 1), 2]) (iota 18)
  let errors = map (\x -> let (m, v) = predict p xs ys x in (m - f64.sin (2 * x[0])) / f64.sqrt v) at
  in (r.reason == #gradient, f64.abs (f64.exp p.noise - 0.1) < 0.03,
      p.lengths[1] > p.lengths[0] + 1, all (\e -> f64.abs e < 4) errors)

-- | The gradient by both modes, and the Hessian times a vector against differences.
-- ==
-- entry: derivatives
-- input { 12i64 } output { true true }
entry derivatives (n: i64) : (bool, bool) =
  let (xs, ys) = sample n (random.key 2)
  let f x = objective xs ys (from x : parameters [2])
  let x = [0.1, -1, 0.2, 0.5] :> [2 + 2]f64
  let g = ad.grad f x
  let h = ad.jacobian_forward (\x -> [f x]) x
  let v = [1, -0.5, 0.3, 0.2] :> [2 + 2]f64
  let step s = map2 (\x v -> x + s * v) x v
  let d = map2 (\a b -> (a - b) / 2e-5) (ad.grad f (step 1e-5)) (ad.grad f (step (-1e-5)))
  let near t a b = optim.largest (map2 (-) a b) < t * optim.largest a
  in (near 1e-9 g h[0], near 1e-6 (ad.hvp f x v) d)
