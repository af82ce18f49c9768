-- Householder's factorisation and least squares.
import "products"
import "triangular"
import "blocks"
import "reflections"

-- | QR factorisations and least squares, over one type of floats.
module mk_qr (R: float) = {
  local open mk_products R
  local module T = mk_triangular R
  local module B = mk_blocks R
  local module H = mk_reflections R
  local def zero = R.i64 0
  local def one = R.i64 1

  local def reflect_by [n] [m] (v: [m]R.t) (rows: [n][m]R.t) : *[n][m]R.t =
    map (\row -> let d = dot row v in map2 (\x vi -> R.(x - d * vi)) row v) rows

  -- Rows of a block: each gives a vector, by which those after it are reflected.
  local def panel [h] [m] (rows: *[h][m]R.t) : (*[h][m]R.t, *[h][m]R.t) =
    loop (rows, vs) = (rows, replicate h (replicate m zero)) for j < i64.min h m do
      let v = copy (H.reflector j rows[j])
      let after = reflect_by v rows[j:]
      in (rows with [j:] = after, vs with [j] = v)

  -- Columns are rows here, since rows lie together.  Of the results, rows of q^T and of r^T.
  local def one_block [n] [m] (a: *[n][m]R.t) : ([n][m]R.t, [n][m]R.t) =
    let (a, vs) = panel a
    let q = tabulate_2d n m (\i j -> if i == j then one else zero)
    in (loop q for j < n do reflect_by vs[n - 1 - j] q, a)

  -- A block of rows is factored, and those after it are reflected by all its vectors at once, by
  -- products.
  local def blocks [n] [m] (a: *[n][m]R.t) : ([n][m]R.t, [n][m]R.t) =
    let k = i64.min m n
    let part q = let i = q * B.rows in (i, i64.min B.rows (k - i))
    let (a, vs, ts) =
      loop (a, vs, ts) =
        (a, replicate k (replicate m zero),
           replicate (B.count k) (replicate B.rows (replicate B.rows zero)))
      for q < B.count k do
        let (i, h) = part q
        let w = m - i
        let (rows, vectors) = panel (B.part i i h w a)
        let t = H.joined vectors
        let rest = H.reflect vectors t (B.part (i + h) i (n - i - h) w a)
        in (a with [i:i + h, i:] = rows with [i + h:, i:] = rest, vs with [i:i + h, i:] = vectors,
              ts with [q,:h,:h] = t)
    in (H.reflected n vs ts, a)

  #[noinline]
  local def plain [m] [n] (a: [m][n]R.t) : ([m][n]R.t, [n][n]R.t) =
    let a = copy (transpose a)
    let (q, a) = if n <= B.rows then one_block a else blocks a
    let r = tabulate_2d n n (\i j -> if i <= j && i < m then a[j, i] else zero)
    let sign i = if R.(r[i, i] < zero) then R.neg one else one
    let signs = tabulate n sign
    in (map (\row -> map2 (R.*) row signs) (transpose q),
          map2 (\s row -> map (s R.*) row) signs r)

  -- | [m][n] -> ([m][n], [n][n]), m >= n: q with orthonormal columns, and r upper triangular
  -- without negative numbers on its diagonal, so that a = q r.  Derivatives need r to be regular.
  -- The rule (Walter and Lehmann 2010): aB = (qB + q c) r^-T where c is the symmetric matrix with
  -- the lower triangle of r rB^T - qB^T q.
  --
  --     (linalg.qr [[3.0, 1.0], [4.0, 2.0]]).1 --> [[5.0, 2.2], [0.0, 0.4]]
  def qr [m] [n] (a: [m][n]R.t) : ([m][n]R.t, [n][n]R.t) =
    let rule (q: [m][n]R.t, r: [n][n]R.t) (gq: [m][n]R.t, gr: [n][n]R.t) =
      let c = sub (matmul r (transpose (upper gr))) (matmul (transpose gq) q)
      let c = tabulate_2d n n (\i j -> if j <= i then c[i, j] else c[j, i])
      let y = add gq (matmul q c)
      in transpose (T.solve_upper_matrix r (transpose y))
    in with_vjp plain rule (assert (m >= n) a)

  -- (a^T a)^-1 b by the factor r; its derivatives by `inner`.
  local def gram_with [m] [n] (r: [n][n]R.t) (inner: [m][n]R.t -> [n]R.t -> [n]R.t)
      (a: [m][n]R.t) (b: [n]R.t) : [n]R.t =
    with_vjp (\(_, b) -> T.solve_upper r (T.solve_lower (transpose r) b))
      (\x g -> let w = inner a g
               in (map2 (\wa xa -> map2 (\wi xi -> R.(neg (wa * xi + xa * wi))) w x)
                     (matvec a w) (matvec a x), w)) (a, b)
  local def gram_any [m] [n] (a: [m][n]R.t) (b: [n]R.t) : [n]R.t =
    let r = (qr a).1 in T.solve_upper r (T.solve_lower (transpose r) b)

  -- | [m][n], [m] -> [n], m >= n: the x of least |a x - b|, for a of full rank (infinite or NaN for
  -- others).  The rule solves (a^T a) w = xB by the factor of the value; then bB = a w and
  -- aB = (b - a x) w^T - (a w) x^T.
  --
  --     linalg.least_squares [[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]] [1.0, 3.0, 5.0] --> [1.0, 2.0]
  def least_squares [m] [n] (a: [m][n]R.t) (b: [m]R.t) : [n]R.t =
    let (q, r) = intrinsics.stop_gradient (plain (assert (m >= n) a))
    let gram = gram_with r (gram_with r (gram_with r gram_any))
    in with_vjp (\(_, b) -> T.solve_upper r (vecmat b q))
      (\x g -> let w = gram a g
               let aw = matvec a w
               let rest = map2 (R.-) b (matvec a x)
               in (map2 (\ri ai -> map2 (\wj xj -> R.(ri * wj - ai * xj)) w x) rest aw, aw))
      (a, b)
}
