-- Values that are defined by equations: derivatives come from the equation, not from the steps of
-- the iteration that solved it.
--
-- The rule is for the parameter p: derivatives with respect to a variable that the functions capture go
-- through the steps of the iteration.
-- Both rules have p among their results, so that they are functions of p wherever they are
-- differentiated again, and pass on what comes back for it.
import "dense"
import "linear"

-- | Derivatives of solutions: roots and fixed points by the implicit function theorem.
module mk_implicit (R: float) = {
  local module D = mk_dense R
  local module L = mk_linear R
  local def zero = R.i64 0

  -- | x = find p where f x p = 0; find may be any method, f is differentiable at the root.
  -- A rule for reverse mode: with w = (df/dx)^-T xB,  pB += -(df/dp)^T w.
  #[inline]
  def root [n] 'p (f: [n]R.t -> p -> [n]R.t) (find: p -> [n]R.t) (p: p) : [n]R.t =
    let rule (x: [n]R.t, p: p) (gx: [n]R.t, gp: p) =
      let w = L.solve (transpose (D.jacobian_forward (\x -> f x p) x)) gx
      in vjp (\p -> (f x p, p)) p (map R.neg w, gp)
    in (with_vjp (\p -> (find p, p)) rule p).0

  -- | Newton's method from x0, at most `most` steps, until no |f| is above the tolerance.
  #[inline]
  def newton [n] (f: [n]R.t -> [n]R.t) (x0: [n]R.t) (tolerance: R.t) (most: i64) : [n]R.t =
    (loop (x, i) = (x0, 0i64)
     while i < most && any (\r -> R.(abs r > tolerance)) (f x) do
       (map2 (R.-) x (L.solve_plain (D.jacobian_forward f x) (f x)), i + 1)).0

  -- | The root of f near x0 as a function of p.
  #[inline]
  def newton_root [n] 'p (f: [n]R.t -> p -> [n]R.t) (x0: [n]R.t) (p: p) : [n]R.t =
    root f (\p -> newton (\x -> f x p) x0 R.(f64 16 * epsilon) 50) p

  -- | x = f x p, by at most `most` steps from x0 until none changes x by more than the tolerance.
  -- Reverse mode makes as many steps of  w = xB + (df/dx)^T w,  then  pB += (df/dp)^T w: the same
  -- rate of convergence, and no step is stored.
  #[inline]
  def fixed_point [n] 'p (f: [n]R.t -> p -> [n]R.t) (x0: [n]R.t) (tolerance: R.t) (most: i64)
      (p: p) : [n]R.t =
    let far (x: [n]R.t) (y: [n]R.t) = any id (map2 (\a b -> R.(abs (a - b) > tolerance)) x y)
    let find p =
      let (x, _, steps) =
        loop (x, before, i) = (f x0 p, x0, 1i64)
        while i < most && far x before do (f x p, x, i + 1)
      in (x, steps)
    let rule (x: [n]R.t, steps: i64, p: p) (gx: [n]R.t, _: i64, gp: p) =
      let w = loop w = gx for _i < steps do map2 (R.+) gx (vjp (\x -> f x p) x w)
      in vjp (\p -> (f x p, p)) p (w, gp)
    in (with_vjp (\p -> let (x, steps) = find p in (x, steps, p)) rule p).0
}
