-- Reverse over reverse mode through every module that has rules or loops of its own.
-- ==
-- entry: special_functions steps minima samples
-- input {} output { true }
import "lib/ode"
import "lib/optim"
import "lib/random"
import "lib/special"
import "lib/stats"
import "second"
module ode = mk_ode f64
module optim = mk_optim f64
module random = mk_random f64
module special = mk_special f64
module stats = mk_stats f64

entry special_functions : bool =
  let f (x: [3]f64) =
    special.j0 x[0] * special.i1e x[1] + special.erfcx x[2] + special.gamma_p x[0] x[1]
    + special.gamma_q x[1] x[0] + special.beta_inc x[0] x[1] (0.2 * x[2]) + special.xlogy x[0] x[1]
    + special.ndtri (0.2 * x[2]) * special.expm1 x[0] + special.logsumexp x * (special.softmax x)[1]
    + special.log_ndtr x[1] + special.log_choose x[1] x[0]
  in second_reverse f [0.7, 1.9, 2.3]

entry steps : bool =
  let spring (k: f64) _ (y: [2]f64) : [2]f64 = [y[1], -k * y[0] - 0.6 * y[1]]
  let weigh (y: [2]f64) = y[0] * y[0] + f64.sin y[1]
  let f solve (p: [4]f64) : f64 = weigh (solve (spring p[0]) 0 p[3] 5 [p[1], p[2]])
  let adaptive (p: [4]f64) = weigh (ode.dopri5 ode.ode_defaults (spring p[0]) 0 p[3] [p[1], p[2]]).y
  let p = [2, 1, 0.5, 1.5]
  in second_reverse (f ode.rk4) p && second_reverse (f ode.implicit_midpoint) p
     && second_reverse adaptive p

entry minima : bool =
  let f (x: [2]f64) (p: [2]f64) = f64.exp (p[0] * x[0]) - x[0] + (x[1] - p[1] * x[0]) ** 2
  let find p = (optim.newton (optim.defaults with gradient = 1e-13) (\x -> f x p) [0, 0]).x
  in second_reverse (\(p: [2]f64) -> let x = optim.argmin f find p in x[0] * x[0] + f64.sin x[1]) [2, 0.5]

entry samples : bool =
  let k = random.key 1
  let f (p: [3]f64) = f64.sin (random.gamma p[0] k) * random.beta p[1] p[2] k
                      + (random.dirichlet p k)[0] * stats.student_t_logpdf p[0] p[1]
                      + stats.beta_cdf p[1] p[2] (0.5 / p[0])
  in second_reverse f [1.5, 0.7, 2]
