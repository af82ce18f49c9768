-- Blocks of rows and columns for factorisations and triangular systems: products of matrices do most
-- of the work, and inside a block one row comes after the other.

-- | Blocks of matrices, over one type of floats.
module mk_blocks (R: float) = {
  -- | Rows of a block.  Fewer leave less outside of products; with this number, products of large
  -- matrices copy the columns that they read to where they lie together.
  def rows : i64 = 32

  -- | How many blocks n rows are.
  def count (n: i64) : i64 = (n + rows - 1) / rows

  -- | h rows from i on and w columns from j on; a copy, so that rows of a transposed matrix lie
  -- together.
  def part [n] [m] (i: i64) (j: i64) (h: i64) (w: i64) (a: [n][m]R.t) : *[h][w]R.t =
    copy (a[i:i + h, j:j + w] :> [h][w]R.t)

  -- | c - a b, of a the rows from i on, of b the columns from j on, of both m terms from k on: where
  -- a and b are parts of one matrix, nothing is copied.
  #[noinline]
  def minus_product [h] [w] [r] [s] [t] [u] (c: [h][w]R.t) (a: [r][s]R.t) (b: [t][u]R.t)
      (i: i64, j: i64) (k: i64, m: i64) : *[h][w]R.t =
    let a = a[i:i + h, k:k + m] :> [h][m]R.t
    let b = b[k:k + m, j:j + w] :> [m][w]R.t
    in map2 (\cs row -> map2 (\x column -> R.(x - sum (map2 (*) row column))) cs (transpose b)) c a

  -- | [n][n], [n][m] -> [n][m]: x with l x = b, l lower triangular, of few rows.
  def lower_rows [n] [m] (l: [n][n]R.t) (b: *[n][m]R.t) : *[n][m]R.t =
    loop x = b for i < n do
      let known j = R.sum (map (\k -> R.(l[i, k] * x[k, j])) (iota i))
      in x with [i] = map (\j -> R.((x[i, j] - known j) / l[i, i])) (iota m)
  local def upper_rows [n] [m] (u: [n][n]R.t) (b: *[n][m]R.t) : *[n][m]R.t =
    loop x = b for i' < n do
      let i = n - 1 - i'
      let known j = R.sum (map (\k -> let k = k + i + 1 in R.(u[i, k] * x[k, j])) (iota i'))
      in x with [i] = map (\j -> R.((x[i, j] - known j) / u[i, i])) (iota m)

  -- | [n][n], [n][m] -> [n][m]: x with l x = b, l lower triangular.
  #[noinline]
  def lower_solve [n] [m] (l: [n][n]R.t) (b: [n][m]R.t) : *[n][m]R.t =
    loop x = copy b for q < count n do
      let i = q * rows
      let h = i64.min rows (n - i)
      let rest = minus_product (part i 0 h m x) l x (i, 0) (0, i)
      in x with [i:i + h] = lower_rows (part i i h h l) rest

  -- | [n][n], [n][m] -> [n][m]: x with u x = b, u upper triangular.
  #[noinline]
  def upper_solve [n] [m] (u: [n][n]R.t) (b: [n][m]R.t) : *[n][m]R.t =
    loop x = copy b for q < count n do
      let i = (count n - 1 - q) * rows
      let h = i64.min rows (n - i)
      let k = i + h
      let rest = minus_product (part i 0 h m x) u x (i, 0) (k, n - k)
      in x with [i:k] = upper_rows (part i i h h u) rest
}
