-- Sizes whose products do not fit 64 bits: an error, never a small array.
-- ==
-- entry: filled
-- input { 3i64 4i64 } output { 3i64 1.0 }
-- input { 4611686018427387904i64 4i64 } error: out of memory
-- input { 4294967296i64 4294967296i64 } error: out of memory
-- input { 9223372036854775807i64 9223372036854775807i64 } error: out of memory
-- ==
-- entry: cut
-- input { [1.0, 2.0] 2i64 1i64 } output { [[1.0], [2.0]] }
-- input { empty([0]f64) 0i64 5i64 } output { empty([0][5]f64) }
-- input { empty([0]f64) 0i64 -5i64 } error: Cannot unflatten array of shape \[0\] to array of shape \[0\]\[-5\]
-- input { empty([0]f64) 4294967296i64 4294967296i64 } error: Cannot unflatten
-- input { [1.0, 2.0] -1i64 -2i64 } error: Cannot unflatten

entry filled (n: i64) (m: i64) =
  let a = replicate n (replicate m 1f64)
  in (length a, a[0, 0])

entry cut [n] (xs: [n]f64) (a: i64) (b: i64) = unflatten (xs :> [a * b]f64)

-- There is no first row: nothing is read outside the map.
-- ==
-- entry: no_first_row
-- input { empty([0][1000000000000]f64) } output { empty([0]f64) }
entry no_first_row [n] [m] (xs: [n][m]f64) = map (\i -> f64.i64 i * f64.sum xs[0]) (iota n)
