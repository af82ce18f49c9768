-- Writes through views of arrays: cells written twice, loops whose trips data decide.

-- ys[1] is written twice: the second write counts; the third is outside.
-- ==
-- entry: twice
-- input { [2.0,3.0,5.0] [7.0,11.0] } output { [7.0,9.0] [0.0,90.0,0.0] [7.0,0.0] }
def written [n] (is: [3]i64) (xs: [3]f64, ys: [n]f64) : *[n]f64 =
  intrinsics.scatter_stream (copy ys)
    (\(acc: *intrinsics.acc ([n]f64)) (i, x) -> intrinsics.acc_write acc i (x * x)) (zip is xs)

entry twice (xs: [3]f64) (ys: [2]f64) : ([2]f64, [3]f64, [2]f64) =
  let is = [1i64, 1, 7]
  let (xsB, ysB) = vjp (written is) (xs, ys) [7.0, 15.0]
  in (written is (xs, ys), xsB, ysB)

-- Additions in a while loop.
-- ==
-- entry: halves
-- input { [2.0,3.0,5.0,7.0] } output { [1.0,4.0,2.0,2.0] [3.0,1.0,0.0,0.0] }
def added [n] (xs: [n]f64) : *[n]f64 =
  intrinsics.hist_stream (copy xs) (+) 0.0
    (\(acc: *intrinsics.acc ([n]f64)) i ->
       (loop (acc, j) = (acc, i) while j > 0 do
          (intrinsics.acc_write acc (j / 2) xs[j], j / 2)).0)
    (iota n)

entry halves (xs: [4]f64) : ([4]f64, [4]f64) =
  (vjp added xs [1.0, 1.0, 1.0, 1.0], jvp added xs [0.0, 1.0, 0.0, 0.0])

-- The same beside a value that the condition depends on.
-- ==
-- entry: until
-- input { [2.0,3.0,5.0] 20.0 } output { [0.0,7.0,0.0] 0.0 }
def below [n] (xs: [n]f64, most: f64) : *[n]f64 =
  intrinsics.hist_stream (replicate n 0.0) (+) 0.0
    (\(acc: *intrinsics.acc ([n]f64)) i ->
       (loop (acc, s) = (acc, xs[i]) while s < most do
          (intrinsics.acc_write acc i s, s * s)).0)
    [1i64]

entry until (xs: [3]f64) (most: f64) : ([3]f64, f64) =
  vjp below (xs, most) [1.0, 1.0, 1.0]
