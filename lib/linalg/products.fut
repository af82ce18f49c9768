-- Products and parts of matrices: arrays [n][m], one row after the other.
--
--     import "lib/linalg"
--     module linalg = mk_linalg f64
import "../ad/smooth"

-- | Products and parts of matrices, over one type of floats.
module mk_products (R: float) = {
  local module S = mk_smooth R
  local def zero = R.i64 0
  local def one = R.i64 1

  -- | [n], [n] -> scalar: the inner product.
  --
  --     linalg.dot [1.0, 2.0] [3.0, 4.0] --> 11.0
  def dot [n] (x: [n]R.t) (y: [n]R.t) : R.t = R.sum (map2 (R.*) x y)

  -- | [n], [m] -> [n][m]: x y^T.
  --
  --     linalg.outer [1.0, 2.0] [3.0, 4.0] --> [[3.0, 4.0], [6.0, 8.0]]
  def outer [n] [m] (x: [n]R.t) (y: [m]R.t) : [n][m]R.t = map (\a -> map (\b -> R.(a * b)) y) x

  -- | [n][m], [m] -> [n]: a x.
  --
  --     linalg.matvec [[1.0, 2.0], [3.0, 4.0]] [1.0, 1.0] --> [3.0, 7.0]
  def matvec [n] [m] (a: [n][m]R.t) (x: [m]R.t) : [n]R.t = map (dot x) a

  -- | [n], [n][m] -> [m]: x^T a.
  --
  --     linalg.vecmat [1.0, 1.0] [[1.0, 2.0], [3.0, 4.0]] --> [4.0, 6.0]
  def vecmat [n] [m] (x: [n]R.t) (a: [n][m]R.t) : [m]R.t = matvec (transpose a) x

  -- | [n][m], [m][p] -> [n][p]: a b.
  --
  --     linalg.matmul [[1.0, 2.0], [3.0, 4.0]] [[0.0, 1.0], [1.0, 0.0]] --> [[2.0, 1.0], [4.0, 3.0]]
  def matmul [n] [m] [p] (a: [n][m]R.t) (b: [m][p]R.t) : [n][p]R.t =
    map (\row -> map (dot row) (transpose b)) a

  -- | [n], [n][m], [m] -> scalar: x^T a y.
  --
  --     linalg.bilinear [1.0, 0.0] [[1.0, 2.0], [3.0, 4.0]] [0.0, 1.0] --> 2.0
  def bilinear [n] [m] (x: [n]R.t) (a: [n][m]R.t) (y: [m]R.t) : R.t = dot x (matvec a y)

  -- | [n][n]: the identity matrix.
  --
  --     linalg.identity 2 --> [[1.0, 0.0], [0.0, 1.0]]
  def identity (n: i64) : [n][n]R.t =
    tabulate_2d n n (\i j -> if i == j then one else zero)

  -- | [n] -> [n][n]: the matrix with this diagonal.
  --
  --     linalg.diagonal [1.0, 2.0] --> [[1.0, 0.0], [0.0, 2.0]]
  def diagonal [n] (d: [n]R.t) : [n][n]R.t =
    tabulate_2d n n (\i j -> if i == j then d[i] else zero)

  -- | [n][n] -> [n]: the diagonal of a matrix.
  --
  --     linalg.diagonal_of [[1.0, 2.0], [3.0, 4.0]] --> [1.0, 4.0]
  def diagonal_of [n] (a: [n][n]R.t) : [n]R.t = tabulate n (\i -> a[i, i])

  -- | [n][n] -> scalar: the sum of the diagonal.
  --
  --     linalg.trace [[1.0, 2.0], [3.0, 4.0]] --> 5.0
  def trace [n] (a: [n][n]R.t) : R.t = R.sum (diagonal_of a)

  -- | [n][n] -> [n][n]: the lower triangle with the diagonal, zero above.
  --
  --     linalg.lower [[1.0, 2.0], [3.0, 4.0]] --> [[1.0, 0.0], [3.0, 4.0]]
  def lower [n] (a: [n][n]R.t) : [n][n]R.t =
    tabulate_2d n n (\i j -> if j <= i then a[i, j] else zero)

  -- | [n][n] -> [n][n]: the upper triangle with the diagonal, zero below.
  --
  --     linalg.upper [[1.0, 2.0], [3.0, 4.0]] --> [[1.0, 2.0], [0.0, 4.0]]
  def upper [n] (a: [n][n]R.t) : [n][n]R.t =
    tabulate_2d n n (\i j -> if j >= i then a[i, j] else zero)

  -- | [n][n] -> [n][n]: (a + a^T) / 2.
  --
  --     linalg.symmetric [[1.0, 2.0], [4.0, 4.0]] --> [[1.0, 3.0], [3.0, 4.0]]
  def symmetric [n] (a: [n][n]R.t) : [n][n]R.t =
    tabulate_2d n n (\i j -> R.(f64 0.5 * (a[i, j] + a[j, i])))

  -- | [n][m], [n][m] -> [n][m]: a + b.
  --
  --     linalg.add [[1.0]] [[2.0]] --> [[3.0]]
  def add [n] [m] (a: [n][m]R.t) (b: [n][m]R.t) : [n][m]R.t = map2 (map2 (R.+)) a b

  -- | [n][m], [n][m] -> [n][m]: a - b.
  --
  --     linalg.sub [[1.0]] [[2.0]] --> [[-1.0]]
  def sub [n] [m] (a: [n][m]R.t) (b: [n][m]R.t) : [n][m]R.t = map2 (map2 (R.-)) a b

  -- | scalar, [n][m] -> [n][m]: s a.
  --
  --     linalg.scale 2.0 [[1.0, 2.0]] --> [[2.0, 4.0]]
  def scale [n] [m] (s: R.t) (a: [n][m]R.t) : [n][m]R.t = map (map (s R.*)) a

  -- | [n] -> scalar: the Euclidean norm; at the zero vector all derivatives are 0 (lib/ad/smooth).
  --
  --     linalg.norm [3.0, 4.0] --> 5.0
  def norm [n] (x: [n]R.t) : R.t = S.norm x

  -- | [n][m] -> scalar: the norm of all elements together (Frobenius).
  --
  --     linalg.matrix_norm [[1.0, 2.0], [2.0, 4.0]] --> 5.0
  def matrix_norm [n] [m] (a: [n][m]R.t) : R.t = S.norm (flatten a)
}
