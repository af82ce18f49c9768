-- Floats that many threads add to few places: numbers whose sums are exact in any order, so none may
-- get lost.  With --any-order updates are atomic.
-- ==
-- entry: counts
-- input { 3i64 200000i64 } output { [66667.0, 66667.0, 66666.0] }
entry counts (k: i64) (n: i64) =
  reduce_by_index (replicate k 0) (+) 0 (map (% k) (iota n)) (replicate n 1f64)

-- ==
-- entry: singles
-- input { 2i64 30001i64 } output { [15001f32, 15000f32] [30005i32, 29999i32] }
entry singles (k: i64) (n: i64) =
  let is = map (% k) (iota n)
  in (reduce_by_index (replicate k 0f32) (+) 0 is (replicate n 1),
      reduce_by_index (replicate k (-1i32)) (+) 0 is (map (\i -> if i == 0 then 6 else 2) (iota n)))

-- The adjoint of reads, with sums inside, of places outside, and of nothing.
-- ==
-- entry: adjoint
-- input { [1.0, 2.0, 4.0] [0i64, 2, 2, 1, 0] } output { [12.0, 6.0, 4.0] }
-- input { [1.0, 2.0, 4.0] empty([0]i64) } output { [0.0, 0.0, 0.0] }
-- input { [1.0, 2.0, 4.0] [0i64, 3] } error: Index \[3\] out of bounds.*any_order.fut:25:
entry adjoint [n] [m] (xs: [m]f64) (is: [n]i64) =
  vjp (\(xs: [m]f64) ->
         f64.sum (map (\i -> xs[i] * xs[(i + 1) % m]) is))
      xs 1
