-- lib/optim: minima found, reasons of the end, values that are not finite, derivatives of minima.
-- ==
-- entry: rosenbrock
-- input { 2i64 } output { true }
-- input { 5i64 } output { true }
-- ==
-- entry: least_squares
-- input {} output { true }
-- ==
-- entry: reasons
-- input {} output { true true true true true true true }
-- ==
-- entry: saddle
-- input { 0.0 } output { true }
-- input { 0.1 } output { true }
-- ==
-- entry: unbounded
-- input {} output { true }
-- ==
-- entry: records
-- input {} output { true }
-- ==
-- entry: minima_differentiated
-- input {} output { 0i64 }
-- ==
-- entry: run_differentiated
-- input {} output { 0i64 }
-- ==
-- entry: empty
-- input {} output { true }
-- ==
-- entry: single
-- input {} output { true }
import "lib/optim"
import "second"
module optim = mk_optim f64
module optim32 = mk_optim f32

def banana [n] (x: [n]f64) : f64 =
  f64.sum (map (\i -> 100 * (x[i + 1] - x[i] ** 2) ** 2 + (1 - x[i]) ** 2) (iota (n - 1)))
def o = optim.defaults with gradient = 1e-8
def solved [n] (r: optim.result [n]) : bool =
  r.reason == #gradient && all (\x -> f64.abs (x - 1) < 1e-6) r.x

entry rosenbrock (n: i64) : bool =
  let x = tabulate n (\i -> if n == 2 && i == 0 then -1.2 else 0.3)
  let many = o with iterations = 100000 with gradient = 1e-7
  let a = optim.lbfgs o 7 banana x
  let b = optim.newton o banana x
  let c = optim.descent many {rate = 5e-4, momentum = 0.95} banana x
  let d = optim.adam many (optim.adam_defaults 0.01) banana x
  in solved a && solved b && solved c && solved d && a.iterations < 80 && b.iterations < 50

-- Rosenbrock's as a sum of squares; an exponential fit whose residual is not zero.
entry least_squares : bool =
  let r (x: [2]f64) = [10 * (x[1] - x[0] ** 2), 1 - x[0]]
  let ts = map (\i -> 0.25 * f64.i64 i) (iota 12)
  let ys = map (\t -> 2 * f64.exp (-1.5 * t) + 0.01 * f64.cos (9 * t)) ts
  let fit (p: [2]f64) = map2 (\t y -> p[0] * f64.exp (-p[1] * t) - y) ts ys
  let a = optim.levenberg_marquardt o r [-1.2, 1]
  let b = optim.levenberg_marquardt o fit [1, 0]
  let c = optim.lbfgs o 5 (\p -> 0.5 * f64.sum (map (\r -> r * r) (fit p))) [1, 0]
  in solved a && b.reason == #gradient && near 1e-6 b.x c.x && f64.abs (b.x[0] - 2) < 0.05
     && a.iterations < 60 && b.iterations < 30

entry reasons : (bool, bool, bool, bool, bool, bool, bool) =
  let square (x: [1]f64) = (x[0] - 3) ** 2
  let step = optim.descent (o with step = 1e-3) {rate = 0.1, momentum = 0} square [0]
  let value = optim.lbfgs (o with gradient = 0 with value = 1e-9) 3 banana [-1.2, 1]
  let wall (x: [1]f64) = if x[0] > 2 then f64.nan else square x
  let blown = optim.descent o {rate = 1.5, momentum = 0} wall [0]
  let stopped = optim.lbfgs o 3 wall [0]
  in ((optim.lbfgs o 3 square [3]).reason == #gradient,
      step.reason == #step, value.reason == #value,
      (optim.adam (o with iterations = 3) (optim.adam_defaults 0.1) square [0]).reason == #iterations,
      (optim.newton o wall [5]).reason == #not_finite,
      blown.reason == #not_finite && blown.x[0] == 0,
      stopped.reason != #running && stopped.value < 1.1 && stopped.x[0] <= 2)

-- Newton's method where the Hessian is singular or negative.
entry saddle (x: f64) : bool =
  let f (x: [2]f64) = x[0] ** 4 - x[0] ** 2 + x[1] ** 2 + 0.01 * x[0]
  let r = optim.newton o f [x, 1]
  in r.reason == #gradient && r.value < -0.2

entry unbounded : bool =
  let f (x: [1]f64) = -x[0]
  let loud (r: optim.result [1]) = r.reason == #not_finite || r.reason == #line_search
                                   || r.reason == #iterations
  in loud (optim.lbfgs o 3 f [0]) && loud (optim.newton o f [0])

entry records : bool =
  let to p = [p.mean, p.scale.0, p.scale.1]
  let from (x: [3]f64) = {mean = x[0], scale = (x[1], x[2])}
  let f p = (p.mean - 1) ** 2 + f64.cosh (p.scale.0 - 2) + (p.scale.1 * p.mean - 3) ** 2
  let (p, r) = optim.on_record to from (optim.lbfgs o 5) f {mean = 0.5, scale = (0, 0)}
  in near 1e-6 (to p) [1, 2, 3] && r.reason == #gradient

entry minima_differentiated : i64 =
  let f (x: [2]f64) (p: [2]f64) = f64.exp (p[0] * x[0]) - x[0] + (x[1] - p[1] * x[0]) ** 2
  let find p = (optim.newton (o with gradient = 1e-13) (\x -> f x p) [0, 0]).x
  in second (\(p: [2]f64) -> let x = optim.argmin f find p in x[0] * x[0] + f64.sin x[1]) [2, 0.5]

-- Through the steps of an optimisation: the value after 15 steps as a function of rate and
-- momentum.
entry run_differentiated : i64 =
  let few = o with iterations = 15
  let f (x: [2]f64) = f64.cosh x[0] + (x[1] - x[0]) ** 2
  let after (p: [2]f64) = (optim.descent few {rate = p[0], momentum = p[1]} f [1, 2]).value
  let adam (p: [2]f64) = (optim.adam few (optim.adam_defaults p[0] with beta1 = p[1]) f [1, 2]).value
  in 10000 * second after [0.03, 0.5] + second adam [0.03, 0.5]

entry empty : bool =
  let f (x: [0]f64) = f64.sum x
  in (optim.lbfgs o 3 f []).reason == #gradient && (optim.newton o f []).reason == #gradient

entry single : bool =
  let f (x: [2]f32) = (x[0] - 3) ** 2 + 2 * (x[1] + x[0]) ** 2
  let r = optim32.lbfgs optim32.defaults 3 f [0, 0]
  in r.reason != #not_finite && f32.abs (r.x[0] - 3) < 1e-3 && f32.abs (r.x[1] + 3) < 1e-3
