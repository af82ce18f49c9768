-- Directions of two kinds, as a Jacobian in packed columns has them: e_i of the angles, and the same
-- number for every place.  Most directions have no part in the places: their loops read no values
-- (pass unswitch).
-- ==
-- entry: jacobian
-- input { [0.5, 2.0, 3.0] [1i64, 0i64, 2i64, 1i64] [0.25, 0.5, 0.75, 1.0, 0.0, 0.5, 1.0, 0.25] }
-- output { [[0.0, 1.75, 0.0, 0.0], [1.5, 0.0, 0.0, 4.25], [0.0, 0.0, 0.5, 0.0],
--           [4.0, 0.25, 9.0, 4.0], [2.0, 0.5, 3.0, 2.0]] }

def value [n] (as: [3]f64) (is: [n]i64) (us: [n][2]f64) : [n]f64 =
  let bs = map (\a -> a * a) as
  in map2 (\i u -> bs[i] * u[0] + as[i] * u[1]) is us

entry jacobian [n] [m] (as: [3]f64) (is: [n]i64) (flat: [m]f64) : [5][n]f64 =
  let us = unflatten (flat :> [n * 2]f64)
  let seed i = (tabulate 3 (\k -> if i == k then 1 else 0),
                replicate n [if i == 3 then 1 else 0, if i == 4 then 1 else 0])
  in tabulate 5 (\i -> jvp (\(a, u) -> value a is u) (as, us) (seed i))
