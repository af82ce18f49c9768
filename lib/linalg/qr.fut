-- Householder's factorisation and least squares.
import "products"
import "triangular"

-- | QR factorisations and least squares, over one type of floats.
module mk_qr (R: float) = {
  local open mk_products R
  local module T = mk_triangular R
  local def zero = R.i64 0
  local def one = R.i64 1

  -- v with (1 - v v^T) x a multiple of the unit vector k, zero before k (Golub and Van Loan 5.1).
  local def reflector [m] (k: i64) (x: [m]R.t) : [m]R.t =
    let x = tabulate m (\i -> if i < k then zero else x[i])
    let big = R.maximum (map R.abs x)
    in if R.(big == zero) || R.isinf big then map (\_ -> zero) x
       else let x = map (R./ big) x
            let size = R.(sqrt (dot x x))
            let first = if R.(x[k] < zero) then R.(x[k] - size) else R.(x[k] + size)
            let factor = R.(one / sqrt (size * abs first))
            in tabulate m (\i -> let y = if i == k then first else x[i] in R.(factor * y))
  local def reflect [m] [n] (v: [m]R.t) (a: [m][n]R.t) : [m][n]R.t =
    let w = vecmat v a
    in map2 (\vi row -> map2 (\x wj -> R.(x - vi * wj)) row w) v a

  local def plain [m] [n] (a: [m][n]R.t) : ([m][n]R.t, [n][n]R.t) =
    let k = i64.min m n
    let (a, vs) =
      loop (a, vs) = (copy a, replicate k (replicate m zero)) for j < k do
        let v = reflector j a[:, j]
        in (reflect v a, vs with [j] = copy v)
    let r = tabulate_2d n n (\i j -> if i <= j && i < m then a[i, j] else zero)
    let q = loop q = tabulate_2d m n (\i j -> if i == j then one else zero)
            for j' < k do reflect vs[k - 1 - j'] q
    let sign i = if R.(r[i, i] < zero) then R.neg one else one
    let signs = tabulate n sign
    in (map (\row -> map2 (R.*) row signs) q, map2 (\s row -> map (s R.*) row) signs r)

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
