-- Slices, updates, concatenation, transposition, ranges; failures name the values.
-- ==
-- entry: slices
-- input { [1,2,3,4,5] } output { [2,3] [5,4,3,2,1] [1,3,5] [4,5] [1,2] }
-- ==
-- entry: pick
-- input { [10,20,30] 1i64 } output { 20 }
-- input { [10,20,30] 3i64 } error: Index \[3\] out of bounds for array of shape \[3\]
-- input { [10,20,30] -1i64 } error: Index \[-1\] out of bounds
-- ==
-- entry: put
-- input { [1,2,3] 1i64 9 } output { [1,9,3] }
-- ==
-- entry: shape
-- input { [[1,2,3],[4,5,6]] } output { [[1,4],[2,5],[3,6]] [1,2,3,4,5,6] [[1,2,3],[4,5,6],[1,2,3]] }
-- ==
-- entry: ranges
-- input { 4i64 } output { [0i64,1i64,2i64,3i64] [1i64,2i64,3i64,4i64] [4i64,3i64,2i64,1i64] [0i64,2i64] }
-- ==
-- entry: empty
-- input { empty([0]i32) } output { 0 0i64 empty([0]i32) }

entry slices (xs: []i32) = (xs[1:3], xs[::-1], xs[::2], drop 3 xs, take 2 xs)
entry pick (xs: []i32) (i: i64) = xs[i]
entry put [n] (xs: *[n]i32) (i: i64) (v: i32) : *[n]i32 = xs with [i] = v
entry shape (a: [][]i32) = (transpose a, flatten a, a ++ a[:1])
entry ranges (n: i64) = (0..<n, 1...n, n..>0, 0..2..<n)
entry empty (xs: []i32) = (i32.sum xs, length xs, map (+ 1) xs)

-- Fills, short ones and longer than the caches.
-- ==
-- entry: fills
-- input { 0i64 0.25 } output { 0.0 0.0f32 0i64 }
-- input { 1i64 0.25 } output { 1.0 2.0f32 5i64 }
-- input { 13i64 0.25 } output { 4.0 5.0f32 41i64 }
-- input { 600001i64 0.25 } output { 150001.0 150002.0f32 1800005i64 }
entry fills (n: i64) (x: f64) : (f64, f32, i64) =
  let put 't (v: t) (a: *[n]t) : *[n]t = scatter a [n - 1] [v]
  in (f64.sum (put 1 (replicate n x)), f32.sum (put 2 (replicate n (f32.f64 x))),
      i64.sum (put 5 (replicate n 3)))
