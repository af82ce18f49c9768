-- Special functions that the derivatives of others are made of.
--
--     import "lib/special"
--     module special = mk_special f64
--
-- Derivatives of lgamma and gamma need no import; `dagaz derive` prints them in these words.

-- | The derivatives of the logarithm of the gamma function, over one type of floats.
module mk_special (R: float) = {
  -- | The derivative of lgamma.
  def digamma : R.t -> R.t = intrinsics.digamma

  -- | The derivative of digamma.
  def trigamma : R.t -> R.t = intrinsics.trigamma

  -- | The derivative of trigamma.
  def tetragamma : R.t -> R.t = intrinsics.tetragamma

  -- | `polygamma x n` is the derivative of digamma of order n, a whole number.
  def polygamma : R.t -> R.t -> R.t = intrinsics.polygamma
}
