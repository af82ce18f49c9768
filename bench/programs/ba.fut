-- The Jacobian of bundle adjustment, on generated data of any size: seeded by hand, sparse without a
-- pattern, into a given one, and dense.
-- ==
-- entry: hand hand_rows sparse entries dense_one_row
-- script input { data 20i64 1000i64 4000i64 }
-- ==
-- entry: given
-- script input { data_and_pattern 20i64 1000i64 4000i64 }
-- ==
-- entry: dense sparse hand
-- script input { data 2i64 10i64 60i64 }
import "lib/ad"
import "lib/ad/sparse"
module ad = mk_ad f64

-- A camera: rotation 3, centre 3, focal length, principal point 2, radial distortion 2.
def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)

def cross (a: [3]f64) (b: [3]f64) : [3]f64 =
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

def rotate_by (r: [3]f64) (x: [3]f64) : [3]f64 =
  let theta2 = dot r r
  in if theta2 != 0
     then let theta = f64.sqrt theta2
          let w = map (/ theta) r
          let (c, s) = (f64.cos theta, f64.sin theta)
          let wx = dot w x * (1 - c)
          in map3 (\x v w -> x * c + v * s + w * wx) x (cross w x) w
     else map2 (+) x (cross r x)

def project (cam: [11]f64) (x: [3]f64) : [2]f64 =
  let p = rotate_by (cam[0:3] :> [3]f64) (map2 (-) x (cam[3:6] :> [3]f64))
  let (u, v) = (p[0] / p[2], p[1] / p[2])
  let r2 = u * u + v * v
  let l = 1 + cam[9] * r2 + cam[10] * r2 * r2
  in [u * l * cam[6] + cam[7], v * l * cam[6] + cam[8]]

def residual (cam: [11]f64) (x: [3]f64) (w: f64) (feat: [2]f64) : [2]f64 =
  map2 (\a b -> w * (a - b)) (project cam x) feat

-- Parameters [11 n + 3 m + p]: cameras, points, weights.  Results [3 p].
def residuals [k] [p] (n: i64) (m: i64) (obs: [p](i64, i64)) (feats: [p][2]f64) (x: [k]f64)
    : [3 * p]f64 =
  let one (c, q) i feat =
    let r = residual (x[11 * c:11 * c + 11] :> [11]f64)
                     (x[11 * n + 3 * q:11 * n + 3 * q + 3] :> [3]f64) x[11 * n + 3 * m + i] feat
    in [r[0], r[1], 1 - x[11 * n + 3 * m + i] * x[11 * n + 3 * m + i]]
  in flatten (map3 one obs (iota p) feats) :> [3 * p]f64

entry data (n: i64) (m: i64) (p: i64) =
  let noise i = f64.sin (f64.i64 i * 12.9898) * 0.1
  let cam i = [0.1 + noise i, 0.2 + noise (i + 1), 0.3, noise i, noise (i + 2), -5, 100, 1, 2, 0.01, 0.001]
  let cams = flatten (tabulate n cam)
  let points = flatten (tabulate m (\i -> [noise (i + 5), noise (i + 7), 1 + noise i]))
  let weights = tabulate p (\i -> 1 + noise i)
  in (n, m, cams ++ points ++ weights, tabulate p (\i -> i % n), tabulate p (\i -> (i * 7919) % m),
      tabulate p (\i -> [noise i, noise (i + 3)]))

def f [k] [p] (n: i64) (m: i64) (cs: [p]i64) (qs: [p]i64) (feats: [p][2]f64) (x: [k]f64) =
  residuals n m (zip cs qs) feats x

-- Offsets, columns and entries; entries only.
entry sparse [k] [p] (n: i64) (m: i64) (x: [k]f64) (cs: [p]i64) (qs: [p]i64) (feats: [p][2]f64) =
  ad.sparse_jacobian (f n m cs qs feats) x

entry entries [k] [p] (n: i64) (m: i64) (x: [k]f64) (cs: [p]i64) (qs: [p]i64) (feats: [p][2]f64) =
  (ad.sparse_jacobian (f n m cs qs feats) x).2

-- The pattern, as a user would write it.
def pattern [p] (n: i64) (m: i64) (cs: [p]i64) (qs: [p]i64) : ([3 * p + 1]i64, []i64) =
  let row c q i = tabulate 15 (\j -> if j < 11 then 11 * c + j
                                     else if j < 14 then 11 * n + 3 * q + j - 11
                                     else 11 * n + 3 * m + i)
  in (tabulate (3 * p + 1) (\r -> r / 3 * 31 + r % 3 * 15),
      flatten (map3 (\c q i -> row c q i ++ row c q i ++ [11 * n + 3 * m + i]) cs qs (iota p)))

entry data_and_pattern (n: i64) (m: i64) (p: i64) =
  let (n, m, x, cs, qs, feats) = data n m p
  let (offsets, columns) = pattern n m cs qs
  in (n, m, x, cs, qs, feats, offsets, columns)

entry given [k] [p] [r] [s] (n: i64) (m: i64) (x: [k]f64) (cs: [p]i64) (qs: [p]i64)
    (feats: [p][2]f64) (offsets: [r]i64) (columns: [s]i64) =
  ad.jacobian_in (offsets :> [3 * p + 1]i64) columns (f n m cs qs feats) x

entry hand [k] [p] (n: i64) (m: i64) (x: [k]f64) (cs: [p]i64) (qs: [p]i64) (feats: [p][2]f64) =
  let one c q i feat =
    let at = (x[11 * c:11 * c + 11] :> [11]f64, x[11 * n + 3 * q:11 * n + 3 * q + 3] :> [3]f64,
              x[11 * n + 3 * m + i])
    let row s = vjp (\(cam, x, w) -> residual cam x w feat) at s
    let (c0, x0, w0) = row [1, 0]
    let (c1, x1, w1) = row [0, 1]
    in c0 ++ x0 ++ [w0] ++ c1 ++ x1 ++ [w1, -2 * at.2]
  in flatten (map4 one cs qs (iota p) feats) :> [31 * p]f64

entry hand_rows [k] [p] (n: i64) (m: i64) (x: [k]f64) (cs: [p]i64) (qs: [p]i64) (feats: [p][2]f64) =
  let (offsets, columns) = pattern n m cs qs
  in (offsets, columns, hand n m x cs qs feats)

entry dense [k] [p] (n: i64) (m: i64) (x: [k]f64) (cs: [p]i64) (qs: [p]i64) (feats: [p][2]f64) =
  ad.jacobian_reverse (f n m cs qs feats) x

-- One of the 3 p rows that the dense Jacobian takes in reverse mode.
entry dense_one_row [k] [p] (n: i64) (m: i64) (x: [k]f64) (cs: [p]i64) (qs: [p]i64)
    (feats: [p][2]f64) =
  vjp (f n m cs qs feats) x (tabulate (3 * p) (\i -> if i == 7 then 1 else 0))

-- How many entries were found (a residual does not depend on the other's principal point: 29 an
-- observation, not 31), and the largest difference from the Jacobian by hand.
entry agree [k] [p] (n: i64) (m: i64) (x: [k]f64) (cs: [p]i64) (qs: [p]i64) (feats: [p][2]f64) =
  let h = hand n m x cs qs feats
  let (offsets, columns) = pattern n m cs qs
  let g = given n m x cs qs feats offsets columns :> [31 * p]f64
  let s = entries n m x cs qs feats
  let common = filter (\i -> i % 31 != 8 && i % 31 != 22) (iota (31 * p))
  let far [q] [r] (a: [q]f64) (b: [r]f64) =
    f64.maximum (map2 (\a b -> f64.abs (a - b)) a (b :> [q]f64))
  in (length s, far (map (\i -> h[i]) common) s, far h g)
