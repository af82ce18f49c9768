-- Elimination with row exchanges: systems, inverses and determinants.
--
-- Solutions, inverses and determinants have rules that use the factors of the value again: the
-- factors are constants to derivatives (stop_gradient), and the rule says how the result depends on
-- the matrix.
import "products"
import "triangular"
import "blocks"

-- | LU factorisations, general systems and determinants, over one type of floats.
module mk_lu (R: float) = {
  local open mk_products R
  local module T = mk_triangular R
  local module B = mk_blocks R
  local def zero = R.i64 0
  local def one = R.i64 1
  -- | The order of rows, both triangular factors in one matrix, and the sign of the order.
  type~ factors [n] = ([n]i64, [n][n]R.t, R.t)

  local def unit_lower [n] (a: [n][n]R.t) : [n][n]R.t =
    tabulate_2d n n (\i j -> if j < i then a[i, j] else if i == j then one else zero)

  local def exchange [n] 't (i: i64) (j: i64) (a: *[n]t) : *[n]t =
    let (x, y) = (copy a[i], copy a[j])
    let a[i] = y
    in a with [j] = x

  -- The factors of h columns, which are the rows of c, and with which row each row is exchanged.
  local def columns [h] [w] (c: *[h][w]R.t) : (*[h][w]R.t, *[h]i64) =
    loop (c, others) = (c, replicate h 0) for k < h do
      let best = loop b = k for i in k..<w do if R.(abs c[k, i] > abs c[k, b]) then i else b
      let (here, there) = (copy c[:, k], copy c[:, best])
      let c[:, k] = there
      let c[:, best] = here
      let pivot = c[k, k]
      let divide x = if R.(pivot == zero) then zero else R.(x / pivot)
      let below = map divide c[k, k + 1:]
      let c[k, k + 1:] = copy below
      let next (row: [w]R.t) = map2 (\x l -> R.(x - row[k] * l)) row[k + 1:] below
      let c[k + 1:, k + 1:] = map next c[k + 1:]
      let others[k] = best
      in (c, others)

  -- Both factors in one matrix, the rows' order and its sign.  Crout's order: step q makes a block
  -- of columns of l, exchanges rows, and makes a block of rows of u; nothing else is written.
  #[noinline]
  local def plain [n] (a: [n][n]R.t) : factors [n] =
    loop (p, a, sign) = (iota n, copy a, one) for q < B.count n do
      let i = q * B.rows
      let h = i64.min B.rows (n - i)
      let (k, w) = (i + h, n - i - h)
      let down = B.minus_product (B.part i i (h + w) h a) a a (i, i) (0, i)
      let (c, others) = columns (copy (transpose down))
      let (p, a, sign) =
        loop (p, a, sign) for j < h do
          let other = i + others[j]
          in (exchange (i + j) other p, exchange (i + j) other a,
              if other == i + j then sign else R.neg sign)
      let a[i:, i:k] = transpose c
      let right = B.minus_product (B.part i k h w a) a a (i, k) (0, i)
      let a[i:k, k:] = B.lower_rows (unit_lower (B.part i i h h a)) right
      in (p, a, sign)

  -- b with rows in order p; and rows back from that order.
  local def ordered [n] [m] (p: [n]i64) (b: [n][m]R.t) = map (\i -> b[i]) p
  local def inverse_order [n] (p: [n]i64) : [n]i64 = scatter (replicate n 0) p (iota n)
  local def reordered [n] [m] (p: [n]i64) (b: [n][m]R.t) = ordered (inverse_order p) b

  -- | [n][n] -> ([n], [n][n], [n][n]): the order p of rows, l with ones on the diagonal, u, where
  -- row i of l u is row p[i] of a.  Derivatives need u to be regular.  The rule: with m = strict
  -- lower part of l^T lB + upper part of uB u^T, aB in that order is l^-T m u^-T.
  --
  --     (linalg.lu [[1.0, 1.0], [2.0, 4.0]]).2 --> [[2.0, 4.0], [0.0, -1.0]]
  def lu [n] (a: [n][n]R.t) : ([n]i64, [n][n]R.t, [n][n]R.t) =
    let split a = let (p, f, _) = plain a in (p, unit_lower f, upper f)
    let rule (p: [n]i64, l: [n][n]R.t, u: [n][n]R.t) (_: [n]i64, gl: [n][n]R.t, gu: [n][n]R.t) =
      let a = matmul (transpose l) gl
      let b = matmul gu (transpose u)
      let m = tabulate_2d n n (\i j -> if j < i then a[i, j] else b[i, j])
      let y = T.solve_upper_matrix (transpose l) m
      in reordered p (transpose (T.solve_upper_matrix u (transpose y)))
    in with_vjp split rule a

  -- x with a x = b, or with a^T x = b, given the factors of a.
  local def apply [n] [m] (t: bool) (p: [n]i64, f: [n][n]R.t, _: R.t) (b: [n][m]R.t) : [n][m]R.t =
    if t then reordered p (T.solve_upper_matrix (transpose (unit_lower f))
                             (T.solve_lower_matrix (transpose (upper f)) b))
    else T.solve_upper_matrix (upper f) (T.solve_lower_matrix (unit_lower f) (ordered p b))

  -- The solution by the factors f; its derivatives by `inner`.
  local def solve_with [n] [m] (f: factors [n])
      (inner: bool -> [n][n]R.t -> [n][m]R.t -> [n][m]R.t)
      (t: bool) (a: [n][n]R.t) (b: [n][m]R.t) : [n][m]R.t =
    with_vjp (\(_, b) -> apply t f b)
      (\x g -> let w = inner (!t) a g
               let product = if t then matmul x (transpose w) else matmul w (transpose x)
               in (map (map R.neg) product, w)) (a, b)
  local def solve_any [n] [m] (t: bool) (a: [n][n]R.t) (b: [n][m]R.t) : [n][m]R.t =
    let (p, l, u) = lu a
    in apply t (p, tabulate_2d n n (\i j -> if j < i then l[i, j] else u[i, j]), one) b

  -- | [n][n], [n][m] -> [n][m]: x with a x = b.  Derivatives solve systems with a or its transpose
  -- by the factors of the value.  A singular matrix gives infinities or NaN.
  --
  --     linalg.solve_matrix [[0.0, 2.0], [1.0, 0.0]] [[4.0], [3.0]] --> [[3.0], [2.0]]
  def solve_matrix [n] [m] (a: [n][n]R.t) (b: [n][m]R.t) : [n][m]R.t =
    let f = intrinsics.stop_gradient (plain a)
    in solve_with f (solve_with f (solve_with f solve_any)) false a b

  -- | [n][n], [n] -> [n]: x with a x = b, as solve_matrix.
  --
  --     linalg.solve [[0.0, 2.0], [1.0, 0.0]] [4.0, 3.0] --> [3.0, 2.0]
  def solve [n] (a: [n][n]R.t) (b: [n]R.t) : [n]R.t =
    map (\row -> row[0]) (solve_matrix a (map (\x -> [x]) b))

  -- a^-1 by the factors.  The rule for y = a^-1: aB = - y^T yB y^T.
  local def inverse_with [n] (f: factors [n]) (a: [n][n]R.t) : [n][n]R.t =
    with_vjp (\_ -> apply false f (identity n))
      (\y g -> map (map R.neg) (matmul (transpose y) (matmul g (transpose y)))) a

  -- | [n][n] -> [n][n]: the inverse; of a singular matrix infinities or NaN.
  --
  --     linalg.inverse [[0.0, 2.0], [1.0, 0.0]] --> [[0.0, 1.0], [0.5, 0.0]]
  def inverse [n] (a: [n][n]R.t) : [n][n]R.t =
    inverse_with (intrinsics.stop_gradient (plain a)) a

  -- | [n][n] -> (scalar, scalar): the sign of the determinant and the logarithm of its absolute
  -- value; 0 and -inf of a singular matrix, where it has no derivative.
  --
  --     linalg.logdet [[0.0, 2.0], [1.0, 0.0]] --> -1.0 0.6931471805599453
  def logdet [n] (a: [n][n]R.t) : (R.t, R.t) =
    let f = intrinsics.stop_gradient (plain a)
    let d = diagonal_of f.1
    let value = R.(sum (map (\x -> log (abs x)) d))
    in (R.(f.2 * product (map sgn d)),
        with_vjp (\_ -> value) (\_ g -> scale g (transpose (inverse_with f a))) a)

  -- Bird 2011: n - 1 products of matrices and no division, so that it has all derivatives
  -- everywhere.
  local def det_by_products [n] (a: [n][n]R.t) : R.t =
    let next x =
      let below = map (\i -> R.sum (map (\j -> if j > i then x[j, j] else zero) (iota n)))
                      (iota n)
      let m = tabulate_2d n n (\i j -> if j > i then x[i, j]
                                       else if i == j then R.neg below[i] else zero)
      in matmul m a
    let x = loop x = a for _i < n - 1 do next x
    let sign = R.i64 (2 * (n % 2) - 1)
    in loop d = one for i < i64.min n 1 do R.(sign * x[i, i])

  -- | [n][n] -> scalar: the determinant.  Of a matrix that is singular to rounding, and of one of
  -- at most 16 rows that is near that, it is computed without division, by some n^4 operations, so
  -- that derivatives are right there, too.  Of larger ones near to singular second derivatives lose
  -- digits.
  --
  --     linalg.det [[1.0, 2.0], [3.0, 4.0]] --> -2.0
  def det [n] (a: [n][n]R.t) : R.t =
    let f = intrinsics.stop_gradient (plain a)
    let d = diagonal_of f.1
    let least = R.(minimum (map abs d))
    let limit = if n <= 16 then R.f64 1e-4 else R.(i64 n * epsilon)
    in if R.(least <= limit * maximum (map abs d)) then det_by_products a
       else with_vjp (\_ -> R.(f.2 * product d))
                     (\y g -> scale R.(y * g) (transpose (inverse_with f a))) a
}
