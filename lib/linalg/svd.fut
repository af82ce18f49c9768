-- Singular values and vectors by rotations of columns (Hestenes 1958, one-sided Jacobi): small
-- singular values are as exact, relative to themselves, as the matrix allows.  Two factorisations
-- q r come first, after which few rotations are needed (Drmac and Veselic 2008).
import "products"
import "qr"

-- | Singular value decompositions, over one type of floats.
module mk_svd (R: float) = {
  local open mk_products R
  local module Q = mk_qr R
  local def zero = R.i64 0
  local def one = R.i64 1
  local def half = R.f64 0.5

  -- Rows p and q of b made orthogonal, and the same done to those of v; whether they were not.
  local def rotate [n] [m] (p: i64) (q: i64) (b: *[n][m]R.t) (v: *[n][n]R.t)
      : (*[n][m]R.t, *[n][n]R.t, bool) =
    let (xx, yy, xy) = (dot b[p] b[p], dot b[q] b[q], dot b[p] b[q])
    let needed = R.(abs xy > epsilon * sqrt xx * sqrt yy)
    let (b, v) =
      if !needed then (b, v)
      else
        let zeta = R.((yy - xx) / (xy + xy))
        let t = R.(one / (abs zeta + hypot one zeta))
        let t = if R.(zeta < zero) then R.neg t else t
        let c = R.(one / sqrt (one + t * t))
        let s = R.(c * t)
        let turn [k] (x: [k]R.t) (y: [k]R.t) : (*[k]R.t, *[k]R.t) =
          (map2 (\x y -> R.(c * x - s * y)) x y, map2 (\x y -> R.(s * x + c * y)) x y)
        let (x, y) = turn b[p] b[q]
        let (vx, vy) = turn v[p] v[q]
        in (b with [p] = x with [q] = y, v with [p] = vx with [q] = vy)
    in (b, v, needed)

  -- Places in descending order.
  local def descending [n] (s: [n]R.t) : [n]i64 =
    let before i j = R.(s[j] > s[i]) || !(R.(s[i] > s[j])) && j < i
    let rank = tabulate n (\i -> i64.sum (tabulate n (\j -> i64.bool (before i j))))
    in scatter (replicate n 0) rank (iota n)

  -- b and v after rotations, with b^T v what it was, until all rows of b are orthogonal.
  local def orthogonal [n] [m] (b: *[n][m]R.t) (v: *[n][n]R.t) : (*[n][m]R.t, *[n][n]R.t) =
    let sweep (b: *[n][m]R.t) (v: *[n][n]R.t) : (*[n][m]R.t, *[n][n]R.t, bool) =
      loop (b, v, more) = (b, v, false) for p < n - 1 do
        loop (b, v, more) = (b, v, more) for q in p + 1..<n do
          let (b, v, needed) = rotate p q b v in (b, v, more || needed)
    let (b, v, _, _) =
      loop (b, v, more, i) = (b, v, true, 0i64) while more && i < 60 do
        let (b, v, more) = sweep b v in (b, v, more, i + 1)
    in (b, v)

  -- Singular values, descending, and both sets of vectors as rows; the largest component of each
  -- right one is positive, and a left one whose singular value is 0 is 0.
  local def plain [m] [n] (a: [m][n]R.t) : ([n][m]R.t, [n]R.t, [n][n]R.t) =
    let columns = transpose a
    let places = descending (map (\x -> dot x x) columns)
    let (q, r) = Q.qr (transpose (map (\i -> columns[i]) places))  -- a p = q r
    let (w, r) = Q.qr (transpose r)                                -- r = r2^T w^T
    let (b, v) = orthogonal (copy r) (copy (transpose w))
    let back = scatter (replicate n 0) places (iota n)
    let v = map (\row -> map (\i -> row[i]) back) v
    let s = map (\x -> R.sqrt (dot x x)) b
    let b = matmul b (transpose q)
    let order = descending s
    let sign (v: [n]R.t) =
      let k = loop k = 0 for i < n do if R.(abs v[i] > abs v[k]) then i else k
      in if R.(v[k] < zero) then R.neg one else one
    let left i = let d = if R.(s[i] == zero) then one else s[i]
                 let c = sign v[i] in map (\x -> R.(c * x / d)) b[i]
    in (map left order, map (\i -> s[i]) order,
        map (\i -> let c = sign v[i] in map (c R.*) v[i]) order)

  local def value [m] [n] (a: [m][n]R.t) : ([m][n]R.t, [n]R.t, [n][n]R.t) =
    let (u, s, v) = plain a in (transpose u, s, transpose v)
  -- With f_ij = 1 / (s_j^2 - s_i^2), j = f * (u^T uB), k = f * (v^T vB):
  -- aB = u ((j + j^T) s + s (k + k^T) + diag sB) v^T + (1 - u u^T) uB s^-1 v^T   (Giles 2008).
  local def back [m] [n] (u: [m][n]R.t, s: [n]R.t, v: [n][n]R.t)
      (gu: [m][n]R.t, gs: [n]R.t, gv: [n][n]R.t) : [m][n]R.t =
    let uu = matmul (transpose u) gu
    let vv = matmul (transpose v) gv
    let middle =
      tabulate_2d n n (\i j ->
        if i == j then gs[i]
        else let (si, sj) = (s[i], s[j])
             let (a, b) = R.((uu[i, j] - uu[j, i], vv[i, j] - vv[j, i]))
             in R.((a * sj + b * si) / ((sj - si) * (sj + si))))
    let outside = map (\row -> map2 (R./) row s) (sub gu (matmul u uu))
    in matmul (add (matmul u middle) outside) (transpose v)
  -- | Left vectors as columns, values, right vectors as columns.
  type~ decomposition [m] [n] = ([m][n]R.t, [n]R.t, [n][n]R.t)
  -- The value, a constant to derivatives, is computed once.
  local def all [m] [n] (d: decomposition [m] [n]) (a: [m][n]R.t) : decomposition [m] [n] =
    with_vjp (\_ -> d) back a
  local def values_of [m] [n] (d: decomposition [m] [n]) (a: [m][n]R.t) : [n]R.t =
    let (u, _, v) = all d a
    in with_vjp (\_ -> d.1)
         (\_ g -> matmul (map (\row -> map2 (R.*) row g) u) (transpose v)) a

  -- | [m][n] -> [n], m >= n: the singular values, descending.  The rule: aB = u diag sB v^T.
  --
  --     linalg.singular_values [[3.0, 0.0], [4.0, 0.0]] --> [5.0, 0.0]
  def singular_values [m] [n] (a: [m][n]R.t) : [n]R.t =
    values_of (intrinsics.stop_gradient (value (assert (m >= n) a))) a

  -- | [m][n] -> ([m][n], [n], [n][n]), m >= n: u, s and v with a = u diag s v^T; columns of u and v
  -- are orthonormal, but those of u are 0 where s is.  The largest component of each column of v is
  -- positive.  Derivatives of vectors divide by differences of singular values, and by them.
  --
  --     (linalg.svd [[3.0, 0.0], [0.0, 4.0]]).2 --> [[0.0, 1.0], [1.0, 0.0]]
  def svd [m] [n] (a: [m][n]R.t) : ([m][n]R.t, [n]R.t, [n][n]R.t) =
    let d = intrinsics.stop_gradient (value (assert (m >= n) a))
    let (_, s, _) = all d a
    let (u, v) = with_vjp (\_ -> (d.0, d.2))
                   (\(u: [m][n]R.t, v: [n][n]R.t) (gu: [m][n]R.t, gv: [n][n]R.t) ->
                      back (u, s, v) (gu, replicate n zero, gv)) a
    in (u, values_of d a, v)
}
