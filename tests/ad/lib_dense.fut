-- lib/ad: gradients, Jacobians, Hessians and products, against derivatives by hand.
-- ==
-- entry: value_and_grad
-- input { [0.0, 1.0] } output { 0.8414709848078965 [1.0, 0.5403023058681398] }
-- ==
-- entry: jacobians
-- input { [3.0, 2.0] }
-- output { [[2.0, 3.0], [1.0, 1.0], [0.5, -0.75]] true }
-- ==
-- entry: wide_jacobians
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] } output { [[120.0, 60.0, 40.0, 30.0, 24.0]] true }
-- input { [0.0, 2.0, 3.0, 4.0, 5.0] } output { [[120.0, 0.0, 0.0, 0.0, 0.0]] true }
-- ==
-- entry: hessian
-- input { [2.0, 3.0] } output { [[6.0, 4.0], [4.0, 54.0]] [16.0, 58.0] 60.0 }
-- ==
-- entry: gauss_newton
-- input { [2.0, 3.0] [1.0, 1.0] } output { [14.0, 13.0] [14.0, 13.0] }
-- ==
-- entry: linear
-- input { 0.5 } output { 0.479425538604203 1.755165123780746 0.479425538604203 2.632747685671119 }
-- ==
-- entry: stopped
-- input { 3.0 } output { 3.0 3.0 0.0 6.0 }
import "lib/ad"
module ad = mk_ad f64

entry value_and_grad (x: [2]f64) = ad.value_and_grad (\xs -> f64.sum (map f64.sin xs)) x

def tall (x: [2]f64) : [3]f64 = [x[0] * x[1], x[0] + x[1], x[0] / x[1]]
def near [n] [m] (a: [n][m]f64) (b: [n][m]f64) =
  all (\d -> d < 1e-12) (map2 (\x y -> f64.abs (x - y)) (flatten a) (flatten b))

entry jacobians x =
  let j = ad.jacobian tall x
  in (j, near j (ad.jacobian_forward tall x) && near j (ad.jacobian_reverse tall x)
         && all (\k -> near j (ad.jacobian_chunked k tall x)) [1, 2, 3, 100])

def wide [n] (x: [n]f64) : [1]f64 = [f64.product x]
entry wide_jacobians (x: [5]f64) =
  let j = ad.jacobian wide x
  in (j, near j (ad.jacobian_forward wide x) && near j (ad.jacobian_reverse wide x)
         && all (\k -> near j (ad.jacobian_chunked k wide x)) [1, 2, 3, 100])

-- x^2 y + y^4/2: second derivatives 2y, 2x, 6y^2
def quartic (x: [2]f64) : f64 = x[0] * x[0] * x[1] + x[1] ** 4 / 2
entry hessian x =
  (ad.hessian quartic x, (ad.grad_and_hvp quartic x [1, 1]).1 |> map2 (+) [6, 0], ad.laplacian quartic x)

-- J = [[3, 2], [1, 0]] at (2, 3)
def residuals (x: [2]f64) : [2]f64 = [x[0] * x[1], x[0]]
entry gauss_newton (x: [2]f64) (v: [2]f64) =
  (ad.gauss_newton residuals x v |> map2 (+) [-2, 3],
   ad.gauss_newton_loss residuals (\r -> f64.sum (map (\r -> r * r / 2) r)) x v |> map2 (+) [-2, 3])

entry linear (x: f64) =
  let (y, along) = ad.linearize f64.sin x
  let (z, back) = ad.pullback f64.sin x
  in (y, along 2, z, back 3)

entry stopped (x: f64) =
  let f x = x * stop_gradient x
  in (vjp f x 1, jvp f x 1, vjp (\x -> vjp f x 1) x 1,
      jvp (\x -> vjp (\y -> x * y + stop_gradient x * y) x 1 + stop_gradient x * x) x 1 + 2)
