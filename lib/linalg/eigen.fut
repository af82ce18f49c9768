-- Eigenvalues and eigenvectors of symmetric matrices, singular values, and functions of matrices.
--
-- Where eigenvalues are equal, eigenvectors are not functions of the matrix, but much that is made
-- of them is.  First derivatives of eigenvalues and singular values need no vectors' derivatives
-- and are right for all functions that treat equal ones alike; those of `symmetric_function` are
-- right always.  Derivatives through eigenvectors divide by differences of eigenvalues; where both
-- numerator and difference are 0 the derivative is infinite or NaN, since vectors do not determine
-- it.
import "products"

-- | Decompositions of symmetric matrices and singular values, over one type of floats.
module mk_eigen (R: float) = {
  local open mk_products R
  local def zero = R.i64 0
  local def one = R.i64 1
  local def two = R.i64 2
  local def half = R.f64 0.5

  -- Householder's reduction to tridiagonal form: diagonal, what is beside it, and the rows of q^T
  -- where a = q t q^T.
  local def tridiagonal [n] (a: [n][n]R.t) : ([n]R.t, [n]R.t, [n][n]R.t) =
    let (a, q) =
      loop (a, q) = (copy a, identity n) for k < i64.max 0 (n - 2) do
        let x = tabulate n (\i -> if i <= k then zero else a[i, k])
        let big = R.maximum (map R.abs x)
        let scaled = map (\x -> if R.(big == zero) then zero else R.(x / big)) x
        let size = R.(sqrt (dot scaled scaled))
        let head = scaled[k + 1]
        let first = if R.(head < zero) then R.(head - size) else R.(head + size)
        let factor = if R.(size == zero) then zero else R.(one / sqrt (size * abs first))
        let v = tabulate n (\i -> let x = if i == k + 1 then first else scaled[i] in R.(factor * x))
        let p = matvec a v
        let half_vp = R.(half * dot v p)
        let w = map2 (\p v -> R.(p - half_vp * v)) p v
        let qv = vecmat v q
        in (map3 (\row vi wi -> map3 (\x vj wj -> R.(x - vi * wj - wi * vj)) row v w) a v w,
            map2 (\row vi -> map2 (\x s -> R.(x - vi * s)) row qv) q v)
    in (diagonal_of a, tabulate n (\i -> if i + 1 < n then a[i + 1, i] else zero), q)

  -- Rows i and j of z, rotated.
  local def rotate [n] [m] (i: i64) (j: i64) (c: R.t) (s: R.t) (z: *[n][m]R.t) : *[n][m]R.t =
    let (x, y) = (copy z[i], copy z[j])
    let z[i] = map2 (\x y -> R.(c * x - s * y)) x y
    in z with [j] = map2 (\x y -> R.(s * x + c * y)) x y

  -- One implicitly shifted QL step on rows l to m of the tridiagonal matrix (Bowdler, Martin,
  -- Reinsch and Wilkinson 1968).
  local def ql_step [n] (l: i64) (m: i64) (d: *[n]R.t, e: *[n]R.t, z: *[n][n]R.t)
      : (*[n]R.t, *[n]R.t, *[n][n]R.t) =
    let (first, second, last, beside) = (copy d[l], copy d[l + 1], copy d[m], copy e[l])
    let shift = R.((second - first) / (two * beside))
    let start = R.(last - first + beside / (shift + copysign (hypot shift one) shift))
    let (d, e, z, g, p, _, _) =
      loop (d, e, z, g, p, s, c) = (d, e, z, copy start, copy zero, copy one, copy one)
      for i' < m - l do
        let i = m - 1 - i'
        let (ei, di, dnext) = (copy e[i], copy d[i], copy d[i + 1])
        let (f, b) = (R.(s * ei), R.(c * ei))
        let r = R.hypot f g
        let (s, c) = if R.(r == zero) then (zero, one) else (R.(f / r), R.(g / r))
        let g = R.(dnext - p)
        let q = R.((di - g) * s + two * c * b)
        let (p, g, dnext) = (R.(s * q), R.(c * q - b), R.(g + s * q))
        let e[i + 1] = copy r
        let d[i + 1] = copy dnext
        in (d, e, rotate i (i + 1) c s z, copy g, copy p, copy s, copy c)
    let rest = R.(first - p)
    let d[l] = copy rest
    let e[l] = copy g
    let e[m] = copy zero
    in (d, e, z)

  -- Eigenvalues, ascending, and eigenvectors as rows, the largest component of each positive.
  local def plain_rows [n] (a: [n][n]R.t) : ([n]R.t, [n][n]R.t) =
    let (d, e, z) = tridiagonal a
    let small (x: R.t) (y: R.t) (beside: R.t) = R.(abs beside <= epsilon * (abs x + abs y))
    let block (d: [n]R.t) (e: [n]R.t) (l: i64) : i64 =
      loop m = l while m < n - 1 && !(small d[m] d[m + 1] e[m]) do m + 1
    let (d, _, z, good) =
      loop (d, e, z, good) = (copy d, copy e, copy z, true) for l < n do
        let (d, e, z, m, _) =
          loop (d, e, z, m, k) = (d, e, z, block d e l, 0i64) while m > l && k < 60 do
            let (d, e, z) = ql_step l m (d, e, z)
            let next = block d e l
            in (d, e, z, next, k + 1)
        in (d, e, z, good && m == l)
    let before i j = R.(d[j] < d[i]) || !(R.(d[i] < d[j])) && j < i
    let rank = tabulate n (\i -> i64.sum (tabulate n (\j -> i64.bool (before i j))))
    let order = scatter (replicate n 0) rank (iota n)
    let positive (v: [n]R.t) =
      let k = loop k = 0 for i < n do if R.(abs v[i] > abs v[k]) then i else k
      in if R.(v[k] < zero) then map R.neg v else v
    in (map (\i -> if good then d[i] else R.nan) order, map (\i -> positive z[i]) order)

  -- v (x + x^T)/2 v^T.
  local def back [n] (v: [n][n]R.t) (x: [n][n]R.t) : [n][n]R.t =
    matmul v (matmul (symmetric x) (transpose v))

  local def value [n] (a: [n][n]R.t) : ([n]R.t, [n][n]R.t) =
    let (w, z) = plain_rows (symmetric a) in (w, transpose z)
  local def turn [n] (w: [n]R.t) (v: [n][n]R.t) (gw: [n]R.t) (gv: [n][n]R.t) : [n][n]R.t =
    let m = matmul (transpose v) gv
    in back v (tabulate_2d n n (\i j -> if i == j then gw[i]
                                        else R.(half * (m[i, j] - m[j, i]) / (w[j] - w[i]))))
  -- Both at once, for the rules of each; the value, a constant to derivatives, is computed once.
  local def both [n] (d: ([n]R.t, [n][n]R.t)) (a: [n][n]R.t) : ([n]R.t, [n][n]R.t) =
    with_vjp (\_ -> d)
      (\(w: [n]R.t, v: [n][n]R.t) (gw: [n]R.t, gv: [n][n]R.t) -> turn w v gw gv) a
  local def values_of [n] (d: ([n]R.t, [n][n]R.t)) (a: [n][n]R.t) : [n]R.t =
    let (_, v) = both d a
    in with_vjp (\_ -> d.0) (\_ g -> back v (diagonal g)) a
  local def vectors_of [n] (d: ([n]R.t, [n][n]R.t)) (a: [n][n]R.t) : [n][n]R.t =
    let (w, _) = both d a
    in with_vjp (\_ -> d.1) (\v g -> turn w v (replicate n zero) g) a

  -- | [n][n] -> [n]: the eigenvalues of (a + a^T) / 2, ascending.  The rule: aB = v diag wB v^T.
  --
  --     linalg.eigenvalues [[2.0, 1.0], [1.0, 2.0]] --> [1.0, 3.0]
  def eigenvalues [n] (a: [n][n]R.t) : [n]R.t =
    values_of (intrinsics.stop_gradient (value a)) a

  -- | [n][n] -> [n][n]: the eigenvectors of (a + a^T) / 2 as columns, in the order of eigenvalues,
  -- the component of each that is largest in absolute value positive.  The rule: aB is the
  -- symmetric part of v (f * (v^T vB)) v^T, f_ij = 1 / (w_j - w_i).
  --
  --     linalg.eigenvectors [[2.0, 0.0], [0.0, 1.0]] --> [[0.0, 1.0], [1.0, 0.0]]
  def eigenvectors [n] (a: [n][n]R.t) : [n][n]R.t =
    vectors_of (intrinsics.stop_gradient (value a)) a

  -- | [n][n] -> ([n], [n][n]): eigenvalues and eigenvectors.
  --
  --     linalg.eigh [[2.0, 0.0], [0.0, 1.0]] --> [1.0, 2.0] [[0.0, 1.0], [1.0, 0.0]]
  def eigh [n] (a: [n][n]R.t) : ([n]R.t, [n][n]R.t) =
    let d = intrinsics.stop_gradient (value a)
    in (values_of d a, vectors_of d a)

  -- (f x - f y) / (x - y); where x and y are so close that this cancels, the slope between them.
  local def divided (f: R.t -> R.t) (x: R.t) (y: R.t) : R.t =
    let near = R.(abs (x - y) <= cbrt epsilon * (one + abs x + abs y) * f64 0.1)
    let slope = jvp f R.(half * (x + y)) one
    in if near then slope else R.((f x - f y) / (if near then one else x - y))

  -- | [n][n] -> [n][n]: f of (a + a^T) / 2, v diag (f w) v^T, for any differentiable f.  The rule
  -- (Daleckii and Krein 1965) is right for equal eigenvalues, too: aB = v (d * (v^T yB v)) v^T with
  -- d_ij = (f w_i - f w_j) / (w_i - w_j), f' w_i where these are equal.
  --
  --     linalg.symmetric_function f64.sqrt [[4.0, 0.0], [0.0, 9.0]] --> [[2.0, 0.0], [0.0, 3.0]]
  #[inline]
  def symmetric_function [n] (f: R.t -> R.t) (a: [n][n]R.t) : [n][n]R.t =
    let d = intrinsics.stop_gradient (value a)
    let (w, v) = both d a
    let result = matmul d.1 (map2 (\x column -> map (R.* f x) column) d.0 (transpose d.1))
    let rule _ (g: [n][n]R.t) =
      let m = matmul (transpose v) (matmul (symmetric g) v)
      in back v (tabulate_2d n n (\i j -> R.(m[i, j] * divided f w[i] w[j])))
    in with_vjp (\_ -> result) rule a
}
