-- | Bayesian logistic regression, in two ways: Laplace's approximation (the mode by Newton's
-- method, the covariance from the Hessian there) and stochastic variational inference (a normal
-- distribution with independent weights, by gradient ascent on the evidence bound with
-- reparametrised samples).
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

type data [n] [d] = {x: [n][d]f64, y: [n]f64}

-- | n rows of a constant and d - 1 normal features; labels by the weights.
def simulate [d] (n: i64) (weights: [d]f64) (key: random.key) : data [n] [d] =
  let (a, b) = random.split2 key
  let row k = random.normals d k with [0] = 1
  let x = random.several n row a
  let label i r = f64.bool (random.bernoulli (1 / (1 + f64.exp (- linalg.dot r weights)))
                                             (random.fold_in b i))
  in {x, y = map2 label (iota n) x}

-- | The log-density of weights and labels, with a normal prior of variance 10.
def log_joint [n] [d] (data: data [n] [d]) (w: [d]f64) : f64 =
  let loss = f64.sum (map2 stats.logistic_loss (linalg.matvec data.x w) data.y)
  in f64.sum (map (stats.normal_logpdf 0 (f64.sqrt 10)) w) - loss

-- | The mode, standard deviations around it, and the logarithm of the evidence by Laplace.
def laplace [n] [d] (data: data [n] [d]) : ([d]f64, [d]f64, f64) =
  let f w = - log_joint data w
  let r = optim.newton optim.defaults f (replicate d 0)
  let l = linalg.cholesky (ad.hessian f r.x)
  let covariance = linalg.cholesky_solve_matrix l (linalg.identity d)
  let evidence = -r.value + 0.5 * f64.i64 d * f64.log (2 * f64.pi) - 0.5 * linalg.cholesky_logdet l
  in (r.x, map f64.sqrt (linalg.diagonal_of covariance), evidence)

-- | The bound on the log-evidence under means and log-deviations, from samples with fixed noise.
def bound [n] [d] [s] (data: data [n] [d]) (noise: [s][d]f64) (q: {mean: [d]f64, log_sd: [d]f64})
    : f64 =
  let sample z = map3 (\m l z -> m + f64.exp l * z) q.mean q.log_sd z
  let entropy = f64.sum q.log_sd + 0.5 * f64.i64 d * (1 + f64.log (2 * f64.pi))
  in stats.mean (map (\z -> log_joint data (sample z)) noise) + entropy

-- | Means, deviations and bound after gradient ascent with new noise of 8 samples for each step.
def variational [n] [d] (data: data [n] [d]) (steps: i64) (key: random.key) : ([d]f64, [d]f64, f64) =
  let start = {mean = replicate d 0, log_sd = replicate d (-1)}
  let q = loop q = start for i < steps do
            let noise = random.several 8 (random.normals d) (random.fold_in key i)
            let g = ad.grad (bound data noise) q
            let rate = 0.5 / (f64.i64 n) * (1 - f64.i64 i / f64.i64 steps)
            let up = map2 (\x g -> x + rate * g)
            in {mean = up q.mean g.mean, log_sd = up q.log_sd g.log_sd}
  let noise = random.several 200 (random.normals d) (random.fold_in key steps)
  in (q.mean, map f64.exp q.log_sd, bound data noise q)

def truth = [0.5, -1, 2f64]

-- ==
-- entry: agrees
-- input { 300i64 } output { true true true true }
entry agrees (n: i64) : (bool, bool, bool, bool) =
  let data = simulate n truth (random.key 1)
  let (m, s, evidence) = laplace data
  let (vm, vs, lower) = variational data 600 (random.key 2)
  let within k a b s = and (map3 (\a b s -> f64.abs (a - b) < k * s) a b s)
  in (within 3 m truth s, within 0.5 vm m s, and (map2 (\a b -> a < 1.2 * b && a > 0.5 * b) vs s),
      lower < evidence + 0.2 && lower > evidence - 2)

-- | The gradient of the log-joint at the mode is zero, and forward mode agrees with reverse mode.
-- ==
-- entry: stationary
-- input { 50i64 } output { true true }
entry stationary (n: i64) : (bool, bool) =
  let data = simulate n truth (random.key 3)
  let (m, _, _) = laplace data
  let f = log_joint data
  let g = ad.grad f truth
  in (optim.largest (ad.grad f m) < 1e-6,
      f64.abs (jvp f truth truth - linalg.dot g truth) < 1e-9 * (1 + f64.abs (linalg.dot g truth)))
