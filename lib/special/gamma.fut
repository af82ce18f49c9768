-- The gamma function's relatives.  Powers over factorials come in Loader's form ("Fast and accurate
-- computation of binomial probabilities", 2000): the deviance x - a - a log (x / a) and what
-- Stirling's formula leaves over, so that nothing large cancels.
import "series"

-- | Gamma, beta and incomplete gamma functions, over one type of floats.
module mk_gamma (R: float) = {
  local open mk_series R
  local def zero = R.i64 0
  local def one = R.i64 1
  local def two = R.i64 2
  local def half = R.f64 0.5
  local def half_log_2pi = R.f64 0.9189385332046728

  -- | The gamma function.
  --
  --     special.gamma 5.0 --> 24.0
  def gamma : R.t -> R.t = R.gamma

  -- | The logarithm of the absolute value of the gamma function.
  --
  --     special.lgamma 0.5 --> 0.5723649429247001
  def lgamma : R.t -> R.t = R.lgamma

  -- | The derivative of lgamma.
  --
  --     special.digamma 1.0 --> -0.5772156649015329
  def digamma : R.t -> R.t = intrinsics.digamma

  -- | The derivative of digamma.
  --
  --     special.trigamma 1.0 --> 1.6449340668482264
  def trigamma : R.t -> R.t = intrinsics.trigamma

  -- | The derivative of trigamma.
  --
  --     special.tetragamma 1.0 --> -2.404113806319188
  def tetragamma : R.t -> R.t = intrinsics.tetragamma

  -- | `polygamma x n` is the derivative of digamma of order n, a whole number.
  --
  --     special.polygamma 1.0 3.0 --> 6.493939402266829
  def polygamma : R.t -> R.t -> R.t = intrinsics.polygamma

  -- log (1 + u) - u.  For small u with r = u / (2 + u): r (2 (r^2 / 3 + r^4 / 5 + ..) - u).
  local def log1pmx (u: R.t) : R.t =
    if R.(abs u > f64 0.4) then R.(log1p u - u)
    else let r = R.(u / (two + u))
         let s = R.(r * r)
         let rest = loop y = zero for i in 14..>-1 do R.(y * s + one / (two * i64 i + i64 3))
         in R.(r * (two * s * rest - u))

  -- | lgamma (x + 1) less Stirling's (x + 1/2) log x - x + 1/2 log (2 pi), for x > 0.
  --
  --     special.stirling_error 1.0 --> 0.08106146679532726
  def stirling_error (x: R.t) : R.t =
    if R.(x < i64 10) then R.(lgamma (x + one) - (x + half) * log x + x - half_log_2pi)
    else let y = R.(one / (x * x))
         let c = [1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360,
                  1.0 / 156, -3617.0 / 122400]
         in R.((loop s = zero for i in 7..>-1 do s * y + f64 c[i]) / x)

  -- | a log (x / a) + a - x: minus the deviance of x from a, exact for x near a.
  --
  --     special.deviance 2.0 1.0 --> 0.3862943611198906
  def deviance (a: R.t) (x: R.t) : R.t =
    if R.(a == zero) then x
    else if R.isinf x then x
    else R.(neg a * log1pmx ((x - a) / a))

  -- | log (x^a exp (-x) / gamma (a + 1)), the logarithm of the Poisson probability of a, for a >=
  -- 0. At a = 0 and at x = 0 derivatives are one-sided.
  --
  --     special.log_poisson 2.0 1.0 --> -1.6931471805599454
  def log_poisson (a: R.t) (x: R.t) : R.t =
    if R.(x == zero) then (if R.(a == zero) then R.neg x else R.(a * log x))
    else if R.(a < i64 10)
    then R.((if a == zero && isinf x then neg x else a * log x - x) - lgamma (a + one))
    else R.(neg (deviance a x + half_log_2pi + half * log a + stirling_error a))

  -- | log |beta a b|, for a, b >= 0.
  --
  --     special.lbeta 2.0 3.0 --> -2.4849066497880004
  def lbeta (a: R.t) (b: R.t) : R.t =
    let (p, q) = if R.(a < b) then (a, b) else (b, a)
    let s = R.(p + q)
    in if R.(q < i64 10) then R.(lgamma p + lgamma q - lgamma s)
       else if R.(p < i64 10)
       then R.(lgamma p + stirling_error q - stirling_error s + p - p * log s
               + (q - half) * log1p (neg p / s))
       else R.(half_log_2pi - half * log q + stirling_error p + stirling_error q - stirling_error s
               + (p - half) * log (p / s) + q * log1p (neg p / s))

  -- | gamma a gamma b / gamma (a + b), for a, b > 0.
  --
  --     special.beta 2.0 3.0 --> 0.08333333333333333
  def beta (a: R.t) (b: R.t) : R.t = R.exp (lbeta a b)

  -- | log (n over k), for 0 <= k <= n, of any numbers.
  --
  --     special.log_choose 5.0 2.0 --> 2.302585092994046
  def log_choose (n: R.t) (k: R.t) : R.t =
    R.(neg (log1p n) - lbeta (n - k + one) (k + one))

  -- gamma_p below a + 1: x^a exp (-x) / gamma (a + 1) times sum x^n / ((a+1) .. (a+n)).
  local def p_series (a: R.t) (x: R.t) : R.t =
    let (total, _, _) =
      loop (total, term, k) = (one, one, R.(a + one))
      while R.(term > f64 1e-3 * epsilon * total) do
        let term = R.(term * x / k)
        in R.((total + term, term, k + one))
    in R.(exp (log_poisson a x) * total)

  -- gamma_q above: the continued fraction 1 / (x+1-a - 1(1-a) / (x+3-a - 2(2-a) / ..)), by the
  -- method of Lentz, Thompson and Barnett.  For whole a it ends early while its derivative by a
  -- goes on, so a number halfway between two whole ones says how many steps there are.
  local def away (y: R.t) = let tiny = R.(epsilon * epsilon) in if R.(abs y < tiny) then tiny else y
  local def q_step (a: R.t) (x: R.t) (i: R.t) (h: R.t, c: R.t, d: R.t) =
    let t = R.(i * (a - i))
    let b = R.(x + one - a + i + i)
    let d = R.(one / away (t * d + b))
    let c = away R.(b + t / c)
    in R.((h * c * d, c, d))
  local def q_start (a: R.t) (x: R.t) =
    let d = R.(one / away (x + one - a)) in R.((d, one / (epsilon * epsilon), d))
  local def q_steps (a: R.t) (x: R.t) : i64 =
    let (_, _, i) =
      loop (s, before, i) = (q_start a x, zero, 1i64)
      while R.(abs (s.0 - before) > half * epsilon * abs s.0) && i < 100000 do
        (q_step a x (R.i64 i) s, s.0, i + 1)
    in i + 2
  local def q_fraction (a: R.t) (x: R.t) : R.t =
    let (a', x') = intrinsics.stop_gradient (R.(floor a + half), x)
    let (h, _, _) = loop s = q_start a x for i in 1...q_steps a' x' do q_step a x (R.i64 i) s
    in R.(a * exp (log_poisson a x) * h)

  local def p_plain (a: R.t) (x: R.t) : R.t =
    if R.(a < zero || x < zero) || R.isnan a || R.isnan x then R.nan
    else if R.(x == zero) then (if R.(a == zero) then one else zero)
    else if R.isinf x || R.(a == zero) then one
    else if R.isinf a then zero
    else if R.(x < a + one) then p_series a x else R.(one - q_fraction a x)
  local def q_plain (a: R.t) (x: R.t) : R.t =
    if R.(a < zero || x < zero) || R.isnan a || R.isnan x then R.nan
    else if R.(x == zero) then (if R.(a == zero) then zero else one)
    else if R.isinf x || R.(a == zero) then zero
    else if R.isinf a then one
    else if R.(x < a + one) then R.(one - p_series a x) else q_fraction a x

  -- | The density of the gamma distribution of shape a at x: the derivative of gamma_p by x.
  --
  --     special.gamma_density 2.0 1.0 --> 0.36787944117144233
  def gamma_density (a: R.t) (x: R.t) : R.t =
    if R.(x < zero) then zero
    else if R.(x == zero) then (if R.(a < one) then R.inf else if R.(a == one) then one else zero)
    else if R.isinf x then zero
    else if R.(a >= one) then R.exp (log_poisson R.(a - one) x)
    else R.(exp (log_poisson a x) * a / x)

  -- The derivative by a is that of the series or fraction, in forward mode.
  local def ruled (f: R.t -> R.t -> R.t) (sign: R.t) (a: R.t) (x: R.t) : R.t =
    with_vjp_tape (\(a, x) -> ((a, x), f a x))
      (\((a, x), g) -> (R.(g * jvp (\a -> f a x) a one), R.(g * sign * gamma_density a x))) (a, x)

  -- | The regularised lower incomplete gamma function, for a >= 0 and x >= 0, NaN elsewhere; some
  -- 6 sqrt a terms for x near a.
  --
  --     special.gamma_p 2.0 1.0 --> 0.2642411176571153
  def gamma_p (a: R.t) (x: R.t) : R.t = ruled p_plain one a x

  -- | The regularised upper incomplete gamma function, 1 - gamma_p.
  --
  --     special.gamma_q 2.0 1.0 --> 0.7357588823428847
  def gamma_q (a: R.t) (x: R.t) : R.t = ruled q_plain R.(neg one) a x
}
