-- Functions that are usually written with max and abs, with their true derivatives at every point.
--
--     import "lib/ad/smooth"
--     module smooth = mk_smooth f64
--
-- No operation in them has a kink where the function has none, so all derivatives are right, of
-- every order; where the function has a kink each says which derivative it has.

-- | Smooth forms of common functions, over one type of floats.
module mk_smooth (R: float) = {
  local def zero = R.i64 0

  -- | log (1 + exp x), without overflow.
  def softplus (x: R.t) : R.t =
    if R.(x > zero) then R.(x + log1p (exp (neg x))) else R.(log1p (exp x))

  -- | 1 / (1 + exp (-x)), the derivative of softplus, without overflow.
  def sigmoid (x: R.t) : R.t =
    if R.(x > zero) then R.(i64 1 / (i64 1 + exp (neg x))) else R.(exp x / (i64 1 + exp x))

  -- | log (exp a + exp b), without overflow.  Of equal infinities each has half the derivative.
  def logaddexp (a: R.t) (b: R.t) : R.t =
    if R.(isinf a && a == b) then R.max a b
    else if R.(a >= b) then R.(a + log1p (exp (b - a)))
    else R.(b + log1p (exp (a - b)))

  -- | log (sum (exp xs)), without overflow.  Of no numbers it is -inf.  Where it is infinite it has
  -- derivative 0.
  def logsumexp [n] (xs: [n]R.t) : R.t =
    let m = intrinsics.stop_gradient (R.maximum xs)
    in if R.isinf m then m else R.(m + log (sum (map (\x -> exp (x - m)) xs)))

  -- | The square root of the sum of squares, without overflow.  All its derivatives are 0 at the zero vector.
  def norm [n] (xs: [n]R.t) : R.t =
    let m = intrinsics.stop_gradient (R.maximum (map R.abs xs))
    let s = if R.(m > zero) && !(R.isinf m) then m else R.i64 1
    in R.(s * sqrt (sum (map (\x -> (x / s) * (x / s)) xs)))

  -- | The nearest number to x in [lo, hi].  The derivative by x is 1 where lo <= x <= hi, the bounds
  -- included, so that what starts at a bound can leave it; outside it is 1 by the bound.
  def clamp (lo: R.t) (hi: R.t) (x: R.t) : R.t =
    if R.(x < lo) then lo else if R.(x > hi) then hi else x

  local def shared [n] (m: R.t) (xs: [n]R.t) : R.t =
    let m = intrinsics.stop_gradient m
    let (s, k) = reduce (\(a, i) (b, j) -> (R.(a + b), R.(i + j))) (zero, zero)
      (map (\x -> if R.(x == m) && !(R.isinf m)
                  then (R.(x - intrinsics.stop_gradient x), R.i64 1)
                  else (zero, zero)) xs)
    in if R.(k == zero) then m else R.(m + s / k)

  -- | The greatest number; the derivative is shared equally among all that are the greatest (of
  -- R.maximum the first has all).  Where it is infinite it has derivative 0.
  def maximum [n] (xs: [n]R.t) : R.t = shared (R.maximum xs) xs

  -- | The least number, likewise.
  def minimum [n] (xs: [n]R.t) : R.t = shared (R.minimum xs) xs
}
