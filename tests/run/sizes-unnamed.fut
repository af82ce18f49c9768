-- Sizes that only inference knows, and only as sizes without a name.
-- ==
-- entry: later
-- input { [1,-2,3] } output { 3i64 }
-- ==
-- entry: stripped
-- input { [1,2,3] } output { [1,2,3] }
-- ==
-- entry: pair
-- input { [1,-2,3,4] } output { 14i64 }
-- ==
-- entry: value
-- input { 3i64 } output { 10i64 }
-- ==
-- entry: twice
-- input { [1,-2,3,4] [5,-6] } output { 4i64 2i64 }

def known [n] (_: [n]i32 -> i32) : [n]i32 -> i64 =
  let m = n + 1
  in \_ -> m

entry later xs = filter (> 0) xs |> known (\_ -> 0)

def inc (x: i64) = x + 1
def tail [n] 't (A: [inc n]t) = A[1:] :> [n]t
def cons [n] 't (x: t) (A: [n]t) : [inc n]t = [x] ++ A :> [inc n]t

entry stripped (xs: []i32) = tail (cons 2 xs)

-- In a field of a pair, in an inner dimension.
def halves (xs: []i32) =
  let ys = filter (> 0) xs
  in ([ys, ys], xs)

def apply2 [n] [m] (_: ([2][n]i32, [m]i32) -> i32) : ([2][n]i32, [m]i32) -> i64 =
  let r = 2 * n + 2 * m
  in \_ -> r

entry pair (xs: []i32) = halves xs |> apply2 (\_ -> 0)

def size [n] (_: [n]i64 -> i64) : [n]i64 -> i64 =
  let r = n in \_ -> r
entry value (k: i64) = iota (let z = k * k in z + 1) |> size (\_ -> 0)

-- Each activation has its own.
def count (xs: []i32) : () -> i64 = filter (> 0) xs |> known (\_ -> 0) |> (\k -> \() -> k)
entry twice (xs: []i32) (ys: []i32) =
  let f = count xs
  let g = count ys
  in (f (), g ())
