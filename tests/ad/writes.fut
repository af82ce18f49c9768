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

-- A branch, and a loop, that write and make the value as well.
-- ==
-- entry: until_beside
-- input { [1.5] 20.0 } output { [8.75,4.5] [9.0] [0.0,9.0] }
-- ==
-- entry: until_within
-- input { [1.0] 5.0 } output { [5.0,10.0] [15.0] [0.0,15.0] }
def upto (step: *intrinsics.acc ([2]f64) -> f64 -> (*intrinsics.acc ([2]f64), f64)) (most: f64)
         (xs: [1]f64) : *[2]f64 =
  intrinsics.hist_stream [0.0, 0.0] (+) 0.0
    (\(acc: *intrinsics.acc ([2]f64)) x ->
       (loop (acc, s) = (acc, x) while s < most do step acc s).0)
    xs

def one_or_other (acc: *intrinsics.acc ([2]f64)) (s: f64) : (*intrinsics.acc ([2]f64), f64) =
  if s > 2 then (intrinsics.acc_write acc 0 s, s * s)
  else (intrinsics.acc_write acc 1 (3 * s), s + 1)

def both (acc: *intrinsics.acc ([2]f64)) (s: f64) : (*intrinsics.acc ([2]f64), f64) =
  loop (acc, s) = (acc, s) for j < 2 do (intrinsics.acc_write acc j s, 2 * s)

def judged (f: [1]f64 -> [2]f64) (xs: [1]f64) : ([2]f64, [1]f64, [2]f64) =
  let dxs = vjp f xs [1.0, 1.0]
  in (f xs, dxs, [0, f64.sum (jvp f xs [1.0])])

entry until_beside (xs: [1]f64) (most: f64) = judged (upto one_or_other most) xs
entry until_within (xs: [1]f64) (most: f64) = judged (upto both most) xs
