-- Steps of one size: the classical method of Runge and Kutta, and the implicit midpoint rule.
--
-- A system is a function f t y of the time and the state [n]; parameters are what f captures.
-- Derivatives are those of the steps (discrete sensitivities): in reverse mode a loop that keeps to
-- the memory limit (doc/memory.md).
import "../ad/dense"
import "../linalg/lu"
import "../linalg/products"

-- | Methods of fixed steps, over one type of floats.
module mk_fixed (R: float) = {
  local module D = mk_dense R
  local module L = mk_lu R
  local module P = mk_products R
  local def half = R.f64 0.5
  local def two = R.i64 2

  -- y + h k.
  local def along [n] (y: [n]R.t) (h: R.t) (k: [n]R.t) : [n]R.t = map2 (\y k -> R.(y + h * k)) y k

  -- | One step of the classical method of order 4 from time t, of size h.
  --
  --     ode.rk4_step (\_ y -> y) 0 0.1 [1.0] --> [1.1051708]
  #[inline]
  def rk4_step [n] (f: R.t -> [n]R.t -> [n]R.t) (t: R.t) (h: R.t) (y: [n]R.t) : [n]R.t =
    let k1 = f t y
    let k2 = f R.(t + half * h) (along y R.(half * h) k1)
    let k3 = f R.(t + half * h) (along y R.(half * h) k2)
    let k4 = f R.(t + h) (along y h k3)
    let rise a b c d = R.(h / i64 6 * (a + two * b + two * c + d))
    in map2 (R.+) y (map4 rise k1 k2 k3 k4)

  -- One step solves k = f (t + h/2) (y + h/2 k), by Newton's method with the matrix of its start.
  -- The solution is a constant to derivatives; three corrections more, with the inverse of the
  -- matrix at the solution, also a constant, make derivatives of the first three orders right, each
  -- that of its order: the correction's own derivative by k is 0 there.  NaN where 50 steps of
  -- Newton's method find no solution.
  #[inline]
  local def midpoint_slope [n] (f: R.t -> [n]R.t -> [n]R.t) (t: R.t) (h: R.t) (y: [n]R.t) : [n]R.t =
    let residual k = map2 (R.-) k (f R.(t + half * h) (along y R.(half * h) k))
    let inverse_at k = intrinsics.stop_gradient (L.inverse (D.jacobian_forward residual k))
    let correct (m: [n][n]R.t) k = map2 (R.-) k (P.matvec m (residual k))
    let size (k: [n]R.t) = R.maximum (map R.abs k)
    let start = intrinsics.stop_gradient (f t y)
    let m = inverse_at start
    let (k, change, _) =
      loop (k, change, i) = (start, R.inf, 0i64)
      while R.(change > epsilon * i64 4 * size k) && i < 50 do
        let next = intrinsics.stop_gradient (correct m k)
        in (next, size (map2 (R.-) next k), i + 1)
    let solved = R.(change <= sqrt epsilon * size k || abs h * change <= sqrt epsilon * size y)
    let k = if solved then k else map (\_ -> R.nan) k
    let m = inverse_at k
    in correct m (correct m (correct m k))

  -- | One step of the implicit midpoint rule, of order 2: symplectic and stable for stiff systems;
  -- NaN where its equation is not solved, for too large a step.
  --
  --     ode.midpoint_step (\_ y -> map (\a -> -a) y) 0 2 [1.0] --> [0.0]
  #[inline]
  def midpoint_step [n] (f: R.t -> [n]R.t -> [n]R.t) (t: R.t) (h: R.t) (y: [n]R.t) : [n]R.t =
    along y h (midpoint_slope f t h y)

  -- | `solve_steps step f t0 t1 steps y`: the state at t1 after that number of equal steps.
  --
  --     ode.solve_steps ode.rk4_step (\_ y -> y) 0 1 100 [1.0] --> [2.718281828]
  #[inline]
  def solve_steps [n]
      (step: (R.t -> [n]R.t -> [n]R.t) -> R.t -> R.t -> [n]R.t -> [n]R.t)
      (f: R.t -> [n]R.t -> [n]R.t) (t0: R.t) (t1: R.t) (steps: i64) (y: [n]R.t) : [n]R.t =
    let h = R.((t1 - t0) / i64 steps)
    in loop y = y for i < steps do step f R.(t0 + i64 i * h) h y

  -- | [steps + 1][n]: the states at t0, and after each of the equal steps.
  --
  --     length (ode.path ode.rk4_step (\_ y -> y) 0 1 10 [1.0]) --> 11i64
  #[inline]
  def path [n]
      (step: (R.t -> [n]R.t -> [n]R.t) -> R.t -> R.t -> [n]R.t -> [n]R.t)
      (f: R.t -> [n]R.t -> [n]R.t) (t0: R.t) (t1: R.t) (steps: i64) (y: [n]R.t)
      : [steps + 1][n]R.t =
    let h = R.((t1 - t0) / i64 steps)
    let (all, _) =
      loop (all, y) = (replicate (steps + 1) y, y) for i < steps do
        let y = step f R.(t0 + i64 i * h) h y
        in (all with [i + 1] = copy y, y)
    in all

  -- | The state at t1 by the classical method.
  --
  --     ode.rk4 (\_ y -> y) 0 1 100 [1.0] --> [2.718281828]
  #[inline]
  def rk4 [n] (f: R.t -> [n]R.t -> [n]R.t) (t0: R.t) (t1: R.t) (steps: i64) (y: [n]R.t) : [n]R.t =
    solve_steps rk4_step f t0 t1 steps y

  -- | The state at t1 by the implicit midpoint rule.
  --
  --     ode.implicit_midpoint (\_ y -> y) 0 1 100 [1.0] --> [2.7183]
  #[inline]
  def implicit_midpoint [n] (f: R.t -> [n]R.t -> [n]R.t) (t0: R.t) (t1: R.t) (steps: i64) (y: [n]R.t)
      : [n]R.t = solve_steps midpoint_step f t0 t1 steps y
}
