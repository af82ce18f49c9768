-- Methods that need gradients alone and take steps without a line search.
import "common"

-- | Gradient descent and Adam, over one type of floats.
module mk_first_order (R: float) = {
  local open mk_common R
  local def zero = R.i64 0
  local def one = R.i64 1

  -- One method: it gives the next point, and its own state, from point, gradient and state.
  #[inline]
  local def iterate [n] 's (o: options) (f: [n]R.t -> R.t)
      (step: i64 -> [n]R.t -> [n]R.t -> s -> ([n]R.t, s))
      (s: s) (x: [n]R.t) : result [n] =
    let (r, _) =
      loop (r, s) = (start o f x, s) while r.reason == #running do
        let (x, s) = step (r.iterations + 1) r.x r.gradient s
        let (value, gradient) = vjp2 f x one
        in (advance o r x value gradient, s)
    in r

  -- | Gradient descent with momentum (Polyak 1964): the step is momentum times the last one less
  -- rate times the gradient.
  --
  --     (optim.descent optim.defaults {rate = 0.1, momentum = 0.5} (\x -> (x[0] - 3) ** 2) [0.0]).x --> [3.0]
  #[inline]
  def descent [n] (o: options) (p: {rate: R.t, momentum: R.t}) (f: [n]R.t -> R.t) (x: [n]R.t)
      : result [n] =
    let step _ x g v =
      let v = map2 (\v g -> R.(p.momentum * v - p.rate * g)) v g
      in (map2 (R.+) x v, v)
    in iterate o f step (replicate n zero) x

  -- | The usual parameters of Adam, with this rate.
  --
  --     (optim.adam_defaults 0.1).beta1 --> 0.9
  def adam_defaults (rate: R.t) =
    {rate, beta1 = R.f64 0.9, beta2 = R.f64 0.999, epsilon = R.f64 1e-8}

  -- | Adam (Kingma and Ba 2015).
  --
  --     (optim.adam optim.defaults (optim.adam_defaults 0.1) (\x -> (x[0] - 3) ** 2) [0.0]).x --> [3.0]
  #[inline]
  def adam [n] (o: options) (p: {rate: R.t, beta1: R.t, beta2: R.t, epsilon: R.t})
      (f: [n]R.t -> R.t) (x: [n]R.t) : result [n] =
    let step i x g (m, v) =
      let m = map2 (\m g -> R.(p.beta1 * m + (one - p.beta1) * g)) m g
      let v = map2 (\v g -> R.(p.beta2 * v + (one - p.beta2) * g * g)) v g
      let c1 = R.(one - p.beta1 ** i64 i)
      let c2 = R.(one - p.beta2 ** i64 i)
      let move x m v = R.(x - p.rate * (m / c1) / (sqrt (v / c2) + p.epsilon))
      in (map3 move x m v, (m, v))
    in iterate o f step (replicate n zero, replicate n zero) x
}
