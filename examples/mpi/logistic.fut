-- | Logistic regression: the loss of rows and its gradient, for gradient.c and gradient.py, which add
-- them up over processes.

-- | The negative log-likelihood of labels +1 and -1.
def loss [n][d] (xs: [n][d]f64) (ys: [n]f64) (w: [d]f64) : f64 =
  let margin (x: [d]f64) y = y * f64.sum (map2 (*) w x)
  in f64.sum (map2 (\x y -> f64.log1p (f64.exp (-(margin x y)))) xs ys)

-- | The loss, then its gradient in w: one array, for one sum over the processes.
-- ==
-- entry: value_and_gradient
-- input { [[1.0, 2.0]] [1.0] [0.0, 0.0] } output { [0.6931471805599453, -0.5, -1.0] }
-- input { empty([0][2]f64) empty([0]f64) [1.0, 2.0] } output { [0.0, 0.0, 0.0] }
entry value_and_gradient [n][d] (xs: [n][d]f64) (ys: [n]f64) (w: [d]f64) : []f64 =
  let (value, gradient) = vjp2 (loss xs ys) w 1
  in [value] ++ gradient
