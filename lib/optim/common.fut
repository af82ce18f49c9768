-- Options, results and stop criteria that the methods of optimisation share.

-- | Reasons why an optimisation ended: the gradient is small, the value or the point hardly
-- changed, the number of iterations is used up, something was infinite or NaN, no step along the
-- direction improved the value.
type reason = #gradient | #value | #step | #iterations | #not_finite | #line_search | #running

-- | Options and stop criteria, over one type of floats.
module mk_common (R: float) = {
  -- | When to stop: where the largest component of the gradient is at most `gradient`; where a step
  -- changed the value by at most `value` times its size, or no component of the point by more than
  -- `step` times its size; after `iterations` steps.
  type options = {gradient: R.t, value: R.t, step: R.t, iterations: i64}

  -- | The point, its value and gradient, the steps made, and why there are no more.
  type result [n] = {x: [n]R.t, value: R.t, gradient: [n]R.t, iterations: i64, reason: reason}

  -- | Gradients of about the square root of the precision times 1e-2, at most 1000 steps; changes
  -- of value and point do not end it.
  --
  --     optim.defaults.iterations --> 1000i64
  def defaults : options =
    {gradient = R.(f64 1e-2 * sqrt epsilon), value = R.i64 0, step = R.i64 0, iterations = 1000}

  -- | [n] -> scalar: the largest absolute value; NaN if one is.
  --
  --     optim.largest [1.0, -3.0] --> 3.0
  def largest [n] (x: [n]R.t) : R.t =
    let m = R.maximum (map R.abs x)
    in if any R.isnan x then R.nan else if n == 0 then R.i64 0 else m

  -- | Whether a number is neither infinite nor NaN.
  --
  --     optim.finite f64.nan --> false
  def finite (x: R.t) : bool = !(R.isnan x || R.isinf x)

  -- | The result at a start.
  --
  --     (optim.start optim.defaults (\x -> x[0] * x[0]) [0.0]).reason == #gradient --> true
  #[inline]
  def start [n] (o: options) (f: [n]R.t -> R.t) (x: [n]R.t) : result [n] =
    let (value, gradient) = vjp2 f x (R.i64 1)
    let g = largest gradient
    let reason : reason = if !(finite value && finite g) then #not_finite
                          else if R.(g <= o.gradient) then #gradient
                          else if o.iterations <= 0 then #iterations else #running
    in {x, value, gradient, iterations = 0, reason}

  -- | The result after one more step to x, with its value and gradient.  Where these are not finite
  -- the point before remains.
  --
  --     let o = optim.defaults in (optim.advance o (optim.start o f64.sum [1.0]) [f64.nan] 0 [0.0]).x --> [1.0]
  def advance [n] (o: options) (r: result [n]) (x: [n]R.t) (value: R.t) (gradient: [n]R.t)
      : result [n] =
    let g = largest gradient
    let change = R.maximum (map2 (\a b -> R.(abs (a - b) / max (abs a) (i64 1))) x r.x)
    let dv = R.abs (value R.- r.value)
    let iterations = r.iterations + 1
    let reason : reason =
      if R.(g <= o.gradient) then #gradient
      else if R.(o.value > i64 0 && dv <= o.value * max (abs value) (i64 1)) then #value
      else if R.(o.step > i64 0 && change <= o.step) then #step
      else if iterations >= o.iterations then #iterations else #running
    in if finite value && finite g && all finite x then {x, value, gradient, iterations, reason}
       else r with iterations = iterations with reason = #not_finite
}
