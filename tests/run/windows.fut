-- Flat windows of arrays whose elements are rows, and windows that only look small.
-- ==
-- entry: rows
-- input { [[1,2],[3,4],[5,6],[7,8]] } output { [[[3,4],[5,6]],[[5,6],[7,8]]] }
-- input { [[1,2],[3,4],[5,6]] } error: Flat slice out of bounds
-- ==
-- entry: put
-- input { [[1,2],[3,4],[5,6],[7,8]] [[[10,20],[30,40]],[[50,60],[70,80]]] }
-- output { [[10,20],[30,40],[50,60],[70,80]] }
-- ==
-- entry: wide
-- input { [1,2,3] 2i64 1i64 1i64 } output { 2 }
-- input { [1,2,3] 2i64 -1i64 1i64 } error: Flat slice out of bounds
-- input { [1,2,3] 4294967297i64 4294967296i64 1i64 } error: Flat slice out of bounds
-- input { [1,2,3] 9223372036854775807i64 2i64 1i64 } error: Flat slice out of bounds

entry rows [n][m] (xs: [n][m]i32) = intrinsics.flat_index_2d xs 1 2 1 2 1
entry put [n][m] (xs: *[n][m]i32) (ys: [2][2][m]i32) = intrinsics.flat_update_2d xs 0 2 1 ys

entry wide [n] (xs: [n]i32) (a: i64) (s: i64) (i: i64) =
  let w = #[opaque] (intrinsics.flat_index_2d xs 0 a s 1 1)
  in w[i, 0]
