-- Places that are a sum of a loaded number and the counter: neighbouring iterations may meet.
-- ==
-- entry: meeting
-- input { [3i64, 2i64, 1i64, 0i64, -1i64, -2i64, -3i64, -4i64, -5i64, -6i64]
--         [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0] }
-- output { [0.0, 0.0, 0.0, 55.0] }
-- ==
-- entry: chosen
-- input { [true, true, true, true, true, true, true, true, true, true]
--         [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0] }
-- output { [0.0, 0.0, 0.0, 55.0] }

entry meeting [n] (k: [n]i64) (v: [n]f64) : [4]f64 =
  reduce_by_index (replicate 4 0) (+) 0 (map2 (+) k (iota n)) v

entry chosen [n] (b: [n]bool) (v: [n]f64) : [4]f64 =
  reduce_by_index (replicate 4 0) (+) 0 (map2 (\b i -> i + if b then 3 - i else i / 3) b (iota n)) v
