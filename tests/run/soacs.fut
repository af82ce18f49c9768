-- The second-order array combinators.
-- ==
-- entry: basics
-- input { [3,1,2] } output { [6,2,4] 6 [3,4,6] 3 [3,1] }
-- ==
-- entry: histogram
-- input { [0i64,2i64,0i64,7i64,-1i64] [1,2,3,4,5] } output { [4,0,2] }
-- ==
-- entry: scattered
-- input { [3i64,-1i64,1i64] [1,2,3] } output { [0,3,0,1] }
-- ==
-- entry: nested
-- input { [[1,2],[3,4]] } output { [3,7] [4,6] 10 }
-- ==
-- entry: parts
-- input { [5,1,4,2] } output { [5,4] [1,2] }

entry basics (xs: []i32) =
  (map (* 2) xs, reduce (+) 0 xs, scan (+) 0 xs, i32.maximum xs, filter (!= 2) xs)
entry histogram [n] (is: [n]i64) (vs: [n]i32) = reduce_by_index (replicate 3 0) (+) 0 is vs
entry scattered [n] (is: [n]i64) (vs: [n]i32) = scatter (replicate 4 0) is vs
entry nested (a: [][]i32) =
  (map i32.sum a, map i32.sum (transpose a), i32.sum (map i32.sum a))
entry parts (xs: []i32) = partition (> 3) xs
