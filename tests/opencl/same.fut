-- Kernels that are equal but for names and places are one function, also across entry points, and a
-- failure is reported where it is.
-- ==
-- entry: first
-- input { 3i64 1i64 [5.0, 6.0, 7.0] [1.0, 2.0] } output { [5.0, 6.0, 7.0] [1.0] }
-- input { 4i64 1i64 [5.0, 6.0, 7.0] [1.0, 2.0] } error: Index \[3\] out of bounds.*same.fut:20:
-- input { 3i64 3i64 [5.0, 6.0, 7.0] [1.0, 2.0] } error: Index \[2\] out of bounds.*same.fut:21:
-- ==
-- entry: second
-- input { 3i64 [5.0, 6.0, 7.0] } output { [5.0, 6.0, 7.0] }
-- input { 9i64 [5.0, 6.0, 7.0] } error: Index \[3\] out of bounds.*same.fut:24:
-- ==
-- entry: third
-- input { [1.0, 2.0] } output { [2.0, 4.0] }
-- ==
-- entry: fourth
-- input { [1.0, 2.0] [3.0] } output { [2.0, 4.0] [2.0, 1.0] }

entry first [m] [k] (n: i64) (j: i64) (xs: [m]f64) (ys: [k]f64) =
  let some = map (\i -> xs[i]) (iota n)
  let others = map (\i -> ys[i]) (iota j)
  in (some, others)

entry second [m] (n: i64) (xs: [m]f64) : [n]f64 = map (\i -> xs[i]) (iota n)

-- The constants' kernel is equal to one of theirs.
def given: [2]f64 = map (* 2) [1, 0.5]
entry third (xs: []f64) = map (* 2) xs
entry fourth (xs: []f64) (ys: []f64) = (map (* 2) xs, if length ys > 5 then ys else copy given)
