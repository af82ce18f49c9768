-- Distributions: logarithms of densities and probabilities, distribution functions, quantiles.
--
-- Parameters come first, the number last.  Outside its support a density's logarithm is -inf and
-- its derivative 0; parameters outside their range give NaN.
--
--     import "lib/stats"
--     module stats = mk_stats f64
import "../special"
import "../linalg/triangular"

-- | Densities and distribution functions, over one type of floats.
module mk_densities (R: float) = {
  local module S = mk_special R
  local module L = mk_triangular R
  local def zero = R.i64 0
  local def one = R.i64 1
  local def two = R.i64 2
  local def half = R.f64 0.5
  local def half_log_2pi = R.f64 0.9189385332046728
  local def inside (yes: bool) (x: R.t) : R.t = if yes then x else R.lowest

  -- | mean, standard deviation, x.
  --
  --     stats.normal_logpdf 0 1 0 --> -0.9189385332046728
  def normal_logpdf (mean: R.t) (deviation: R.t) (x: R.t) : R.t =
    let z = R.((x - mean) / deviation) in R.(neg (half * z * z) - log deviation - half_log_2pi)

  -- | mean, standard deviation, x.
  --
  --     stats.normal_cdf 0 1 0 --> 0.5
  def normal_cdf (mean: R.t) (deviation: R.t) (x: R.t) : R.t = S.ndtr R.((x - mean) / deviation)

  -- | mean, standard deviation, probability.
  --
  --     stats.normal_quantile 1 2 0.5 --> 1.0
  def normal_quantile (mean: R.t) (deviation: R.t) (p: R.t) : R.t =
    R.(mean + deviation * S.ndtri p)

  -- | [n], [n][n], [n]: mean, the lower triangular l of a covariance l l^T (linalg.cholesky), x.
  --
  --     stats.multivariate_normal_logpdf [0.0] [[1.0]] [0.0] --> -0.9189385332046728
  def multivariate_normal_logpdf [n] (mean: [n]R.t) (l: [n][n]R.t) (x: [n]R.t) : R.t =
    let z = L.solve_lower l (map2 (R.-) x mean)
    in R.(neg (half * sum (map2 (*) z z)) - sum (tabulate n (\i -> log l[i, i]))
          - i64 n * half_log_2pi)

  -- | mean and standard deviation of the logarithm, x.
  --
  --     stats.lognormal_logpdf 0 1 1 --> -0.9189385332046728
  def lognormal_logpdf (mean: R.t) (deviation: R.t) (x: R.t) : R.t =
    inside R.(x > zero) (let y = R.log x in R.(normal_logpdf mean deviation y - y))

  -- | mean and standard deviation of the logarithm, x.
  --
  --     stats.lognormal_cdf 0 1 1 --> 0.5
  def lognormal_cdf (mean: R.t) (deviation: R.t) (x: R.t) : R.t =
    if R.(x > zero) then normal_cdf mean deviation (R.log x) else zero

  -- | rate, x.
  --
  --     stats.exponential_logpdf 2 1 --> -1.3068528194400546
  def exponential_logpdf (rate: R.t) (x: R.t) : R.t =
    inside R.(x >= zero) R.(log rate - rate * x)

  -- | rate, x.
  --
  --     stats.exponential_cdf 2 1 --> 0.8646647167633873
  def exponential_cdf (rate: R.t) (x: R.t) : R.t =
    if R.(x > zero) then R.neg (S.expm1 R.(neg (rate * x))) else zero

  -- | shape, rate, x.
  --
  --     stats.gamma_logpdf 2 1 1 --> -1.0
  def gamma_logpdf (shape: R.t) (rate: R.t) (x: R.t) : R.t =
    inside R.(x >= zero)
           R.(S.xlogy (shape - one) (rate * x) + log rate - rate * x - lgamma shape)

  -- | shape, rate, x.
  --
  --     stats.gamma_cdf 2 1 1 --> 0.2642411176571153
  def gamma_cdf (shape: R.t) (rate: R.t) (x: R.t) : R.t =
    if R.(x > zero) then S.gamma_p shape R.(rate * x) else zero

  -- | degrees of freedom, x.
  --
  --     stats.chi_squared_logpdf 2 2 --> -1.6931471805599454
  def chi_squared_logpdf (nu: R.t) (x: R.t) : R.t = gamma_logpdf R.(half * nu) half x

  -- | degrees of freedom, x.
  --
  --     stats.chi_squared_cdf 2 2 --> 0.6321205588285577
  def chi_squared_cdf (nu: R.t) (x: R.t) : R.t = gamma_cdf R.(half * nu) half x

  -- | shapes a and b, x.
  --
  --     stats.beta_logpdf 2 2 0.5 --> 0.4054651081081644
  def beta_logpdf (a: R.t) (b: R.t) (x: R.t) : R.t =
    inside R.(x >= zero && x <= one)
           R.(S.xlogy (a - one) x + S.xlog1py (b - one) (neg x) - S.lbeta a b)

  -- | shapes a and b, x.
  --
  --     stats.beta_cdf 2 2 0.5 --> 0.5
  def beta_cdf (a: R.t) (b: R.t) (x: R.t) : R.t =
    if R.(x <= zero) then zero else if R.(x >= one) then one else S.beta_inc a b x

  -- | [n], [n]: concentrations, weights that sum to 1.
  --
  --     stats.dirichlet_logpdf [1.0, 1.0, 1.0] [0.2, 0.3, 0.5] --> 0.6931471805599453
  def dirichlet_logpdf [n] (alpha: [n]R.t) (x: [n]R.t) : R.t =
    R.(sum (map2 (\a x -> S.xlogy (a - one) x - lgamma a) alpha x) + lgamma (sum alpha))

  -- | degrees of freedom, x.
  --
  --     stats.student_t_logpdf 3 0 --> -1.000888849623509
  def student_t_logpdf (nu: R.t) (x: R.t) : R.t =
    R.(neg (S.lbeta half (half * nu)) - half * log nu - half * (nu + one) * log1p (x * x / nu))

  -- | degrees of freedom, x.
  --
  --     stats.student_t_cdf 3 1 --> 0.8044988905221147
  def student_t_cdf (nu: R.t) (x: R.t) : R.t =
    let s = R.(x * x)
    let tail = if R.(s < nu) then R.(half * (one - S.beta_inc half (half * nu) (s / (nu + s))))
               else R.(half * S.beta_inc (half * nu) half (nu / (nu + s)))
    in if R.(x > zero) then R.(one - tail) else tail

  -- | location, scale, x.
  --
  --     stats.cauchy_logpdf 0 1 0 --> -1.1447298858494002
  def cauchy_logpdf (location: R.t) (scale: R.t) (x: R.t) : R.t =
    let z = R.((x - location) / scale) in R.(neg (log (pi * scale)) - log1p (z * z))

  -- | location, scale, x.
  --
  --     stats.cauchy_cdf 0 1 1 --> 0.75
  def cauchy_cdf (location: R.t) (scale: R.t) (x: R.t) : R.t =
    R.(half + atanpi ((x - location) / scale))

  -- | location, scale, x; a kink at the location.
  --
  --     stats.laplace_logpdf 0 1 1 --> -1.6931471805599454
  def laplace_logpdf (location: R.t) (scale: R.t) (x: R.t) : R.t =
    R.(neg (log (scale + scale)) - abs (x - location) / scale)

  -- | location, scale, x.
  --
  --     stats.laplace_cdf 0 1 0 --> 0.5
  def laplace_cdf (location: R.t) (scale: R.t) (x: R.t) : R.t =
    let z = R.((x - location) / scale)
    in if R.(z < zero) then R.(half * exp z) else R.(one - half * exp (neg z))

  -- | location, scale, x.
  --
  --     stats.logistic_logpdf 0 1 0 --> -1.3862943611198906
  def logistic_logpdf (location: R.t) (scale: R.t) (x: R.t) : R.t =
    let z = R.((x - location) / scale) in R.(neg (log scale) - z - two * S.softplus (neg z))

  -- | location, scale, x.
  --
  --     stats.logistic_cdf 0 1 0 --> 0.5
  def logistic_cdf (location: R.t) (scale: R.t) (x: R.t) : R.t =
    S.expit R.((x - location) / scale)

  -- | location, scale, x.
  --
  --     stats.gumbel_logpdf 0 1 0 --> -1.0
  def gumbel_logpdf (location: R.t) (scale: R.t) (x: R.t) : R.t =
    let z = R.((x - location) / scale) in R.(neg (log scale) - z - exp (neg z))

  -- | shape, scale, x.
  --
  --     stats.weibull_logpdf 1 1 1 --> -1.0
  def weibull_logpdf (shape: R.t) (scale: R.t) (x: R.t) : R.t =
    let z = R.(x / scale)
    in inside R.(x >= zero) R.(log (shape / scale) + S.xlogy (shape - one) z - z ** shape)

  -- | lower and upper bound, x.
  --
  --     stats.uniform_logpdf 0 2 1 --> -0.6931471805599453
  def uniform_logpdf (lo: R.t) (hi: R.t) (x: R.t) : R.t =
    inside R.(x >= lo && x <= hi) R.(neg (log (hi - lo)))

  -- | probability, true or false.
  --
  --     stats.bernoulli_logpmf 0.25 true --> -1.3862943611198906
  def bernoulli_logpmf (p: R.t) (x: bool) : R.t = if x then R.log p else R.(log1p (neg p))

  -- | trials, probability, successes.
  --
  --     stats.binomial_logpmf 2 0.5 1 --> -0.6931471805599453
  def binomial_logpmf (n: i64) (p: R.t) (k: i64) : R.t =
    let (total, x) = (R.i64 n, R.i64 k)
    in inside (0 <= k && k <= n)
              R.(S.log_choose total x + S.xlogy x p + S.xlog1py (total - x) (neg p))

  -- | trials, probability, successes: of at most as many.
  --
  --     stats.binomial_cdf 2 0.5 1 --> 0.75
  def binomial_cdf (n: i64) (p: R.t) (k: i64) : R.t =
    if k < 0 then zero else if k >= n then one
    else S.beta_inc (R.i64 (n - k)) (R.i64 (k + 1)) R.(one - p)

  -- | probability of success, failures before the first.
  --
  --     stats.geometric_logpmf 0.5 1 --> -1.3862943611198906
  def geometric_logpmf (p: R.t) (k: i64) : R.t =
    inside (k >= 0) (let x = R.i64 k in R.(log p + S.xlog1py x (neg p)))

  -- | mean, count.
  --
  --     stats.poisson_logpmf 1 2 --> -1.6931471805599454
  def poisson_logpmf (mean: R.t) (k: i64) : R.t = inside (k >= 0) (S.log_poisson (R.i64 k) mean)

  -- | mean, count: of at most as many.
  --
  --     stats.poisson_cdf 1 1 --> 0.7357588823428847
  def poisson_cdf (mean: R.t) (k: i64) : R.t =
    if k < 0 then zero else S.gamma_q (R.i64 (k + 1)) mean

  -- | number of successes (any positive number), probability of one, failures before it.
  --
  --     stats.negative_binomial_logpmf 1 0.5 1 --> -1.3862943611198906
  def negative_binomial_logpmf (r: R.t) (p: R.t) (k: i64) : R.t =
    let x = R.i64 k
    in inside (k >= 0) R.(S.log_choose (x + r - one) x + r * log p + S.xlog1py x (neg p))

  -- | [n], place: logarithms of the weights, which need not be normalised; the place.
  --
  --     stats.categorical_logpmf [0.0, 0.0] 1 --> -0.6931471805599453
  def categorical_logpmf [n] (logits: [n]R.t) (i: i64) : R.t =
    if 0 <= i && i < n then let l = logits[i] in R.(l - S.logsumexp logits) else R.lowest
}
