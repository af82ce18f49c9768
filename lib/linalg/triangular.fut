-- Systems with triangular matrices.  The rule, for x with a x = b: bB = a^-T xB, aB = - the
-- triangle of bB x^T.  It is itself such a system, so that derivatives of every order cost two
-- triangular solves more than what they differentiate.
import "products"

-- | Solvers of triangular systems, over one type of floats.  Only the triangle is read.  A zero on
-- the diagonal gives infinities or NaN.
module mk_triangular (R: float) = {
  local module P = mk_products R
  local def zero = R.i64 0

  local def lower_plain [n] [m] (l: [n][n]R.t) (b: [n][m]R.t) : [n][m]R.t =
    loop x = copy b for i < n do
      let known j = R.sum (map (\k -> R.(l[i, k] * x[k, j])) (iota i))
      in x with [i] = map (\j -> R.((x[i, j] - known j) / l[i, i])) (iota m)
  local def upper_plain [n] [m] (u: [n][n]R.t) (b: [n][m]R.t) : [n][m]R.t =
    loop x = copy b for i' < n do
      let i = n - 1 - i'
      let known j = R.sum (map (\k -> let k = k + i + 1 in R.(u[i, k] * x[k, j])) (iota i'))
      in x with [i] = map (\j -> R.((x[i, j] - known j) / u[i, i])) (iota m)

  local def lower_with [n] [m] (inner: [n][n]R.t -> [n][m]R.t -> [n][m]R.t)
      (l: [n][n]R.t) (b: [n][m]R.t) : [n][m]R.t =
    with_vjp (\(l, b) -> lower_plain l b)
      (\x g -> let w = inner (transpose l) g
               in (P.lower (map (\wi -> map (\xj -> R.neg (P.dot wi xj)) x) w), w)) (l, b)
  local def upper_with [n] [m] (inner: [n][n]R.t -> [n][m]R.t -> [n][m]R.t)
      (u: [n][n]R.t) (b: [n][m]R.t) : [n][m]R.t =
    with_vjp (\(u, b) -> upper_plain u b)
      (\x g -> let w = inner (transpose u) g
               in (P.upper (map (\wi -> map (\xj -> R.neg (P.dot wi xj)) x) w), w)) (u, b)

  -- | [n][n], [n][m] -> [n][m]: x with l x = b, by forward substitution.
  --
  --     linalg.solve_lower_matrix [[2.0, 0.0], [1.0, 1.0]] [[2.0], [3.0]] --> [[1.0], [2.0]]
  def solve_lower_matrix [n] [m] (l: [n][n]R.t) (b: [n][m]R.t) : [n][m]R.t =
    lower_with (upper_with lower_plain) l b

  -- | [n][n], [n][m] -> [n][m]: x with u x = b, by back substitution.
  --
  --     linalg.solve_upper_matrix [[2.0, 1.0], [0.0, 1.0]] [[4.0], [2.0]] --> [[1.0], [2.0]]
  def solve_upper_matrix [n] [m] (u: [n][n]R.t) (b: [n][m]R.t) : [n][m]R.t =
    upper_with (lower_with upper_plain) u b

  local def column [n] (f: [n][n]R.t -> [n][1]R.t -> [n][1]R.t) (a: [n][n]R.t) (b: [n]R.t) =
    map (\row -> row[0]) (f a (map (\x -> [x]) b))

  -- | [n][n], [n] -> [n]: x with l x = b.
  --
  --     linalg.solve_lower [[2.0, 0.0], [1.0, 1.0]] [2.0, 3.0] --> [1.0, 2.0]
  def solve_lower [n] (l: [n][n]R.t) (b: [n]R.t) : [n]R.t = column solve_lower_matrix l b

  -- | [n][n], [n] -> [n]: x with u x = b.
  --
  --     linalg.solve_upper [[2.0, 1.0], [0.0, 1.0]] [4.0, 2.0] --> [1.0, 2.0]
  def solve_upper [n] (u: [n][n]R.t) (b: [n]R.t) : [n]R.t = column solve_upper_matrix u b
}
