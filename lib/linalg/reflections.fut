-- Householder's reflections, many at once: products of matrices do the work.
import "products"
import "blocks"

-- | Reflections, over one type of floats.  A vector v is the reflection 1 - v v^T.
module mk_reflections (R: float) = {
  local open mk_products R
  local module B = mk_blocks R
  local def zero = R.i64 0
  local def one = R.i64 1

  -- | v with (1 - v v^T) x a multiple of the unit vector k, zero before k (Golub and Van Loan 5.1).
  def reflector [m] (k: i64) (x: [m]R.t) : [m]R.t =
    let x = tabulate m (\i -> if i < k then zero else x[i])
    let big = R.maximum (map R.abs x)
    in if R.(big == zero) || R.isinf big then map (\_ -> zero) x
       else let x = map (R./ big) x
            let size = R.(sqrt (dot x x))
            let first = if R.(x[k] < zero) then R.(x[k] - size) else R.(x[k] + size)
            let factor = R.(one / sqrt (size * abs first))
            in tabulate m (\i -> let y = if i == k then first else x[i] in R.(factor * y))

  -- | Vectors of reflections, one a row of vs, and t with H_1 .. H_h = 1 - vs^T t vs (Schreiber and Van
  -- Loan 1989): upper triangular, column j is -t (vs v_j) above a 1.
  def joined [h] [m] (vs: [h][m]R.t) : [h][h]R.t =
    let g = matmul vs (transpose vs)
    in loop t = replicate h (replicate h zero) for j < h do
         let above i = R.(neg (sum (map (\l -> t[i, l] * g[l, j]) (iota j))))
         let element i = if i == j then one else if i < j then above i else zero
         in t with [:, j] = map element (iota h)

  -- | Rows x become x - x vs^T t vs.
  def reflect [n] [h] [m] (vs: [h][m]R.t) (t: [h][h]R.t) (rows: [n][m]R.t) : *[n][m]R.t =
    let w = matmul (matmul rows (transpose vs)) t
    in B.minus_product (copy rows) w vs (0, 0) (0, h)

  -- | The rows of the identity, reflected by all: from the last to the first.  Rows of vs from i on
  -- are zero before i; ts has one t for each block.
  def reflected [b] [k] [m] (n: i64) (vs: [k][m]R.t) (ts: [b][][]R.t) : *[n][m]R.t =
    loop x = tabulate_2d n m (\i j -> if i == j then one else zero) for q' < b do
      let q = b - 1 - q'
      let i = q * B.rows
      let h = i64.min B.rows (k - i)
      let w = m - i
      let t = transpose (ts[q,:h,:h] :> [h][h]R.t)
      in x with [i:, i:] = reflect (vs[i:i + h, i:] :> [h][w]R.t) t (B.part i i (n - i) w x)
}
