-- Gradients, dense Jacobians and Hessians, and their products with vectors.
-- | Gradients, Jacobians and Hessians as whole arrays, over one type of floats.
module mk_dense (R: float) = {
  local def zero = R.i64 0
  local def one = R.i64 1

  -- | Row i of the identity matrix.
  def unit (n: i64) (i: i64) : [n]R.t = tabulate n (\j -> if i == j then one else zero)

  -- | The gradient of a scalar function; it has the type of x.
  def grad 'a (f: a -> R.t) (x: a) : a = vjp f x one

  -- | Value and gradient for little more than the gradient.
  def value_and_grad 'a (f: a -> R.t) (x: a) : (R.t, a) = vjp2 f x one

  -- | The derivative of a function of one number.
  def derivative 'b (f: R.t -> b) (x: R.t) : b = jvp f x one

  -- | f at x, and the linear function that takes a tangent of x to one of the result.
  #[inline]
  def linearize 'a 'b (f: a -> b) (x: a) : (b, a -> b) = (f x, \dx -> jvp f x dx)

  -- | f at x, and the linear function that takes a cotangent of the result to one of x.
  #[inline]
  def pullback 'a 'b (f: a -> b) (x: a) : (b, b -> a) = (f x, \g -> vjp f x g)

  -- | [m][n]: row i is the gradient of result i.  n forward sweeps at once.
  #[inline]
  def jacobian_forward [n] [m] (f: [n]R.t -> [m]R.t) (x: [n]R.t) : [m][n]R.t =
    transpose (jmp f x (tabulate n (unit n)))

  -- | [m][n]: row i is the gradient of result i.  m reverse sweeps after one forward sweep.
  #[inline]
  def jacobian_reverse [n] [m] (f: [n]R.t -> [m]R.t) (x: [n]R.t) : [m][n]R.t =
    let m' = length (f x)
    in mjp f x (tabulate m' (unit m') :> [m][m]R.t)

  -- | [m][n]: row i is the gradient of result i, in the cheaper mode: a reverse sweep costs about
  -- two forward sweeps.
  #[inline]
  def jacobian [n] [m] (f: [n]R.t -> [m]R.t) (x: [n]R.t) : [m][n]R.t =
    if n <= 2 * length (f x) then jacobian_forward f x else jacobian_reverse f x

  -- | The same, k rows or columns at a time: of the derivative's own memory there is only as much
  -- as k directions take.
  #[inline]
  def jacobian_chunked [n] [m] (k: i64) (f: [n]R.t -> [m]R.t) (x: [n]R.t) : [m][n]R.t =
    let k = i64.max 1 k
    let m' = length (f x)
    let chunk 't (width: i64) (c: i64) (row: i64 -> t) : []t =
      tabulate (i64.min k (width - c * k)) (\i -> row (c * k + i))
    in if n <= 2 * m'
       then let columns = loop out = replicate n (replicate m zero)
                          for c < (n + k - 1) / k do
                            let part = jmp f x (chunk n c (unit n))
                            in out with [c * k:c * k + length part] = part
            in transpose columns
       else loop out = replicate m (replicate n zero)
            for c < (m' + k - 1) / k do
              let part = mjp f x (chunk m' c (unit m) :> [][m]R.t)
              in out with [c * k:c * k + length part] = part

  -- | Hessian times vector: forward over reverse, a small multiple of the cost of f.
  def hvp 'a (f: a -> R.t) (x: a) (v: a) : a = jvp (\x -> vjp f x one) x v

  -- | Gradient and Hessian times vector.
  def grad_and_hvp 'a (f: a -> R.t) (x: a) (v: a) : (a, a) = jvp2 (\x -> vjp f x one) x v

  -- | [n][n]: forward over reverse, n directions.
  def hessian [n] (f: [n]R.t -> R.t) (x: [n]R.t) : [n][n]R.t =
    jmp (\x -> vjp f x one) x (tabulate n (unit n))

  -- | The sum of the second derivatives.
  def laplacian [n] (f: [n]R.t -> R.t) (x: [n]R.t) : R.t =
    R.sum (tabulate n (\i -> (hvp f x (unit n i))[i]))

  -- | J^T J v for J the Jacobian of f at x: the matrix of least squares.
  def gauss_newton 'a 'b (f: a -> b) (x: a) (v: a) : a = vjp f x (jvp f x v)

  -- | J^T H J v for J the Jacobian of f at x and H the Hessian of the loss at f x: the part of the
  -- Hessian of loss after f that is positive semidefinite when the loss is convex.
  def gauss_newton_loss 'a 'b (f: a -> b) (loss: b -> R.t) (x: a) (v: a) : a =
    let (y, jv) = jvp2 f x v
    in vjp f x (hvp loss y jv)
}
