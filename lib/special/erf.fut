-- The error function's relatives.
import "series"
import "elementary"

-- | Error functions and normal probabilities, over one type of floats.
module mk_erf (R: float) = {
  local open mk_series R
  local module E = mk_elementary R
  local def zero = R.i64 0
  local def one = R.i64 1
  local def two = R.i64 2

  -- (1 + 2x) erfcx x over t = (x - 3.75) / (x + 3.75): Shepherd and Laframboise 1981; the terms are
  -- computed anew.
  local def erfcx_of (t: R.t) : R.t = clenshaw (map R.f64
    [1.1775789345674017, -0.004590054580646478, -0.08424913336651792, 0.05920993999819189,
     -0.026658668435305753, 0.009074997670705265, -0.002413163540417608, 0.0004907758365258086,
     -6.916973302501207e-05, 4.13902798607301e-06, 7.74038306619849e-07, -2.1886401049234397e-07,
     1.076499946567091e-08, 4.521959811218287e-09, -7.754400208831351e-10, -6.318088340886684e-11,
     2.86879501093067e-11, 1.9455868545777347e-13, -9.65469674843344e-13, 3.25254814814874e-14,
     3.3478119482868056e-14, -1.864562880419313e-15, -1.2507950530688648e-15,
     7.418235256624044e-17, 5.068148904796111e-17]) t

  -- | The error function.
  --
  --     special.erf 0.5 --> 0.5204998778130465
  def erf : R.t -> R.t = R.erf

  -- | 1 - erf x, exact for large x.
  --
  --     special.erfc 10.0 --> 2.088487583762545e-45
  def erfc : R.t -> R.t = R.erfc

  -- | exp (x^2) erfc x: erfc without its decay.
  --
  --     special.erfcx 10.0 --> 0.05614099274382259
  def erfcx (x: R.t) : R.t =
    let upper (x: R.t) =
      if R.isinf x then zero
      else R.(erfcx_of ((x - f64 3.75) / (x + f64 3.75)) / (one + two * x))
    in if R.(x < zero) then R.(two * exp (x * x) - forward upper (neg x)) else forward upper x

  -- Wichura 1988, algorithm AS 241 (PPND16): the normal quantile at p = 1/2 + q, where r is the
  -- smaller one of p and 1 - p; to 16 digits.
  local def horner [n] (c: [n]f64) (x: R.t) : R.t =
    loop y = zero for i in n-1..>-1 do R.(y * x + f64 c[i])
  local def centre (q: R.t) : R.t =
    let r = R.(f64 0.180625 - q * q)
    in R.(q * horner [3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                      1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                      3.3430575583588128105e4, 2.5090809287301226727e3] r
          / horner [1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
                    2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
                    5.2264952788528545610e3] r)
  local def shoulder (r: R.t) : R.t =
    let r = R.(r - f64 1.6)
    in R.(horner [1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
                  3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
                  2.27238449892691845833e-2, 7.74545014278341407640e-4] r
          / horner [1.0, 2.05319162663775882187e0, 1.67638483018380384940e0,
                    6.89767334985100004550e-1, 1.48103976427480074590e-1,
                    1.51986665636164571966e-2, 5.47593808499534494600e-4,
                    1.05075007164441684324e-9] r)
  local def tail (r: R.t) : R.t =
    let r = R.(r - i64 5)
    in R.(horner [6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
                  2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                  2.71155556874348757815e-5, 2.01033439929228813265e-7] r
          / horner [1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1,
                    1.48753612908506148525e-2, 7.86869131145613259100e-4,
                    1.84631831751005468180e-5, 1.42151175831644588870e-7,
                    2.04426310338993978564e-15] r)
  local def quantile_of (q: R.t) (r: R.t) : R.t =
    if R.(abs q <= f64 0.425) then centre q
    else if R.(r < zero) || R.isnan r then R.nan
    else if R.(r == zero) then (if R.(q < zero) then R.lowest else R.highest)
    else let s = R.(sqrt (neg (log r)))
         let z = if R.(s <= i64 5) then shoulder s else tail s
         in if R.(q < zero) then R.neg z else z

  -- | The normal distribution function, 1/2 erfc (- x / sqrt 2).
  --
  --     special.ndtr 0.0 --> 0.5
  def ndtr (x: R.t) : R.t = R.(f64 0.5 * erfc (neg x * f64 0.7071067811865476))

  -- | The logarithm of ndtr, also where that is too small.
  --
  --     special.log_ndtr (-100.0) --> -5005.524208675
  def log_ndtr (x: R.t) : R.t =
    let s = R.(neg x * f64 0.7071067811865476)
    in if R.(x < neg one) then R.(log (f64 0.5 * erfcx s) - s * s)
       else R.(log1p (neg (f64 0.5 * erfc (neg s))))

  -- | The inverse of ndtr: infinite at 0 and 1, NaN outside.
  --
  --     special.ndtri 0.975 --> 1.959963984540054
  def ndtri (p: R.t) : R.t =
    with_vjp (\p -> quantile_of R.(p - f64 0.5) R.(if p < one - p then p else one - p))
             (\z g -> R.(g * f64 2.5066282746310002 * exp (f64 0.5 * z * z))) p

  -- | The inverse of erf: infinite at -1 and 1, NaN outside.
  --
  --     special.erfinv 0.5 --> 0.4769362762044699
  def erfinv (x: R.t) : R.t =
    with_vjp (\x -> R.(quantile_of (f64 0.5 * x) (f64 0.5 * (one - abs x))
                       * f64 0.7071067811865476))
             (\y g -> R.(g * f64 0.886226925452758 * exp (y * y))) x

  -- | The inverse of erfc: infinite at 0 and 2, NaN outside.
  --
  --     special.erfcinv 1e-10 --> 4.572824967389486
  def erfcinv (x: R.t) : R.t =
    with_vjp (\x -> R.(quantile_of (f64 0.5 * (one - x))
                                   (f64 0.5 * (if x < one then x else two - x))
                       * f64 0.7071067811865476))
             (\y g -> R.(neg g * f64 0.886226925452758 * exp (y * y))) x
}
