-- Eigenvalues and eigenvectors of symmetric matrices, singular values, and functions of matrices.
--
-- Where eigenvalues are equal, eigenvectors are not functions of the matrix, but much that is made
-- of them is.  First derivatives of eigenvalues and singular values need no vectors' derivatives
-- and are right for all functions that treat equal ones alike; those of `symmetric_function` are
-- right always.  Derivatives through eigenvectors divide by differences of eigenvalues; where both
-- numerator and difference are 0 the derivative is infinite or NaN, since vectors do not determine
-- it.
import "products"
import "blocks"
import "reflections"

-- | Decompositions of symmetric matrices and singular values, over one type of floats.
module mk_eigen (R: float) = {
  local open mk_products R
  local module B = mk_blocks R
  local module H = mk_reflections R
  local def zero = R.i64 0
  local def one = R.i64 1
  local def two = R.i64 2
  local def half = R.f64 0.5

  -- Reflections that make the first h rows of a tridiagonal, with a itself as it is: each v has a w
  -- with H a H = a - v w^T - w v^T.  The diagonal, what is beside it, the v and the w.
  local def panel [m] (h: i64) (a: [m][m]R.t) : (*[h]R.t, *[h]R.t, *[h][m]R.t, *[h][m]R.t) =
    let none = replicate h (replicate m zero)
    in loop (d, e, vs, ws) = (replicate h zero, replicate h zero, copy none, copy none) for j < h do
         let less (x: [m]R.t) (s: [h]R.t) (t: [h]R.t) : [m]R.t =
           tabulate m (\i ->
             R.(x[i] - sum (map (\l -> vs[l, i] * s[l] + ws[l, i] * t[l]) (iota j))))
         let x = less a[j] (map (\w -> w[j]) ws) (map (\v -> v[j]) vs)
         let v = H.reflector (j + 1) x
         let p = less (matvec a v) (matvec ws v) (matvec vs v)
         let half_vp = R.(half * dot v p)
         let w = map2 (\p v -> R.(p - half_vp * v)) p v
         let k = j + 1
         let beside = if k < m then R.(x[k] - v[k] * dot v x) else zero
         in (d with [j] = copy x[j], e with [j] = copy beside, vs with [j] = copy v,
             ws with [j] = copy w)

  -- Reduction to tridiagonal form in blocks of rows: diagonal, what is beside it, and the rows of q^T
  -- where a = q t q^T.  The rest of a gets the v and w of a block by one product.
  local def tridiagonal [n] (a: [n][n]R.t) : ([n]R.t, [n]R.t, [n][n]R.t) =
    let blocks = B.count n
    let (_, d, e, vs, ts) =
      loop (a, d, e, vs, ts) =
        (copy a, replicate n zero, replicate n zero, replicate n (replicate n zero),
           replicate blocks (replicate B.rows (replicate B.rows zero)))
      for q < blocks do
        let i = q * B.rows
        let h = i64.min B.rows (n - i)
        let (k, m) = (i + h, n - i)
        let (dq, eq, vq, wq) = panel h (a[i:, i:] :> [m][m]R.t)
        let rest = B.minus_product (B.part k k (n - k) (n - k) a) (transpose (wq ++ vq)) (vq ++ wq)
                     (h, h) (0, h + h)
        in (a with [k:, k:] = rest, d with [i:k] = dq, e with [i:k] = eq,
            vs with [i:k, i:] = vq, ts with [q,:h,:h] = H.joined vq)
    in (d, e, H.reflected n vs ts)

  -- One implicitly shifted QL step on rows l to m of the tridiagonal matrix (Bowdler, Martin,
  -- Reinsch and Wilkinson 1968).  A rotation takes rows i and i + 1 of z; the first of them is `row`
  -- until the next.
  local def ql_step [n] (l: i64) (m: i64) (d: *[n]R.t, e: *[n]R.t, z: *[n][n]R.t)
      : (*[n]R.t, *[n]R.t, *[n][n]R.t) =
    let (first, second, last, beside) = (copy d[l], copy d[l + 1], copy d[m], copy e[l])
    let shift = R.((second - first) / (two * beside))
    let start = R.(last - first + beside / (shift + copysign (hypot shift one) shift))
    let (d, e, z, row, g, p, _, _) =
      loop (d, e, z, row, g, p, s, c) =
        (d, e, z, copy z[m], copy start, copy zero, copy one, copy one)
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
        let (row, after) = unzip (map2 (\x y -> R.((c * x - s * y, s * x + c * y))) z[i] row)
        let z[i + 1] = after
        in (d, e, z, row, copy g, copy p, copy s, copy c)
    let rest = R.(first - p)
    let d[l] = copy rest
    let e[l] = copy g
    let e[m] = copy zero
    let z[l] = row
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
    let rule _ g = matmul (map (\row -> map2 (R.*) row g) v) (transpose v)
    in with_vjp (\_ -> d.0) rule a
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
