-- Methods with a line search: L-BFGS and Newton's; Levenberg and Marquardt's for sums of squares.
import "common"
import "line_search"
import "../ad/dense"
import "../ad/implicit"
import "../linalg/cholesky"

-- | Methods that use curvature, over one type of floats.
module mk_newton (R: float) = {
  local open mk_common R
  local module W = mk_line_search R
  local module D = mk_dense R
  local module I = mk_implicit R
  local module C = mk_cholesky R
  local def zero = R.i64 0
  local def one = R.i64 1
  local def dot [n] (x: [n]R.t) (y: [n]R.t) = R.sum (map2 (R.*) x y)

  -- One step along d, or back to the gradient's direction where d is not downhill.
  #[inline]
  local def along [n] (o: options) (f: [n]R.t -> R.t) (r: result [n]) (d: [n]R.t) (a: R.t)
      : result [n] =
    let downhill = all finite d && R.(dot r.gradient d < zero)
    let d = if downhill then d else map R.neg r.gradient
    let a = if downhill then a else R.(one / max one (largest r.gradient))
    let (good, x, value, gradient) = W.wolfe f r d a
    in if good then advance o r x value gradient
       else r with iterations = r.iterations + 1 with reason = #line_search

  -- | L-BFGS (Liu and Nocedal 1989) with `memory` pairs of steps and changes of the gradient.
  --
  --     (optim.lbfgs optim.defaults 5 (\x -> (x[0] - 3) ** 2) [0.0]).reason == #gradient --> true
  #[inline]
  def lbfgs [n] (o: options) (memory: i64) (f: [n]R.t -> R.t) (x: [n]R.t) : result [n] =
    let m = i64.max 1 memory
    let direction (s: [m][n]R.t) (y: [m][n]R.t) (count: i64) (g: [n]R.t) : [n]R.t =
      let k = i64.min m count
      let place i = (count - 1 - i) % m
      let inverse i = R.(one / dot s[i] y[i])
      let (q, alphas) =
        loop (q, alphas) = (g, replicate m zero) for i < k do
          let j = place i
          let a = R.(inverse j * dot s[j] q)
          in (map2 (\q y -> R.(q - a * y)) q y[j], alphas with [j] = copy a)
      let scale = if k == 0 then one
                  else let j = place 0 in R.(dot s[j] y[j] / dot y[j] y[j])
      let q = loop q = map (scale R.*) q for i' < k do
                let j = place (k - 1 - i')
                let b = R.(alphas[j] - inverse j * dot y[j] q)
                in map2 (\q s -> R.(q + b * s)) q s[j]
      in map R.neg q
    let empty = replicate m (replicate n zero)
    let (r, _, _, _) =
      loop (r, s, y, count) = (start o f x, empty, copy empty, 0i64) while r.reason == #running do
        let a = if count == 0 then R.(one / max one (sqrt (dot r.gradient r.gradient))) else one
        let r' = copy (along o f r (direction s y count r.gradient) a)
        let ds = map2 (R.-) r'.x r.x
        let dy = map2 (R.-) r'.gradient r.gradient
        let curved = R.(dot ds dy > epsilon * sqrt (dot ds ds * dot dy dy))
        in if curved then (r', s with [count % m] = ds, y with [count % m] = dy, count + 1)
           else (r', s, y, count)
    in r

  -- | Newton's method with a line search; where the Hessian is not positive definite a multiple of
  -- the identity is added (Nocedal and Wright, algorithm 3.3).
  --
  --     (optim.newton optim.defaults (\x -> f64.cosh (x[0] - 3)) [0.0]).x --> [3.0]
  #[inline]
  def newton [n] (o: options) (f: [n]R.t -> R.t) (x: [n]R.t) : result [n] =
    let factor (h: [n][n]R.t) : [n][n]R.t =
      let with_shift (t: R.t) =
        C.cholesky (tabulate_2d n n (\i j -> if i == j then R.(h[i, j] + t) else h[i, j]))
      let good (l: [n][n]R.t) = all (\i -> finite l[i, i] && R.(l[i, i] > zero)) (iota n)
      let size = R.(f64 1e-3 * max epsilon (maximum (map (\row -> largest row) h)))
      let (l, _, _) =
        loop (l, t, k) = (with_shift zero, size, 0i64) while !(good l) && k < 60 do
          (with_shift t, R.(i64 4 * t), k + 1)
      in l
    in loop r = start o f x while r.reason == #running do
         let l = factor (D.hessian f r.x)
         in along o f r (map R.neg (C.cholesky_solve l r.gradient)) one

  -- | Levenberg and Marquardt's method for half the sum of squares of a residual, with the damping
  -- of Nielsen 1999.  The matrix is that of the normal equations.
  --
  --     (optim.levenberg_marquardt optim.defaults (\x -> [x[0] - 3]) [1.0]).x --> [3.0]
  #[inline]
  def levenberg_marquardt [n] [m] (o: options) (residual: [n]R.t -> [m]R.t) (x: [n]R.t)
      : result [n] =
    let value x = let r = residual x in R.(f64 0.5 * dot r r)
    let normal x =
      let j = D.jacobian residual x
      let a = map (\c -> map (dot c) (transpose j)) (transpose j)
      in (a, R.maximum (map2 (\row i -> row[i]) a (iota n)))
    let (a, most) = normal x
    let (r, _, _, _) =
      loop (r, a, mu, grow) = (start o value x, a, R.(f64 1e-3 * max most epsilon), R.i64 2)
      while r.reason == #running do
        let damped = tabulate_2d n n (\i j -> if i == j then R.(a[i, j] + mu) else a[i, j])
        let h = map R.neg (C.cholesky_solve (C.cholesky damped) r.gradient)
        let x = map2 (R.+) r.x h
        let v = value x
        let model = R.(f64 0.5 * sum (map2 (\h g -> h * (mu * h - g)) h r.gradient))
        let ratio = R.((r.value - v) / model)
        in if R.(ratio > zero) && finite v
           then let (v, g) = vjp2 value x one
                let (a, _) = normal x
                let t = R.(i64 2 * ratio - one)
                in (advance o r x v g, a, R.(mu * max (one / i64 3) (one - t * t * t)), R.i64 2)
           else let r = r with iterations = r.iterations + 1
                let stuck = R.(largest h <= epsilon * (largest r.x + epsilon)) || !(finite mu)
                let reason : reason =
                  if stuck then #line_search
                  else if r.iterations >= o.iterations then #iterations else #running
                in (r with reason = reason, a, R.(mu * grow), R.(grow + grow))
    in r

  -- | The minimum over x of f x p as a function of p, where `find p` is it, found by any method:
  -- its derivatives by p come from the equation that the gradient is zero (lib/ad).
  --
  --     vjp (\p -> (optim.argmin (\x p -> (x[0] - p) ** 2) (\p -> [p]) p)[0]) 3.0 1 --> 1.0
  #[inline]
  def argmin [n] 'p (f: [n]R.t -> p -> R.t) (find: p -> [n]R.t) (p: p) : [n]R.t =
    I.root (\x p -> vjp (\x -> f x p) x one) find p

  -- | A method for records or tuples, given functions to arrays and back: the point as such a
  -- record, and the method's result.
  --
  --     (optim.on_record (\p -> [p.a]) (\x -> {a = x[0]}) (optim.newton optim.defaults) (\p -> p.a ** 2) {a = 1}).0.a --> 0.0
  #[inline]
  def on_record [n] 'p (to: p -> [n]R.t) (from: [n]R.t -> p)
      (method: ([n]R.t -> R.t) -> [n]R.t -> result [n]) (f: p -> R.t) (p: p) : (p, result [n]) =
    let r = method (\x -> f (from x)) (to p)
    in (from r.x, r)
}
