-- lib/ad/smooth: values and derivatives to second order, all nestings, at ties, bounds, zeros and
-- where exp overflows; against formulas.
-- ==
-- entry: softplus
-- input { 0.0 } output { 0.6931471805599453 [0.5, 0.5] [0.25, 0.25, 0.25, 0.25] }
-- input { 1000.0 } output { 1000.0 [1.0, 1.0] [0.0, 0.0, 0.0, 0.0] }
-- input { -1000.0 } output { 0.0 [0.0, 0.0] [0.0, 0.0, 0.0, 0.0] }
-- input { f64.inf } output { f64.inf [1.0, 1.0] [0.0, 0.0, 0.0, 0.0] }
-- input { 1.0 } output { 1.3132616875182228 [0.7310585786300049, 0.7310585786300049]
--   [0.19661193324148185, 0.19661193324148185, 0.19661193324148185, 0.19661193324148185] }
-- ==
-- entry: sigmoid
-- input { 0.0 } output { 0.5 [0.25, 0.25] [0.0, 0.0, 0.0, 0.0] }
-- input { -800.0 } output { 0.0 [0.0, 0.0] [0.0, 0.0, 0.0, 0.0] }
-- input { 800.0 } output { 1.0 [0.0, 0.0] [0.0, 0.0, 0.0, 0.0] }
-- ==
-- entry: clamp
-- input { 0.0 } output { 0.0 [1.0, 1.0] [0.0, 0.0, 0.0, 0.0] }
-- input { 2.0 } output { 2.0 [1.0, 1.0] [0.0, 0.0, 0.0, 0.0] }
-- input { 2.5 } output { 2.0 [0.0, 0.0] [0.0, 0.0, 0.0, 0.0] }
-- ==
-- entry: bounds
-- input { -1.0 } output { [1.0, 0.0, 0.0] }
-- input { 0.0 } output { [0.0, 0.0, 1.0] }
-- input { 3.0 } output { [0.0, 1.0, 0.0] }
-- ==
-- entry: logaddexp
-- input { [0.0, 0.0] }
-- output { 0.6931471805599453 [0.5, 0.5] [[0.25, -0.25], [-0.25, 0.25]] true }
-- input { [1000.0, 0.0] } output { 1000.0 [1.0, 0.0] [[0.0, 0.0], [0.0, 0.0]] true }
-- input { [-f64.inf, 0.0] } output { 0.0 [0.0, 1.0] [[0.0, 0.0], [0.0, 0.0]] true }
-- input { [-f64.inf, -f64.inf] } output { -f64.inf [0.5, 0.5] [[0.0, 0.0], [0.0, 0.0]] true }
-- ==
-- entry: logsumexp
-- input { [0.0, 0.0] }
-- output { 0.6931471805599453 [0.5, 0.5] [[0.25, -0.25], [-0.25, 0.25]] true }
-- input { [-f64.inf, 3.0] } output { 3.0 [0.0, 1.0] [[0.0, 0.0], [0.0, 0.0]] true }
-- input { [1000.0, 1000.0] }
-- output { 1000.6931471805599 [0.5, 0.5] [[0.25, -0.25], [-0.25, 0.25]] true }
-- input { [-f64.inf, -f64.inf] } output { -f64.inf [0.0, 0.0] [[0.0, 0.0], [0.0, 0.0]] true }
-- ==
-- entry: norm
-- input { [0.0, 0.0] } output { 0.0 [0.0, 0.0] [[0.0, 0.0], [0.0, 0.0]] true }
-- input { [3.0, -4.0] } output { 5.0 [0.6, -0.8] [[0.128, 0.096], [0.096, 0.072]] true }
-- input { [3e200, 4e200] } output { 5e200 [0.6, 0.8] [[0.0, 0.0], [0.0, 0.0]] true }
-- input { [3e-100, 0.0] } output { 3e-100 [1.0, 0.0] [[0.0, 0.0], [0.0, 3.333333333333333e99]] true }
-- ==
-- entry: maximum
-- input { [2.0, 2.0] } output { 2.0 [0.5, 0.5] [[0.0, 0.0], [0.0, 0.0]] true }
-- input { [2.0, 3.0] } output { 3.0 [0.0, 1.0] [[0.0, 0.0], [0.0, 0.0]] true }
-- input { [-f64.inf, -f64.inf] } output { -f64.inf [0.0, 0.0] [[0.0, 0.0], [0.0, 0.0]] true }
-- ==
-- entry: none
-- input { 0.0 } output { -f64.inf 0.0 -f64.inf f64.inf }
-- ==
-- entry: three
-- input { [5.0, 5.0, 1.0, 5.0] }
-- output { [0.3333333333333333, 0.3333333333333333, 0.0, 0.3333333333333333] [0.0, 0.0, 1.0, 0.0] }
-- ==
-- entry: single
-- input { 0f32 } output { 0.5f32 0.25f32 }
import "lib/ad/smooth"
module smooth = mk_smooth f64
module smooth32 = mk_smooth f32

def scalar (f: f64 -> f64) (x: f64) : (f64, [2]f64, [4]f64) =
  let forward x = jvp f x 1
  let reverse x = vjp f x 1
  in (f x, [forward x, reverse x],
      [jvp forward x 1, vjp forward x 1, jvp reverse x 1, vjp reverse x 1])
entry softplus = scalar smooth.softplus
entry sigmoid = scalar smooth.sigmoid
entry clamp = scalar (smooth.clamp 0 2)
entry bounds (x: f64) : [3]f64 =
  let (lo, hi, x) = vjp (\(lo, hi, x) -> smooth.clamp lo hi x) (0, 2, x) 1
  in [lo, hi, x]

def unit (n: i64) (i: i64) : [n]f64 = tabulate n (\j -> f64.bool (i == j))
def pair (f: [2]f64 -> f64) (x: [2]f64) : (f64, [2]f64, [2][2]f64, bool) =
  let reverse x = vjp f x 1
  let forward x = tabulate 2 (\i -> jvp f x (unit 2 i))
  let h : [2][2]f64 = tabulate 2 (\i -> jvp reverse x (unit 2 i))
  let size = f64.maximum ([1] ++ map f64.abs (flatten h))
  let near (a: f64) (b: f64) = f64.abs (a - b) <= 1e-15 * size
  let same (k: [2][2]f64) = and (map2 near (flatten h) (flatten k))
  in (f x, reverse x, h,
      and (map2 near (reverse x) (forward x)) && same (tabulate 2 (\i -> vjp reverse x (unit 2 i)))
      && same (tabulate 2 (\i -> vjp forward x (unit 2 i)))
      && same (transpose (tabulate 2 (\i -> jvp forward x (unit 2 i)))))
entry logaddexp = pair (\x -> smooth.logaddexp x[0] x[1])
entry logsumexp = pair (\x -> smooth.logsumexp x)
entry norm = pair (\x -> smooth.norm x)
entry maximum = pair (\x -> smooth.maximum x)
entry none (_: f64) : (f64, f64, f64, f64) =
  (smooth.logsumexp [], smooth.norm [], smooth.maximum [], smooth.minimum [])
entry three [n] (xs: [n]f64) = (vjp smooth.maximum xs 1, vjp smooth.minimum xs 1)
entry single (x: f32) =
  (vjp smooth32.softplus x 1, jvp (\x -> vjp smooth32.softplus x 1) x 1)
