-- Constant sizes below zero: programs compile, and fail only where the size is used.
-- ==
-- entry: coerced
-- input { true } error: shape
-- ==
-- entry: taken guarded
-- input { false [1, 2, 3, 4] } output { [1, 2] }
-- input { true [1, 2, 3, 4] } error: out of bounds
-- ==
-- entry: replicated counted mapped
-- input { false } output { [1i64] }
-- input { true } error:
-- ==
-- entry: twice
-- input { false } output { 6i64 }
-- input { true } error:
-- ==
-- entry: gradient
-- input { false [1.0, 2.0, 3.0] } output { [2.0, 4.0, 0.0] }
-- input { true [1.0, 2.0, 3.0] } error:
-- ==
-- entry: looped
-- input { 0i64 } output { [1i64] }
-- input { 1i64 } error:

entry coerced (_: bool) = let k = -3i64 let xs = [1i32, 2, 3] in map (+ 1) (xs :> [k]i32)

entry taken (b: bool) (xs: [4]i32) = if b then take (-3) xs else xs[0:2]

entry replicated (b: bool) = if b then replicate (-2) 1i64 else [1]

entry counted (b: bool) = if b then iota (-2) else [1]

entry mapped (b: bool) = if b then map (+ 1) (rotate 1 (iota (-2))) else [1]

-- Two arrays of one size, and an array of such arrays.
entry twice (b: bool) =
  let k = -4i64
  let pair = if b then let xs = replicate k 1i64
                       let ys = map2 (+) xs (iota k)
                       in [i64.sum (map i64.sum (replicate 2 ys)), 0]
             else [1, 5]
  in pair[0] + pair[1]

entry gradient (b: bool) (v: [3]f64) =
  vjp (\v -> let w = if b then take (-1) v else v[0:2]
             in f64.sum (map (\x -> x * x) w)) v 1

entry looped (n: i64) = loop xs = [1i64] for _i < n do take (-1) xs

-- A size that an assertion guards.
entry guarded (b: bool) (xs: [4]i32) =
  if b then let n = assert (xs[0] < 5) (-3) in take n xs else xs[0:2]
