-- Continuous distributions: functions of a key and of parameters in which they are differentiated,
-- by the path of the number (its reparametrisation).
import "counter"
import "../special"

-- | Continuous distributions, over one type of floats.
module mk_continuous (R: float) = {
  local module S = mk_special R
  local def one = R.i64 1
  local def half = R.f64 0.5

  -- The upper bits of a word as a number in the open interval (0, 1): two to the width of the
  -- mantissa, less one bit, different ones, symmetric about 1/2.
  local def fraction_bits : i64 =
    if R.num_bits == 64 then 52 else if R.num_bits == 32 then 23 else 10
  local def open_unit (b: u64) : R.t =
    let top = b >> u64.i64 (64 - fraction_bits)
    let scale = R.f64 (2.0 ** - (f64.i64 fraction_bits))
    in R.((u64 top + half) * scale)

  -- | The number i of a stream, uniform in the open interval (0, 1).
  --
  --     random.uniform_at (random.key 1) 0 < 1 --> true
  def uniform_at (k: key) (i: i64) : R.t = open_unit (bits k i)

  -- | Uniform in the open interval (0, 1).
  --
  --     random.uniform (random.key 1) > 0 --> true
  def uniform (k: key) : R.t = uniform_at k 0

  -- | [n]: uniform in the open interval (0, 1).
  --
  --     length (random.uniforms 3 (random.key 1)) --> 3i64
  def uniforms (n: i64) (k: key) : [n]R.t = tabulate n (uniform_at k)

  -- | Uniform between lo and hi.
  --
  --     random.uniform_in 2 3 (random.key 1) > 2 --> true
  def uniform_in (lo: R.t) (hi: R.t) (k: key) : R.t = R.(lo + (hi - lo) * uniform k)

  -- | Normal with mean 0 and variance 1, by the inverse of its distribution function (lib/special).
  --
  --     f64.abs (random.standard_normal (random.key 1)) < 9 --> true
  def standard_normal (k: key) : R.t = S.ndtri (uniform k)

  -- | [n]: normal with mean 0 and variance 1.
  --
  --     length (random.normals 3 (random.key 1)) --> 3i64
  def normals (n: i64) (k: key) : [n]R.t = map S.ndtri (uniforms n k)

  -- | Normal with this mean and standard deviation.
  --
  --     random.normal 1 0 (random.key 1) --> 1.0
  def normal (mean: R.t) (deviation: R.t) (k: key) : R.t =
    R.(mean + deviation * standard_normal k)

  -- | exp of a normal number.
  --
  --     random.lognormal 0 1 (random.key 1) > 0 --> true
  def lognormal (mean: R.t) (deviation: R.t) (k: key) : R.t = R.exp (normal mean deviation k)

  -- | [n], [n][n] -> [n]: normal with this mean and the covariance l l^T.
  --
  --     random.multivariate_normal [1.0] [[0.0]] (random.key 1) --> [1.0]
  def multivariate_normal [n] (mean: [n]R.t) (l: [n][n]R.t) (k: key) : [n]R.t =
    let z = normals n k
    in map2 (\m row -> R.(m + sum (map2 (*) row z))) mean l

  -- | Exponential, of mean 1 / rate.
  --
  --     random.exponential 2 (random.key 1) > 0 --> true
  def exponential (rate: R.t) (k: key) : R.t = R.(neg (log (uniform k)) / rate)

  -- | Gumbel's extreme value distribution of location 0 and scale 1.
  --
  --     f64.isnan (random.gumbel (random.key 1)) --> false
  def gumbel (k: key) : R.t = R.(neg (log (neg (log (uniform k)))))

  -- | Logistic, location 0 and scale 1.
  --
  --     f64.isnan (random.logistic (random.key 1)) --> false
  def logistic (k: key) : R.t = S.logit (uniform k)

  -- | Laplace's distribution of location 0 and scale 1.
  --
  --     f64.isnan (random.laplace (random.key 1)) --> false
  def laplace (k: key) : R.t =
    let u = uniform k
    in if R.(u < half) then R.(log (u + u)) else R.(neg (log (i64 2 - u - u)))

  -- | Cauchy's distribution of location 0 and scale 1.
  --
  --     f64.isnan (random.cauchy (random.key 1)) --> false
  def cauchy (k: key) : R.t = R.(tanpi (uniform k - half))

  -- | Weibull's distribution of this shape and scale.
  --
  --     random.weibull 2 1 (random.key 1) > 0 --> true
  def weibull (shape: R.t) (scale: R.t) (k: key) : R.t =
    R.(scale * exp (log (neg (log (uniform k))) / shape))

  -- Marsaglia and Tsang 2000, for a >= 1.
  local def marsaglia (k: key) (a: R.t) : R.t =
    let d = R.(a - one / i64 3)
    let c = R.(one / sqrt (i64 9 * d))
    let try i = let x = S.ndtri (uniform_at k (2 * i))
                let v = R.(one + c * x)
                in (x, R.(v * v * v), uniform_at k (2 * i + 1))
    let rejected (x, v, u) =
      R.(v <= i64 0) || R.(log u >= half * x * x + d - d * v + d * log v)
    let ((_, v, _), _) =
      loop (t, i) = (try 0, 1i64) while rejected t && i < 1000 do (try i, i + 1)
    in R.(d * v)

  -- | By how much a gamma number z of shape a moves with a when its probability stays: the implicit
  -- derivative - (dP / da) / (dP / dz) of Figurnov, Mohamed and Mnih 2018.
  --
  --     random.gamma_slope 1.0 0.6931471805599453 --> 0.9680448
  def gamma_slope (a: R.t) (z: R.t) : R.t =
    R.(neg (jvp (\a -> S.gamma_p a z) a one) / S.gamma_density a z)

  -- | The logarithm of a gamma number of shape a > 0 and scale 1: exact also where a is so small
  -- that the number itself is 0.
  --
  --     random.log_gamma 1e-4 (random.key 1) < 0 --> true
  def log_gamma (a: R.t) (k: key) : R.t =
    let (shape, extra) = if R.(a < one) then (R.(a + one), R.(log (uniform (fold_in k 1)) / a))
                         else (a, R.i64 0)
    let z = with_vjp (marsaglia (fold_in k 0)) (\z g -> R.(g * gamma_slope shape z)) shape
    in R.(log z + extra)

  -- | Gamma, of shape a > 0 and scale 1; differentiable in a.
  --
  --     random.gamma 2 (random.key 1) > 0 --> true
  def gamma (a: R.t) (k: key) : R.t = R.exp (log_gamma a k)

  -- | Chi-squared, of nu degrees of freedom.
  --
  --     random.chi_squared 3 (random.key 1) > 0 --> true
  def chi_squared (nu: R.t) (k: key) : R.t =
    let z = gamma R.(half * nu) k in R.(z + z)

  -- | Student's distribution of nu degrees of freedom.
  --
  --     f64.isnan (random.student_t 3 (random.key 1)) --> false
  def student_t (nu: R.t) (k: key) : R.t =
    let (a, b) = split2 k
    in R.(standard_normal a * sqrt (nu / chi_squared nu b))

  -- | Beta, of shapes a, b > 0; differentiable in both.
  --
  --     random.beta 2 3 (random.key 1) < 1 --> true
  def beta (a: R.t) (b: R.t) (k: key) : R.t =
    let (i, j) = split2 k
    in S.expit R.(log_gamma a i - log_gamma b j)

  -- | [n] -> [n]: Dirichlet, of concentrations > 0; differentiable in them.
  --
  --     f64.sum (random.dirichlet [1.0, 2.0, 3.0] (random.key 1)) --> 1.0
  def dirichlet [n] (alpha: [n]R.t) (k: key) : [n]R.t =
    S.softmax (map2 (\a i -> log_gamma a (fold_in k i)) alpha (iota n))

  -- | [n] -> [n]: the differentiable neighbour of `categorical` (Jang, Gu and Poole; Maddison, Mnih
  -- and Teh, 2017): weights that sum to 1, near one of the unit vectors for small temperatures.
  --
  --     f64.sum (random.gumbel_softmax 0.5 [1.0, 2.0] (random.key 1)) --> 1.0
  def gumbel_softmax [n] (temperature: R.t) (logits: [n]R.t) (k: key) : [n]R.t =
    S.softmax (map2 (\l i -> R.((l + gumbel (fold_in k i)) / temperature)) logits (iota n))
}
