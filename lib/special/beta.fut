-- The incomplete beta function.
import "series"
import "gamma"

-- | The regularised incomplete beta function, over one type of floats.
module mk_beta (R: float) = {
  local module G = mk_gamma R
  local def zero = R.i64 0
  local def one = R.i64 1
  local def two = R.i64 2

  -- | log (x^a (1-x)^b / beta a b), where y is 1 - x; without cancellation for large a and b
  -- (Loader 2000).
  --
  --     special.log_beta_power 1.0 1.0 0.5 0.5 --> -1.3862943611198906
  def log_beta_power (a: R.t) (b: R.t) (x: R.t) (y: R.t) : R.t =
    let s = R.(a + b)
    in if R.(a < i64 10 || b < i64 10) then R.(a * log x + b * log y - G.lbeta a b)
       else R.(G.stirling_error s - G.stirling_error a - G.stirling_error b
               - G.deviance a (s * x) - G.deviance b (s * y)
               + f64 0.5 * (log a + log (b / s)) - f64 0.9189385332046728)

  -- DLMF 8.17.22, by the method of Lentz, Thompson and Barnett; fast for x < (a+1) / (a+b+2).  For
  -- whole b it ends early while its derivative by b goes on, so a number halfway between two whole
  -- ones says how many steps there are.
  local def away (z: R.t) = let tiny = R.(epsilon * epsilon) in if R.(abs z < tiny) then tiny else z
  local def step (a: R.t) (b: R.t) (x: R.t) (m: R.t) (state: (R.t, R.t, R.t)) =
    let next (t: R.t) (h: R.t, c: R.t, d: R.t) =
      let d = R.(one / away (one + t * d))
      let c = away R.(one + t / c)
      in R.((h * c * d, c, d))
    let m2 = R.(m + m)
    in next R.(neg (a + m) * (a + b + m) * x / ((a + m2) * (a + one + m2)))
            (next R.(m * (b - m) * x / ((a - one + m2) * (a + m2))) state)
  local def start (a: R.t) (b: R.t) (x: R.t) =
    let d = R.(one / away (one - (a + b) * x / (a + one))) in (d, one, d)
  local def steps (a: R.t) (b: R.t) (x: R.t) : i64 =
    let (_, _, m) =
      loop (s, before, m) = (start a b x, zero, 1i64)
      while R.(abs (s.0 - before) > f64 0.5 * epsilon * abs s.0) && m < 100000 do
        (step a b x (R.i64 m) s, s.0, m + 1)
    in m + 2
  local def fraction (a: R.t) (b: R.t) (x: R.t) (y: R.t) : R.t =
    let (a', b', x') = intrinsics.stop_gradient (a, R.(floor b + f64 0.5), x)
    let (h, _, _) = loop s = start a b x for m in 1...steps a' b' x' do step a b x (R.i64 m) s
    in R.(exp (log_beta_power a b x y) * h / a)

  local def plain (a: R.t) (b: R.t) (x: R.t) (y: R.t) : R.t =
    if R.(a < zero || b < zero || x < zero || y < zero) || R.(isnan a || isnan b || isnan x)
    then R.nan
    else if R.(x == zero) then (if R.(a == zero) then one else zero)
    else if R.(y == zero) then (if R.(b == zero) then zero else one)
    else if R.(a == zero) then one
    else if R.(b == zero) then zero
    else if R.(x < (a + one) / (a + b + two)) then fraction a b x y
    else R.(one - fraction b a y x)

  -- | The density of the beta distribution: the derivative of beta_inc by x.
  --
  --     special.beta_density 2.0 2.0 0.5 --> 1.5
  def beta_density (a: R.t) (b: R.t) (x: R.t) : R.t =
    let end (a: R.t) (b: R.t) = if R.(a < one) then R.inf else if R.(a == one) then b else zero
    in if R.(x < zero || x > one) then zero
       else if R.(x == zero) then end a b
       else if R.(x == one) then end b a
       else R.(exp (log_beta_power a b x (one - x)) / (x * (one - x)))

  -- | The regularised incomplete beta function, `beta_inc a b x` for a, b >= 0 and x in [0, 1], NaN
  -- elsewhere.
  --
  --     special.beta_inc 2.0 3.0 0.5 --> 0.6875
  def beta_inc (a: R.t) (b: R.t) (x: R.t) : R.t =
    let f a b x = plain a b x R.(one - x)
    in with_vjp_tape (\(a, b, x) -> ((a, b, x), f a b x))
         (\((a, b, x), g) -> (R.(g * jvp (\a -> f a b x) a one), R.(g * jvp (\b -> f a b x) b one),
                              R.(g * beta_density a b x))) (a, b, x)
}
