-- A small bundle adjustment: the sum of squared residuals of observations of points by cameras, with the
-- projection of the benchmark (bench/programs/ba.fut): 11 numbers a camera, 3 a point, a weight each.
-- size: 20000
def noise (i: i64) = f64.sin (f64.i64 i * 12.9898) * 0.1

entry data (n: i64) : ([][11]f64, [][3]f64, []f64, []i64, []i64, [][2]f64) =
  let cam i = [0.1 + noise i, 0.2 + noise (i + 1), 0.3, noise i, noise (i + 2), -5, 100, 1, 2, 0.01,
               0.001]
  in (tabulate 8 cam, tabulate (n / 4 + 1) (\i -> [noise (i + 5), noise (i + 7), 1 + noise i]),
      tabulate n (\i -> 1 + noise i), tabulate n (% 8), tabulate n (\i -> i * 7919 % (n / 4 + 1)),
      tabulate n (\i -> [noise i, noise (i + 3)]))

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

def loss [c] [q] [n] (cams: [c][11]f64) (points: [q][3]f64) (weights: [n]f64) (cs: [n]i64)
                     (qs: [n]i64) (feats: [n][2]f64) =
  let one k i w feat = let r = map2 (\a b -> w * (a - b)) (project cams[k] points[i]) feat
                       in dot r r + (1 - w * w) * (1 - w * w)
  in f64.sum (map4 one cs qs weights feats)
entry value [c] [q] [n] (cams: [c][11]f64) (points: [q][3]f64) (weights: [n]f64) (cs: [n]i64)
                        (qs: [n]i64) (feats: [n][2]f64) : f64 =
  loss cams points weights cs qs feats
entry gradient [c] [q] [n] (cams: [c][11]f64) (points: [q][3]f64) (weights: [n]f64) (cs: [n]i64)
                           (qs: [n]i64) (feats: [n][2]f64) : ([c][11]f64, [q][3]f64, [n]f64) =
  vjp (\(cams, points, weights) -> loss cams points weights cs qs feats) (cams, points, weights) 1
