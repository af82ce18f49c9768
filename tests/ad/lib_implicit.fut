-- lib/ad: linear systems, roots and fixed points: values, both modes, second derivatives.
-- ==
-- entry: solve
-- input { 3.0 } output { [0.2, 0.4] [-0.05714285714, 0.02857142857] [-0.05714285714, 0.02857142857]
-- [0.03265306122, -0.01632653061] [0.03265306122, -0.01632653061] }
-- ==
-- entry: solve_rhs
-- input { [1.0, 2.0] } output { [[-2.0, 1.0], [1.5, -0.5]] [[-2.0, 1.0], [1.5, -0.5]] }
-- ==
-- entry: square_root
-- input { 4.0 } output { 2.0 0.25 0.25 -0.03125 -0.03125 -0.03125 -0.03125 }
-- ==
-- entry: circle
-- input { [1.0, 5.0] }
-- output { [1.0, 2.0] [[1.3333333333333333, -0.1666666666666667], [-0.6666666666666666, 0.3333333333333333]] true }
-- ==
-- entry: cosine
-- input { 1.0 } output { 0.739085133215 -0.297474100 -0.297474100 0.0 0.0 }
import "lib/ad"
module ad = mk_ad f64

-- x0 = 1.4 / (1 + 2p),  x1 = (p - 0.2) / (1 + 2p)
def system (p: f64) : [2]f64 = ad.solve [[1, 2], [p, -1]] [1, 0.2]
entry solve (p: f64) =
  let d p = jvp system p 1
  let r p = map (\i -> vjp (\p -> (system p)[i]) p 1) [0, 1]
  in (system p, d p, r p, jvp r p 1, map (\i -> vjp (\p -> (d p)[i]) p 1) [0, 1])

entry solve_rhs (b: [2]f64) =
  let f b = ad.solve [[1, 2], [3, 4]] b
  in (ad.jacobian_forward f b, ad.jacobian_reverse f b)

-- x^2 = p
def root (p: f64) : f64 = (ad.newton_root (\x p -> [x[0] * x[0] - p]) [1] p)[0]
entry square_root (p: f64) =
  let forward p = jvp root p 1
  let reverse p = vjp root p 1
  in (root p, forward p, reverse p, jvp forward p 1, jvp reverse p 1, vjp forward p 1,
      vjp reverse p 1)

-- x y = 2 p, x^2 + y^2 = q, from a point near (1, 2)
entry circle (pq: [2]f64) =
  let f (x: [2]f64) (pq: [2]f64) = [x[0] * x[1] - 2 * pq[0], x[0] * x[0] + x[1] * x[1] - pq[1]]
  let g = ad.newton_root f [0.9, 2.1]
  let j = ad.jacobian_reverse g pq
  in (g pq, j, all (\d -> f64.abs d < 1e-9)
                   (map2 (-) (flatten j) (flatten (ad.jacobian_forward g pq))))

-- x = cos (p x):  x' = -x sin (p x) / (1 + p sin (p x))
def cosine_point (p: f64) : f64 =
  (ad.fixed_point (\x p -> [f64.cos (p * x[0])]) [0.5] 1e-14 200 p)[0]
entry cosine (p: f64) =
  let exact p = let x = cosine_point p in -x * f64.sin (p * x) / (1 + p * f64.sin (p * x))
  let slope p = vjp cosine_point p 1
  in (cosine_point p, slope p, jvp cosine_point p 1,
      jvp slope p 1 - jvp exact p 1, vjp slope p 1 - vjp exact p 1)
