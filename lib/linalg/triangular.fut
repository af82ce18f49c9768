-- Systems with triangular matrices.  The rule, for x with a x = b: bB = a^-T xB, aB = - the
-- triangle of bB x^T.  It is itself such a system, so that derivatives of every order cost two
-- triangular solves more than what they differentiate.
import "products"
import "blocks"

-- | Solvers of triangular systems, over one type of floats.  Only the triangle is read.  A zero on
-- the diagonal gives infinities or NaN.
module mk_triangular (R: float) = {
  local module P = mk_products R
  local module B = mk_blocks R

  local def lower_with [n] [m] (inner: [n][n]R.t -> [n][m]R.t -> [n][m]R.t)
      (l: [n][n]R.t) (b: [n][m]R.t) : [n][m]R.t =
    with_vjp (\(l, b) -> B.lower_solve l b)
      (\x g -> let w = inner (transpose l) g
               in (P.lower (map (\wi -> map (\xj -> R.neg (P.dot wi xj)) x) w), w)) (l, b)
  local def upper_with [n] [m] (inner: [n][n]R.t -> [n][m]R.t -> [n][m]R.t)
      (u: [n][n]R.t) (b: [n][m]R.t) : [n][m]R.t =
    with_vjp (\(u, b) -> B.upper_solve u b)
      (\x g -> let w = inner (transpose u) g
               in (P.upper (map (\wi -> map (\xj -> R.neg (P.dot wi xj)) x) w), w)) (u, b)

  -- | [n][n], [n][m] -> [n][m]: x with l x = b, by forward substitution.
  --
  --     linalg.solve_lower_matrix [[2.0, 0.0], [1.0, 1.0]] [[2.0], [3.0]] --> [[1.0], [2.0]]
  def solve_lower_matrix [n] [m] (l: [n][n]R.t) (b: [n][m]R.t) : [n][m]R.t =
    lower_with (upper_with B.lower_solve) l b

  -- | [n][n], [n][m] -> [n][m]: x with u x = b, by back substitution.
  --
  --     linalg.solve_upper_matrix [[2.0, 1.0], [0.0, 1.0]] [[4.0], [2.0]] --> [[1.0], [2.0]]
  def solve_upper_matrix [n] [m] (u: [n][n]R.t) (b: [n][m]R.t) : [n][m]R.t =
    upper_with (lower_with B.upper_solve) u b

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
