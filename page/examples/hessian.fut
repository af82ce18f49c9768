-- Derivatives nest: a Hessian times a vector is forward mode over reverse mode.
def f [n] (xs: [n]f64) : f64 =
  f64.sum (map (\x -> f64.sin x * x) xs) * f64.product xs

entry hessian_times [n] (xs: [n]f64) (v: [n]f64) : [n]f64 =
  jvp (\x -> vjp f x 1) xs v
