-- The rows of a Jacobian change places, in one branch of two: they are made in their places (pass
-- move-rows).
-- ==
-- entry: jacobian
-- input { 0i64 [1.0, 2.0, 3.0] } output { [[2.0, 0.0, 3.0], [0.0, 4.0, 0.0], [0.0, 0.0, 1.0]] }
-- input { 1i64 [1.0, 2.0, 3.0] } output { [[0.0, 4.0, 0.0], [0.0, 0.0, 1.0], [2.0, 0.0, 3.0]] }
-- input { -1i64 [1.0, 2.0, 3.0] } output { [[0.0, 0.0, 1.0], [2.0, 0.0, 3.0], [0.0, 4.0, 0.0]] }

def value (x: [3]f64) : [3]f64 = [x[0] * x[0], x[1] * x[1], x[0] * x[2]]

entry jacobian (by: i64) (x: [3]f64) : [][3]f64 =
  let rows = tabulate 3 (\i -> jvp value x (tabulate 3 (\k -> f64.bool (i == k))))
  in if by == 0 then rows else rotate by rows

-- Sizes that are not constant; every other row is left out, so that the map has another width.
-- ==
-- entry: sizes
-- input { 4i64 3i64 } output { [[3i64, 4i64, 5i64], [2i64, 3i64, 4i64], [1i64, 2i64, 3i64], [0i64, 1i64, 2i64]]
--                              [[1i64, 2i64, 3i64], [3i64, 4i64, 5i64]] }
-- input { 0i64 2i64 } output { empty([0][2]i64) empty([0][2]i64) }
entry sizes (n: i64) (k: i64) : ([n][k]i64, [][k]i64) =
  let rows a = tabulate n (\i -> tabulate k (\j -> i + j + a))
  in (reverse (rows 0), (rows 1)[::2])
