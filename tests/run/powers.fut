-- Small constant powers are products in compiled code: signs of zeros and infinities as pow's.
-- ==
-- entry: cubes sevenths eighths
-- compiled input { empty([0]f64) } output { empty([0]f64) }
-- ==
-- entry: cubes
-- input { [2.0, -3.0, -0.0, f64.inf, -f64.inf, 1e-200, 1e200] }
-- output { [8.0, -27.0, -0.0, f64.inf, -f64.inf, 0.0, f64.inf] }
-- ==
-- entry: sevenths
-- input { [2.0, -3.0, -0.0, f64.inf, -f64.inf, 1.5] }
-- output { [128.0, -2187.0, -0.0, f64.inf, -f64.inf, 17.0859375] }
-- ==
-- entry: eighths
-- input { [2.0, -3.0, -0.0, -f64.inf, f64.nan, 1.5] }
-- output { [256.0, 6561.0, 0.0, f64.inf, f64.nan, 25.62890625] }
-- ==
-- entry: inverses
-- input { [2.0, -0.0, f64.inf, -0.5, 1e-120, 1e120] }
-- output { [0.125, -f64.inf, 0.0, -8.0, f64.inf, 0.0]
--          [0.015625, f64.inf, 0.0, 64.0, f64.inf, 0.0]
--          [-0.1875, 0.0, 0.0, -48.0, -f64.inf, 0.0] }
-- ==
-- entry: slopes
-- input { [2.0, -3.0, 0.0, 1.5] }
-- output { [12.0, 27.0, 0.0, 6.75] [12.0, -18.0, 0.0, 9.0] [448.0, 5103.0, 0.0, 79.734375] }
entry cubes [n] (xs: [n]f64) = map (** 3) xs
entry sevenths [n] (xs: [n]f64) = map (** 7) xs
entry eighths [n] (xs: [n]f64) = map (** 8) xs
def slope (f: f64 -> f64) (x: f64) : f64 = vjp f x 1

entry inverses [n] (xs: [n]f64) = (map (** (-3)) xs, map (** (-6)) xs, map (slope (** (-3))) xs)

entry slopes [n] (xs: [n]f64) =
  (map (slope (** 3)) xs, map (slope (slope (** 3))) xs, map (slope (** 7)) xs)
