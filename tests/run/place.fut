-- Arrays written into parts of others, made there or apart: overlaps, failures, later uses.
-- ==
-- entry: backwards
-- input { 4i64 } output { [4i64,3i64,2i64,1i64] }
-- ==
-- entry: rows
-- input { 3i64 2i64 } output { [[0,1],[10,11],[20,21]] }
-- input { 0i64 2i64 } output { empty([0][2]i32) }
-- ==
-- entry: window
-- input { [1,2,3,4,5] 1i64 } output { [1,1,2,3,5] }
-- input { [1,2,3,4,5] 3i64 } error: out of bounds
-- input { [1,2,3,4,5] -1i64 } error: out of bounds
-- ==
-- entry: overlap
-- input { [1,2,3,4,5] } output { [1,3,5,7,5] }
-- ==
-- entry: again
-- input { [1,2,3,4] } output { [2,3,3,4] 5 [2,3] }
-- ==
-- entry: strided
-- input { 7i64 } output { [0,9,1,9,2,9,3] }
-- ==
-- entry: two
-- input { [1,2,3,4] } output { [1,1,2,4] [7,7,0,0] }
-- ==
-- entry: fills
-- input { [1,2,3,4] 2i64 } output { [8,8,0,1] }
-- input { [1,2,3,4] 5i64 } error: out of bounds

entry rows (n: i64) (m: i64) : [n][m]i32 =
  loop a = replicate n (replicate m 0) for i < n do
    a with [i] = map (\j -> i32.i64 (10 * i + j)) (iota m)

entry window [n] (xs: *[n]i32) (i: i64) : [n]i32 = xs with [i:i + 3] = [1, 2, 3]

-- The map reads what it would overwrite.
entry overlap [n] (xs: *[n]i32) : [n]i32 =
  let sums = map (\i -> xs[i] + xs[i + 1]) (iota (n - 2))
  in xs with [1:n - 1] = sums

entry again [n] (xs: *[n]i32) : ([n]i32, i32, [2]i32) =
  let ys = map (+ 1) [1, 2]
  let xs = xs with [0:2] = copy ys
  let xs = xs with [2] = xs[1]
  in (xs, i32.sum ys, ys)

entry strided (n: i64) : [n]i32 =
  let half = map i32.i64 (iota ((n + 1) / 2))
  in replicate n 9 with [::2] = sized ((n + 1) / 2) half

-- One map, two results, two homes; the first map also feeds the other.
entry two [n] (xs: *[n]i32) : ([n]i32, [4]i32) =
  let ys = replicate 4 0
  let (a, b) = unzip (map (\i -> (i32.i64 i + 1, 7)) (iota 2))
  let xs = xs with [1:3] = a
  let ys = ys with [0:2] = b
  in (xs, ys)

entry fills [n] (xs: *[n]i32) (k: i64) : [n]i32 =
  let xs = xs with [0:k] = replicate k 8
  in xs with [2:4] = map i32.i64 (iota 2)

-- What is written is a copy of what is overwritten.
entry backwards (n: i64): []i64 =
  let xs = copy (map (+ 1) (iota n))
  let before = copy xs
  in xs with [::-1] = before
