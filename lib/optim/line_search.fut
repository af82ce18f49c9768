-- A step along a direction that satisfies the strong conditions of Wolfe (Nocedal and Wright,
-- Numerical Optimization, algorithms 3.5 and 3.6): sufficient decrease, and a slope of at most 0.9
-- of the first.
import "common"

-- | Line searches, over one type of floats.
module mk_line_search (R: float) = {
  local open mk_common R
  local def zero = R.i64 0
  local def dot [n] (x: [n]R.t) (y: [n]R.t) = R.sum (map2 (R.*) x y)
  local type trial [n] = {a: R.t, value: R.t, slope: R.t, x: [n]R.t, gradient: [n]R.t}

  -- The minimum of the cubic with these values and slopes, kept a tenth away from both ends.
  local def cubic (a: R.t, fa: R.t, da: R.t) (b: R.t, fb: R.t, db: R.t) : R.t =
    let d1 = R.(da + db - i64 3 * (fa - fb) / (a - b))
    let d2 = R.(sgn (b - a) * sqrt (d1 * d1 - da * db))
    let c = R.(b - (b - a) * (db + d2 - d1) / (db - da + d2 + d2))
    let (lo, hi) = R.((min a b, max a b))
    let margin = R.(f64 0.1 * (hi - lo))
    in if finite c then R.(max (lo + margin) (min (hi - margin) c)) else R.(f64 0.5 * (lo + hi))

  -- | From the result r along d, first trying the step a: the point, value and gradient there, and
  -- whether the conditions hold.  Values that are not finite count as too large.
  #[inline]
  def wolfe [n] (f: [n]R.t -> R.t) (r: result [n]) (d: [n]R.t) (a: R.t)
      : (bool, [n]R.t, R.t, [n]R.t) =
    let slope0 = dot r.gradient d
    let at (a: R.t) : trial [n] =
      let x = map2 (\x d -> R.(x + a * d)) r.x d
      let (v, gradient) = vjp2 f x (R.i64 1)
      let slope = dot gradient d
      in if finite v && finite slope then {a, value = v, slope, x, gradient}
         else {a, value = R.inf, slope = R.inf, x, gradient}
    let high (t: trial [n]) (lo: trial [n]) =
      R.(t.value > r.value + f64 1e-4 * t.a * slope0 || t.value >= lo.value && lo.a > zero)
    let good (t: trial [n]) = R.(abs t.slope <= f64 0.9 * abs slope0)
    let first : trial [n] =
      {a = zero, value = r.value, slope = slope0, x = r.x, gradient = r.gradient}
    -- lo: the best that decreases enough; hi, once `bracketed`, the other end.
    let next (lo: trial [n]) (hi: trial [n]) (t: trial [n]) bracketed =
      if high t lo then (lo, t, true)
      else if bracketed
      then (if R.(t.slope * (hi.a - lo.a) >= zero) then (t, lo, true) else (t, hi, true))
      else if R.(t.slope >= zero) then (t, lo, true) else (t, hi, false)
    let propose (lo: trial [n]) (hi: trial [n]) bracketed =
      if bracketed then cubic (lo.a, lo.value, lo.slope) (hi.a, hi.value, hi.slope)
      else R.(lo.a + lo.a)
    let (lo, _, _, _, done, _) =
      loop (lo, hi, bracketed, t, done, k) = (first, first, false, at a, false, 0i64)
      while !done && k < 40 do
        if !(high t lo) && good t then (t, hi, bracketed, t, true, k)
        else let (lo, hi, bracketed) = next lo hi t bracketed
             in (lo, hi, bracketed, at (propose lo hi bracketed), false, k + 1)
    in (done || R.(lo.a > zero && lo.value < r.value), lo.x, lo.value, lo.gradient)
}
