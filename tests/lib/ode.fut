-- lib/ode: orders of convergence, invariants, dense output, reasons of the end; sensitivities in
-- both modes to second order, against exact ones.
-- ==
-- entry: orders
-- input {} output { true true }
-- ==
-- entry: invariants
-- input {} output { true }
-- ==
-- entry: stiff
-- input {} output { true }
-- ==
-- entry: adaptive
-- input { 1e-4 } output { true }
-- input { 1e-9 } output { true }
-- ==
-- entry: dense
-- input {} output { true true }
-- ==
-- entry: ends
-- input {} output { true true true true }
-- ==
-- entry: sensitivities
-- input {} output { 0i64 0i64 }
-- ==
-- entry: third
-- input {} output { true true }
-- ==
-- entry: unsolved
-- input {} output { true }
-- ==
-- entry: adaptive_sensitivities
-- input {} output { true true true }
-- ==
-- entry: times_differentiated
-- input {} output { true }
-- ==
-- entry: single
-- input {} output { true }
import "lib/ode"
import "second"
module ode = mk_ode f64
module ode32 = mk_ode f32

-- A damped oscillator; its exact state by complex exponentials.
def damped (k: f64) (c: f64) (_: f64) (y: [2]f64) : [2]f64 = [y[1], -k * y[0] - 2 * c * y[1]]
def exact (k: f64) (c: f64) (y: [2]f64) (t: f64) : [2]f64 =
  let w = f64.sqrt (k - c * c)
  let (co, si) = (f64.cos (w * t), f64.sin (w * t) / w)
  let e = f64.exp (-c * t)
  in [e * (y[0] * co + (y[1] + c * y[0]) * si), e * (y[1] * co - (k * y[0] + c * y[1]) * si)]
def forced (t: f64) (y: [1]f64) : [1]f64 = [f64.cos t * y[0]]

entry orders : (bool, bool) =
  let y = [1, 0.5]
  let error solve n = largest (solve (damped 2 0.3) 0 3 n y) (exact 2 0.3 y 3)
  let rate solve = error solve 40 / error solve 80
  let r4 = rate ode.rk4
  let r2 = rate ode.implicit_midpoint
  in (r4 > 14 && r4 < 18 && error ode.rk4 200 < 1e-7, r2 > 3.8 && r2 < 4.2)

-- The midpoint rule keeps quadratic invariants; the path begins and ends where it should.
entry invariants : bool =
  let f _ (y: [2]f64) = [y[1], -y[0]]
  let p = ode.path ode.midpoint_step f 0 20 50 [1, 0]
  let end = ode.implicit_midpoint f 0 20 50 [1, 0]
  let pendulum _ (y: [2]f64) = [y[1], - f64.sin y[0]]
  let q = ode.path ode.rk4_step pendulum 0 10 1000 [1, 0]
  let energy (y: [2]f64) = 0.5 * y[1] ** 2 - f64.cos y[0]
  in all (\y -> f64.abs (y[0] ** 2 + y[1] ** 2 - 1) < 1e-13) p && near 1e-13 p[50] end
     && near 1e-15 p[0] [1, 0] && f64.abs (energy q[1000] - energy q[0]) < 1e-9

entry stiff : bool =
  let f t (y: [1]f64) = [-1e6 * (y[0] - f64.cos t)]
  let y = ode.implicit_midpoint f 0 1 50 [1]
  in f64.abs (y[0] - f64.cos 1) < 1e-3

entry adaptive (tolerance: f64) : bool =
  let o = ode.ode_defaults with relative = tolerance with absolute = tolerance
  let y = [1, 0.5]
  let there = ode.dopri5 o (damped 2 0.3) 0 3 y
  let back = ode.dopri5 o (damped 2 0.3) 3 0 there.y
  let f = ode.dopri5 o forced 0 10 [1]
  in there.reason == #done && there.time == 3 && largest there.y (exact 2 0.3 y 3) < 30 * tolerance
     && largest back.y y < 300 * tolerance && f64.abs (f.y[0] - f64.exp (f64.sin 10)) < 100 * tolerance
     && there.accepted < i64.f64 (20 * (1e-4 / tolerance) ** 0.2) + 10

entry dense : (bool, bool) =
  let o = ode.ode_defaults with relative = 1e-8 with absolute = 1e-8
  let y = [1, 0.5]
  let times = map (\i -> 0.05 * f64.i64 i) (iota 61)
  let (ys, r) = ode.dopri5_at o (damped 2 0.3) times y
  let (zs, _) = ode.dopri5_at o (damped 2 0.3) (map (\t -> -t) times) y
  let right s (y': [2]f64) t = largest y' (exact 2 0.3 y (s * t)) < 1e-6
  in (and (map2 (right 1) ys times) && r.reason == #done && r.accepted < 60,
      and (map2 (right (-1)) zs times))

entry ends : (bool, bool, bool, bool) =
  let o = ode.ode_defaults
  let blow _ (y: [1]f64) = [y[0] * y[0]]
  let a = ode.dopri5 o blow 0 2 [1]
  let b = ode.dopri5 (o with steps = 5) (damped 2 0.3) 0 100 [1, 0]
  let (ys, c) = ode.dopri5_at o blow [0, 0.5, 2] [1]
  let d = ode.dopri5 o blow 1 1 [3]
  in (a.reason == #too_small && a.time < 1.001, b.reason == #steps && b.accepted + b.rejected == 5,
      c.reason == #too_small && f64.abs (ys[1, 0] - 2) < 1e-5 && f64.isnan ys[2, 0],
      d.reason == #done && d.y[0] == 3)

-- By stiffness, damping, start and end.
entry sensitivities : (i64, i64) =
  let value solve (p: [5]f64) =
    let y = solve (damped p[0] p[1]) 0 p[4] 6 [p[2], p[3]]
    in y[0] * y[0] + f64.sin y[1]
  let p = [2, 0.3, 1, 0.5, 1.5]
  in (second (value ode.rk4) p, second (value ode.implicit_midpoint) p)

-- Of a system that is not linear, where the equation of a step takes several corrections.
entry third : (bool, bool) =
  let f solve (a: f64) : f64 = (solve (\t y -> [f64.sin (y[0] * a) + t * y[0]]) 0 1 3 [a])[0]
  let agree solve =
    let first x = jvp (f solve) x 1
    let second x = vjp first x 1
    let slope g = (g 0.70001 - g 0.69999) / 2e-5
    in near 1e-7 [first 0.7, second 0.7, jvp second 0.7 1]
                 [slope (f solve), slope first, slope second]
  in (agree ode.rk4, agree ode.implicit_midpoint)

-- A step at whose end there is no state.
entry unsolved : bool =
  f64.isnan (ode.implicit_midpoint (\_ y -> [1 + y[0] * y[0]]) 0 10 1 [1])[0]

entry adaptive_sensitivities : (bool, bool, bool) =
  let o = ode.ode_defaults with relative = 1e-9 with absolute = 1e-9
  let weigh (y: [2]f64) = y[0] * y[0] + f64.sin y[1]
  let f (p: [4]f64) = weigh (ode.dopri5 o (damped p[0] p[1]) 0 1.5 [p[2], p[3]]).y
  let g (p: [4]f64) = weigh (ode.dopri5_at o (damped p[0] p[1]) [0, 1.1, 1.5, 2] [p[2], p[3]]).0[2]
  let e (p: [4]f64) = weigh (exact p[0] p[1] [p[2], p[3]] 1.5)
  let p = [2, 0.3, 1, 0.5]
  let both h = near 1e-11 (vjp h p 1) (tabulate 4 (\i -> jvp h p (unit 4 i)))
  let hessian h = flatten (tabulate 4 (\i -> jvp (\p -> vjp h p 1) p (unit 4 i)))
  in (both f && near 1e-7 (vjp f p 1) (vjp e p 1), both g && near 1e-6 (vjp g p 1) (vjp e p 1),
      near 1e-6 (hessian f) (hessian e))

-- The derivative by the end is f there, by the start its negative, carried forward.
entry times_differentiated : bool =
  let y (t: f64) = (ode.dopri5 ode.ode_defaults forced 0 t [1]).y[0]
  in f64.abs (vjp y 2 1 - f64.cos 2 * y 2) < 1e-5

entry single : bool =
  let r = ode32.dopri5 ode32.ode_defaults (\_ y -> y) 0 1 [1]
  in r.reason == #done && f32.abs (r.y[0] - 2.7182818) < 1e-5
