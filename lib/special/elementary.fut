-- Exponentials, logarithms and what is made of them, exact where the usual formulas cancel or
-- overflow.
import "../ad/smooth"

-- | Functions of exp and log, over one type of floats.
module mk_elementary (R: float) = {
  local module S = mk_smooth R
  local def zero = R.i64 0
  local def one = R.i64 1

  -- | exp x - 1, exact for small x (Kahan's formula).
  --
  --     special.expm1 1e-10 --> 1.00000000005e-10
  def expm1 (x: R.t) : R.t =
    let plain (x: R.t) =
      let u = R.exp x
      in if R.(u == one) then x
         else if R.(abs x > one) then R.(u - one)
         else R.((u - one) * x / log u)
    in with_vjp plain (\y g -> R.(g * (y + one))) x

  -- | log (1 - exp x) for x <= 0, exact at both ends (Maechler 2012); at 0 it is -inf.
  --
  --     special.log1mexp (-1.0) --> -0.4586751453870819
  def log1mexp (x: R.t) : R.t =
    if R.(x > f64 (-0.6931471805599453)) then R.log (R.neg (expm1 x)) else R.(log1p (neg (exp x)))

  -- | log (1 + exp x), without overflow.
  --
  --     special.softplus 0.0 --> 0.6931471805599453
  def softplus : R.t -> R.t = S.softplus

  -- | 1 / (1 + exp (-x)), the inverse of logit.
  --
  --     special.expit 0.0 --> 0.5
  def expit : R.t -> R.t = S.sigmoid

  -- | The logarithm of expit.
  --
  --     special.log_expit (-1000.0) --> -1000.0
  def log_expit (x: R.t) : R.t = R.neg (S.softplus (R.neg x))

  -- | log (p / (1 - p)): infinite at 0 and 1, NaN outside.
  --
  --     special.logit 0.5 --> 0.0
  def logit (p: R.t) : R.t = R.(log p - log1p (neg p))

  -- | log (exp a + exp b), without overflow.
  --
  --     special.logaddexp 0.0 0.0 --> 0.6931471805599453
  def logaddexp : R.t -> R.t -> R.t = S.logaddexp

  -- | [n] -> scalar: log (sum (exp xs)), without overflow.
  --
  --     special.logsumexp [1000.0, 1000.0] --> 1000.6931471805599
  def logsumexp [n] (xs: [n]R.t) : R.t = S.logsumexp xs

  -- | [n] -> [n]: exp xs / sum (exp xs), without overflow.
  --
  --     special.softmax [0.0, 0.0] --> [0.5, 0.5]
  def softmax [n] (xs: [n]R.t) : [n]R.t =
    let l = S.logsumexp xs
    in map (\x -> R.(exp (x - l))) xs

  -- | [n] -> [n]: the logarithms of softmax.
  --
  --     special.log_softmax [0.0, 0.0] --> [-0.6931471805599453, -0.6931471805599453]
  def log_softmax [n] (xs: [n]R.t) : [n]R.t =
    let l = S.logsumexp xs
    in map (\x -> R.(x - l)) xs

  -- 0 / 0 is 0: of x / y, where the derivative by x is 1 / y and by y is - x / y^2.
  local def xdivy (x: R.t) (y: R.t) : R.t = if R.(x == zero && y == zero) then x else R.(x / y)

  -- | x log y, which is 0 where x is 0.  The derivative by x is log y there, too, that by y is 0.
  --
  --     special.xlogy 0.0 0.0 --> 0.0
  def xlogy (x: R.t) (y: R.t) : R.t =
    let value (x, y) = if R.(x == zero) && !(R.isnan y) then zero else R.(x * log y)
    in with_vjp_tape (\(x, y) -> ((x, y), value (x, y)))
                     (\((x, y), g) -> (R.(g * log y), R.(g * xdivy x y))) (x, y)

  -- | x log (1 + y), which is 0 where x is 0.
  --
  --     special.xlog1py 0.0 (-1.0) --> 0.0
  def xlog1py (x: R.t) (y: R.t) : R.t =
    let value (x, y) = if R.(x == zero) && !(R.isnan y) then zero else R.(x * log1p y)
    in with_vjp_tape (\(x, y) -> ((x, y), value (x, y)))
                     (\((x, y), g) -> (R.(g * log1p y), R.(g * xdivy x (one + y)))) (x, y)

  -- | - x log x, the summand of the entropy; 0 at 0, -inf below.
  --
  --     special.entr 0.5 --> 0.34657359027997264
  def entr (x: R.t) : R.t = if R.(x < zero) then R.lowest else R.neg (xlogy x x)
}
