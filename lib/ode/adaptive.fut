-- Steps of adaptive size: Dormand and Prince's method 5(4), 1980, with the dense output of Hairer,
-- Norsett and Wanner (Solving Ordinary Differential Equations I, II.6).
--
-- Sizes of steps are constants to derivatives (but for the last, which ends at t1): derivatives are
-- those of the steps that were made, in reverse mode a loop that keeps to the memory limit.

-- | Why an integration ended: at its time, out of steps, or since steps became too small, as they
-- do where the solution or f is not finite.
type ode_end = #done | #steps | #too_small

-- | Methods of adaptive steps, over one type of floats.
module mk_adaptive (R: float) = {
  local def zero = R.i64 0
  local def one = R.i64 1

  -- | Tolerances of each step's error, relative to the state and absolute; the size of the first
  -- step, 0 to have it chosen; the number of steps, rejected ones included.
  type ode_options = {relative: R.t, absolute: R.t, first: R.t, steps: i64}

  -- | The state at `time`, the end unless `reason` says otherwise; steps made and rejected.
  type ode_result [n] = {y: [n]R.t, time: R.t, accepted: i64, rejected: i64, reason: ode_end}

  -- | Tolerances of 1e-6, at most 100,000 steps.
  --
  --     ode.ode_defaults.steps --> 100000i64
  def ode_defaults : ode_options =
    {relative = R.f64 1e-6, absolute = R.f64 1e-6, first = zero, steps = 100000}

  -- The sum of c[i] k[i].
  local def combine [m] [n] (c: [m]f64) (k: [m][n]R.t) : [n]R.t =
    map (\column -> R.sum (map2 (\c x -> R.(f64 c * x)) c column)) (transpose k)

  -- The slopes of a step from t of size h, the first given.  The last is that of the end.
  #[inline]
  local def slopes [n] (f: R.t -> [n]R.t -> [n]R.t) (t: R.t) (h: R.t) (y: [n]R.t) (k1: [n]R.t)
      : ([n]R.t, [7][n]R.t) =
    let to [m] (c: [m]f64) (k: [m][n]R.t) = map2 (\y d -> R.(y + h * d)) y (combine c k)
    let at (c: f64) (y: [n]R.t) = f R.(t + f64 c * h) y
    let k2 = at 0.2 (to [0.2] [k1])
    let k3 = at 0.3 (to [3.0 / 40, 9.0 / 40] [k1, k2])
    let k4 = at 0.8 (to [44.0 / 45, -56.0 / 15, 32.0 / 9] [k1, k2, k3])
    let k5 = at (8.0 / 9) (to [19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729]
                              [k1, k2, k3, k4])
    let k6 = at 1 (to [9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656]
                      [k1, k2, k3, k4, k5])
    let y' = to [35.0 / 384, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84]
                [k1, k3, k4, k5, k6]
    in (y', [k1, k2, k3, k4, k5, k6, at 1 y'])

  -- The error of a step over what is tolerated: at most 1 where the step is accepted.
  local def error_of [n] (o: ode_options) (h: R.t) (y: [n]R.t) (y': [n]R.t) (k: [7][n]R.t) : R.t =
    let difference = combine [71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200,
                              22.0 / 525,
                              -1.0 / 40] k
    let part d a b = let s = R.(h * d / (o.absolute + o.relative * max (abs a) (abs b)))
                     in R.(s * s)
    let size = R.(sqrt (sum (map3 part difference y y') / max one (i64 n)))
    in if R.isnan size || any R.isnan y' then R.inf else size

  -- The state at the fraction u of a step.
  local def between [n] (h: R.t) (y: [n]R.t) (y': [n]R.t) (k: [7][n]R.t) (u: R.t) : [n]R.t =
    let d = combine [-12715105075.0 / 11282082432, 0, 87487479700.0 / 32700410799,
                     -10690763975.0 / 1880347072, 701980252875.0 / 199316789632,
                     -1453857185.0 / 822651844, 69997945.0 / 29380423] k
    let v = R.(one - u)
    let at a b k1 k7 d =
      let rise = R.(b - a)
      let p = R.(h * k1 - rise)
      in R.(a + u * (rise + v * (p + u * (rise - h * k7 - p + v * h * d))))
    in map5 at y y' k[0] k[6] d

  -- The first step: a hundredth of the state's size over its slope's, in the scale of tolerances.
  local def first_step [n] (o: ode_options) (span: R.t) (y: [n]R.t) (k: [n]R.t) : R.t =
    let size (x: [n]R.t) = R.sqrt (R.sum (map2 (\x y ->
          let s = R.(x / (o.absolute + o.relative * abs y)) in R.(s * s)) x y))
    let (a, b) = (size y, size k)
    let h = if R.(a < f64 1e-5 || b < f64 1e-5) then R.f64 1e-6 else R.(f64 0.01 * a / b)
    in if R.(o.first > zero) then o.first else R.(min h (abs span))

  -- All steps from t0 to t1, and the states at the times, in their order.
  #[inline]
  local def integrate [n] [m] (o: ode_options) (f: R.t -> [n]R.t -> [n]R.t) (t0: R.t) (t1: R.t)
      (times: [m]R.t) (y: [n]R.t) : (ode_result [n], [m][n]R.t) =
    let visit t h y y' k (out: *[m][n]R.t) (next: i64) : (*[m][n]R.t, i64) =
      loop (out, i) = (out, next)
      while i < m && R.((times[i] - t) * sgn h <= abs h * (one + i64 4 * epsilon)) do
        (out with [i] = between h y y' k R.((times[i] - t) / h), i + 1)
    let first = tabulate m (\i -> if R.(times[i] == t0) then copy y else replicate n R.nan)
    let start = loop i = 0i64 while i < m && R.(times[i] == t0) do i + 1
    let constant x = intrinsics.stop_gradient x
    let span = R.(t1 - t0)
    let k1 = f t0 y
    let running : ode_end = #steps
    let (y, t, _, _, accepted, rejected, reason, out, _) =
      loop (y, t, h, k1, accepted, rejected, reason, out: *[m][n]R.t, next) =
        (y, t0, constant R.(sgn span * first_step o span y k1), k1, 0i64, 0i64,
         if R.(span == zero) then #done else running, first, start)
      while reason == running && accepted + rejected < o.steps do
        let last = R.(abs h >= abs (t1 - t) * f64 0.9999999)
        let h = if last then R.(t1 - t) else h
        let (y', k) = slopes f t h y k1
        let error = constant (error_of o h y y' k)
        let factor = R.(max (f64 0.2) (min (i64 10) (f64 0.9 / max (f64 1e-10) (error ** f64 0.2))))
        let h' = constant R.(h * factor)
        let small = R.(abs h' <= i64 4 * epsilon * max (abs t) (abs span))
        in if R.(error <= one)
           then let (out, next) = visit t h y y' k out next
                in (y', if last then t1 else R.(t + h), h', k[6], accepted + 1, rejected,
                    if last then #done else running, out, next)
           else (y, t, h', k1, accepted, rejected + 1, if small then #too_small else running,
                 out, next)
    in ({y, time = t, accepted, rejected, reason}, out)

  -- | `dopri5 o f t0 t1 y`: the state at t1, before or after t0.
  --
  --     (ode.dopri5 ode.ode_defaults (\_ y -> y) 0 1 [1.0]).y --> [2.7182818]
  #[inline]
  def dopri5 [n] (o: ode_options) (f: R.t -> [n]R.t -> [n]R.t) (t0: R.t) (t1: R.t) (y: [n]R.t)
      : ode_result [n] =
    (integrate o f t0 t1 [] y).0

  -- | `dopri5_at o f times y`: [m] times, ascending or descending, the first that of the state y,
  -- to the states [m][n] at these times by dense output (of order 4; steps do not end at them), and
  -- the end. After an end that is not #done states that were not reached are NaN.
  --
  --     (ode.dopri5_at ode.ode_defaults (\_ y -> y) [0, 1] [1.0]).0 --> [[1.0], [2.7182818]]
  #[inline]
  def dopri5_at [m] [n] (o: ode_options) (f: R.t -> [n]R.t -> [n]R.t) (times: [m]R.t) (y: [n]R.t)
      : ([m][n]R.t, ode_result [n]) =
    let (r, out) = integrate o f times[0] times[m - 1] times y
    in (out, r)
}
