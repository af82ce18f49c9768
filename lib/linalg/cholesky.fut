-- The Cholesky factorisation and symmetric positive definite systems.
import "products"
import "triangular"
import "blocks"

-- | Cholesky factorisations, over one type of floats.
module mk_cholesky (R: float) = {
  local open mk_products R
  local module T = mk_triangular R
  local module B = mk_blocks R
  local def zero = R.i64 0

  local def columns [n] (a: *[n][n]R.t) : *[n][n]R.t =
    loop l = a for j < n do
      let known i = R.sum (map (\k -> R.(l[i, k] * l[j, k])) (iota j))
      let d = R.(sqrt (l[j, j] - known j))
      let below = map (\i -> let i = i + j + 1 in R.((l[i, j] - known i) / d)) (iota (n - j - 1))
      let l[j, j] = copy d
      in l with [j + 1:, j] = below

  -- The upper factor, a block of rows after the other: less what the rows above it explain, its
  -- square part is factored and the rest solved.
  #[noinline]
  local def plain [n] (a: [n][n]R.t) : [n][n]R.t =
    let upper =
      loop u = copy a for q < B.count n do
        let i = q * B.rows
        let h = i64.min B.rows (n - i)
        let (k, w) = (i + h, n - i - h)
        let above = copy (transpose (B.part 0 i i h u))
        let rest = B.minus_product (B.part i i h (h + w) u) above u (0, i) (0, i)
        let d = columns (B.part 0 0 h h rest)
        let u[i:k, i:k] = transpose d
        in u with [i:k, k:] = B.lower_rows d (B.part 0 h h w rest)
    in lower (transpose upper)

  -- | [n][n] -> [n][n]: the lower l, with a positive diagonal, of l l^T = (a + a^T) / 2; NaN from
  -- the first column on that shows that this is not positive definite.  The rule (Murray 2016):
  -- aB is the symmetric part of l^-T p l^-1, p the lower triangle of l^T lB with half its diagonal.
  --
  --     linalg.cholesky [[4.0, 2.0], [2.0, 5.0]] --> [[2.0, 0.0], [1.0, 2.0]]
  def cholesky [n] (a: [n][n]R.t) : [n][n]R.t =
    let rule (l: [n][n]R.t) (g: [n][n]R.t) =
      let m = matmul (transpose l) (lower g)
      let p = tabulate_2d n n (\i j -> if j < i then m[i, j]
                                       else if i == j then R.(f64 0.5 * m[i, i]) else zero)
      let y = T.solve_upper_matrix (transpose l) p
      in symmetric (T.solve_upper_matrix (transpose l) (transpose y))
    in with_vjp (\a -> plain (symmetric a)) rule a

  -- | [n][n], [n] -> [n]: x with l l^T x = b, l from cholesky.
  --
  --     linalg.cholesky_solve [[2.0, 0.0], [1.0, 2.0]] [8.0, 9.0] --> [1.375, 1.25]
  def cholesky_solve [n] (l: [n][n]R.t) (b: [n]R.t) : [n]R.t =
    T.solve_upper (transpose l) (T.solve_lower l b)

  -- | [n][n], [n][m] -> [n][m]: x with l l^T x = b, l from cholesky.
  --
  --     linalg.cholesky_solve_matrix [[2.0]] [[4.0, 8.0]] --> [[1.0, 2.0]]
  def cholesky_solve_matrix [n] [m] (l: [n][n]R.t) (b: [n][m]R.t) : [n][m]R.t =
    T.solve_upper_matrix (transpose l) (T.solve_lower_matrix l b)

  -- | [n][n] -> scalar: log det (l l^T), l from cholesky.
  --
  --     linalg.cholesky_logdet [[2.0, 0.0], [1.0, 2.0]] --> 2.772588722239781
  def cholesky_logdet [n] (l: [n][n]R.t) : R.t = R.(i64 2 * sum (map log (diagonal_of l)))
}
