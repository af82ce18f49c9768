-- Matrix calculus by forward mode: gradients and Jacobians as the limits they are defined by, one
-- direction for each element.  The optimiser makes them cheap (doc/strategies.md): sums over one
-- case become that case.
--
--     import "lib/ad/calculus"
--     module calculus = mk_calculus f64
--     entry main [n] (xs: [n]f64) = calculus.grad f64.maximum xs

-- | Derivatives of functions of scalars, vectors and matrices, over one type of floats.
module mk_calculus (R: float) = {
  local def zero = R.i64 0
  local def one = R.i64 1

  #[inline]
  local def hot (n: i64) (i: i64) : [n]R.t = tabulate n (\j -> if i == j then one else zero)

  #[inline]
  local def hot2 (n: i64) (m: i64) (i: i64) (k: i64) : [n][m]R.t =
    tabulate_2d n m (\r c -> if i == r && k == c then one else zero)

  -- | Value and derivative of a function of one number.
  #[inline]
  def diff (f: R.t -> R.t) (x: R.t) : (R.t, R.t) = jvp2 f x one

  -- | The gradient.
  #[inline]
  def grad [n] (f: [n]R.t -> R.t) (x: [n]R.t) : [n]R.t = tabulate n (\i -> jvp f x (hot n i))

  -- | Row i is the derivative with respect to element i: the transpose of `jacobian` of lib/ad.
  #[inline]
  def jacob [n] [m] (f: [n]R.t -> [m]R.t) (x: [n]R.t) : [n][m]R.t =
    tabulate n (\i -> jvp f x (hot n i))

  -- | The derivative of a vector by a number.
  #[inline]
  def vdiff [n] (f: R.t -> [n]R.t) (x: R.t) : [n]R.t = jvp f x one

  -- | The derivative of a matrix by a number.
  #[inline]
  def mdiff [n] [m] (f: R.t -> [n][m]R.t) (x: R.t) : [n][m]R.t = jvp f x one

  -- | The gradient of a function of a matrix.
  #[inline]
  def mgrad [n] [m] (f: [n][m]R.t -> R.t) (x: [n][m]R.t) : [n][m]R.t =
    tabulate_2d n m (\i k -> jvp f x (hot2 n m i k))
}
