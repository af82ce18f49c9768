-- The derivations of "forward mode by optimisation": matrix calculus by forward mode, as cheap as by
-- hand.
import "lib/ad/calculus"
import "lib/linalg_tilde"
module calculus = mk_calculus f64
module la = mk_linalg_tilde f64
module vec = la.vec
module mat = la.mat

entry transpose_twice [n] [m] (a: [n][m]f64) : [n][m]f64 = mat.transpose (mat.transpose a)

entry times_identity [n] (v: [n]i64) : [n]i64 =
  let eye = tabulate_2d n n (\i j -> i64.bool (i == j))
  in tabulate n (\i -> i64.sum (map2 (*) v eye[:, i]))

entry dot_gradient [n] (a: [n]f64) (b: [n]f64) : [n]f64 = calculus.grad (\a -> vec.dot a b) a

entry trace_gradient [n] (m: [n][n]f64) : [n][n]f64 = calculus.mgrad mat.trace m

entry trace_scaled_gradient [n] (a: f64) (m: [n][n]f64) : [n][n]f64 =
  calculus.mgrad (\m -> mat.trace (mat.map (\x -> a * x) m)) m

entry bilinear_gradient [n] [m] (u: [n]f64) (a: [n][m]f64) (v: [m]f64) : [n][m]f64 =
  calculus.mgrad (\a -> vec.dot u (map (\row -> vec.dot row v) a)) a

entry scaled_derivative [n] (s: f64) (v: [n]f64) : [n]f64 = calculus.vdiff (\s -> vec.smul s v) s

entry sum_jacobian [n] (a: [n]f64) (b: [n]f64) : [n][n]f64 = calculus.jacob (\a -> vec.add a b) a

entry maximum_gradient [n] (a: [n]f64) : [n]f64 = calculus.grad f64.maximum a

entry factorisation_gradient [n] [m] (a: [n][m]f64) (u: [n]f64) (v: [m]f64) : [n]f64 =
  let term p x = f64.log p + x / p
  in calculus.grad (\u -> f64.sum (map2 (\p row -> f64.sum (map2 (\q x -> term (p * q) x) v row))
                                        u a)) u
