-- Losses and divergences.
--
--     import "lib/stats"
--     module stats = mk_stats f64
import "../special"

-- | Losses, over one type of floats.
module mk_losses (R: float) = {
  local module S = mk_special R
  local def half = R.f64 0.5

  -- | logit, label in [0, 1]: the cross entropy of a yes or no.
  --
  --     stats.logistic_loss 0 1 --> 0.6931471805599453
  def logistic_loss (logit: R.t) (label: R.t) : R.t = R.(S.softplus logit - label * logit)

  -- | [n], place: the cross entropy of one of n classes.
  --
  --     stats.softmax_loss [0.0, 0.0] 1 --> 0.6931471805599453
  def softmax_loss [n] (logits: [n]R.t) (i: i64) : R.t =
    let l = logits[i] in R.(S.logsumexp logits - l)

  -- | [n], [n]: the cross entropy against weights that sum to 1.
  --
  --     stats.soft_softmax_loss [0.0, 0.0] [0.5, 0.5] --> 0.6931471805599453
  def soft_softmax_loss [n] (logits: [n]R.t) (target: [n]R.t) : R.t =
    R.(S.logsumexp logits - sum (map2 (*) target logits))

  -- | [n], [n] -> scalar: half the sum of squared differences.
  --
  --     stats.squared_loss [1.0, 2.0] [1.0, 4.0] --> 2.0
  def squared_loss [n] (x: [n]R.t) (y: [n]R.t) : R.t =
    R.(half * sum (map2 (\a b -> (a - b) * (a - b)) x y))

  -- | width, residual: x^2 / 2 near 0, linear beyond the width (Huber 1964).
  --
  --     stats.huber_loss 1 3 --> 2.5
  def huber_loss (width: R.t) (x: R.t) : R.t =
    if R.(abs x <= width) then R.(half * x * x) else R.(width * (abs x - half * width))

  -- | [n], [n] -> scalar: the divergence of Kullback and Leibler of q from p, both of sum 1.
  --
  --     stats.kl_divergence [1.0, 0.0] [0.5, 0.5] --> 0.6931471805599453
  def kl_divergence [n] (p: [n]R.t) (q: [n]R.t) : R.t =
    R.(sum (map2 (\a b -> S.xlogy a a - S.xlogy a b) p q))

  -- | mean and deviation of two normal distributions: the divergence of the second from the first.
  --
  --     stats.kl_normal 0 1 1 1 --> 0.5
  def kl_normal (m: R.t) (s: R.t) (m': R.t) (s': R.t) : R.t =
    let (r, d) = (R.(s / s'), R.((m - m') / s'))
    in R.(half * (r * r + d * d) - half - log r)
}
