-- The residual of bundle adjustment: camera (rotation 3, centre 3, focal length, principal point 2,
-- radial distortion 2), point 3, weight; a Jacobian of 2 x 15.
def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)

def cross (a: [3]f64) (b: [3]f64) : [3]f64 =
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

def rotate_by (r: [3]f64) (x: [3]f64) : [3]f64 =
  let theta2 = dot r r
  let theta = f64.sqrt theta2
  let w = map (/ theta) r
  let (c, s) = (f64.cos theta, f64.sin theta)
  let wx = dot w x * (1 - c)
  in map3 (\x v w -> x * c + v * s + w * wx) x (cross w x) w

def project (cam: [11]f64) (x: [3]f64) : [2]f64 =
  let p = rotate_by (cam[0:3] :> [3]f64) (map2 (-) x (cam[3:6] :> [3]f64))
  let (u, v) = (p[0] / p[2], p[1] / p[2])
  let r2 = u * u + v * v
  let l = 1 + cam[9] * r2 + cam[10] * r2 * r2
  in [u * l * cam[6] + cam[7], v * l * cam[6] + cam[8]]

def residual (cam: [11]f64) (x: [3]f64) (w: f64) (feat: [2]f64) : [2]f64 =
  map2 (\a b -> w * (a - b)) (project cam x) feat

def unit (n: i64) : [n][n]f64 = tabulate_2d n n (\i j -> if i == j then 1 else 0)
entry main (cam: [11]f64) (x: [3]f64) (w: f64) (feat: [2]f64) =
  let f (p: [15]f64) = residual (p[0:11] :> [11]f64) (p[11:14] :> [3]f64) p[14] feat
  in #[strategy(elimination)] mjp f (cam ++ x ++ [w] :> [15]f64) (unit 2)
