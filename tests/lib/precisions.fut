-- The library over f32 and f16: values to their precision.
-- ==
-- entry: systems
-- input {}
-- output { [1f32, 1f32] [1.381966f32, 3.618034f32] [3.618034f32, 1.381966f32] [1f16, 1f16]
--   [1.382f16, 3.617f16] }
-- ==
-- entry: functions
-- input {}
-- output { [0.2642f16, 0.6875f16, 0.7651f16, 1.96f16, 0.2554f16, 0.8045f16]
--   [0.7606171f32, 0.05496364f32, 0.481373f32, -0.0082327692f32, -454.32124f32] }
-- ==
-- entry: methods
-- input {} output { [1f16] [2.718f16] [2.718f16] true }
import "lib/linalg"
import "lib/ode"
import "lib/optim"
import "lib/random"
import "lib/special"
import "lib/stats"
module linalg16 = mk_linalg f16
module linalg32 = mk_linalg f32
module special16 = mk_special f16
module special32 = mk_special f32
module random16 = mk_random f16
module stats16 = mk_stats f16
module optim16 = mk_optim f16
module ode16 = mk_ode f16

entry systems : ([2]f32, [2]f32, [2]f32, [2]f16, [2]f16) =
  (linalg32.solve [[2, 1], [1, 3]] [3, 4], linalg32.eigenvalues [[2, 1], [1, 3]],
   linalg32.singular_values [[2, 1], [1, 3]], linalg16.solve [[2, 1], [1, 3]] [3, 4],
   linalg16.eigenvalues [[2, 1], [1, 3]])
entry functions : ([6]f16, [5]f32) =
  ([special16.gamma_p 2 1, special16.beta_inc 2 3 0.5, special16.j0 1, special16.ndtri 0.975,
    special16.erfcx 2, stats16.student_t_cdf 3 1],
   [special32.gamma_p 20000 20100, special32.gamma_q 5 9, special32.beta_inc 300 2000 0.13,
    vjp (\a -> special32.gamma_p a 12) 5 1, special32.log_ndtr (-30)])
entry methods : ([1]f16, [1]f16, [1]f16, bool) =
  let o = ode16.ode_defaults with relative = 0.01 with absolute = 0.01
  let z = random16.several 100 (random16.gamma 2) (random16.key 1)
  in ((optim16.lbfgs optim16.defaults 3 (\x -> (x[0] - 1) ** 2) [0]).x,
      ode16.rk4 (\_ y -> y) 0 1 10 [1], (ode16.dopri5 o (\_ y -> y) 0 1 [1]).y,
      all (\u -> u > 0 && u < 1) (random16.uniforms 1000 (random16.key 2))
      && all (\z -> z > 0) z)
