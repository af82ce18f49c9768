-- Functions that are called and give back one of several arrays, consumed or not, which the caller
-- updates: what each result may be the function's body tells, and types which belong to nobody else.
def swap [n] (k: i64) (a: *[n]f64) (b: *[n]f64) : (*[n]f64, *[n]f64) =
  if k == 0 then (a, b) else if k == 1 then (b, a) else swap (k - 2) a b
def swapped (k: i64) (x: [3]f64) : ([3]f64, [3]f64) =
  let (r, s) = swap k (map (* 2) x) (map (* 3) x)
  in (r with [2] = 7 * s[0], s with [1] = 8)
-- ==
-- entry: swapped_values
-- input { 2i64 [1.0, 2.0, 3.0] }
-- output { [2.0, 4.0, 21.0] [3.0, 8.0, 9.0] }
-- input { 3i64 [1.0, 2.0, 3.0] }
-- output { [3.0, 6.0, 14.0] [2.0, 8.0, 6.0] }
entry swapped_values (k: i64) (x: [3]f64) = swapped k x
-- ==
-- entry: swapped_tangents
-- input { 2i64 [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] }
-- output { [2.0, 20.0, 21.0] [3.0, 0.0, 300.0] }
-- input { 3i64 [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] }
-- output { [3.0, 30.0, 14.0] [2.0, 0.0, 200.0] }
entry swapped_tangents (k: i64) (x: [3]f64) (dx: [3]f64) = jvp (swapped k) x dx
-- ==
-- entry: swapped_adjoints
-- input { 2i64 [1.0, 2.0, 3.0] [1.0, 2.0, 3.0] [4.0, 5.0, 6.0] }
-- output { [77.0, 4.0, 18.0] }
-- input { 3i64 [1.0, 2.0, 3.0] [1.0, 2.0, 3.0] [4.0, 5.0, 6.0] }
-- output { [53.0, 6.0, 12.0] }
entry swapped_adjoints (k: i64) (x: [3]f64) (r: [3]f64) (s: [3]f64) = vjp (swapped k) x (r, s)

def take [n] (k: i64) (a: *[n]f64) (b: *[n]f64) : *[n]f64 =
  if k == 0 then a else if k == 1 then b else take (k - 2) a b
def taken (k: i64) (x: [3]f64) : [3]f64 =
  let (a, b) = (map (* 2) x, map (* 3) x)
  let r = take k a b
  in r with [2] = x[0] * r[1]
-- ==
-- entry: taken_values
-- input { 2i64 [1.0, 2.0, 3.0] }
-- output { [2.0, 4.0, 4.0] }
-- input { 3i64 [1.0, 2.0, 3.0] }
-- output { [3.0, 6.0, 6.0] }
entry taken_values (k: i64) (x: [3]f64) = taken k x
-- ==
-- entry: taken_tangents
-- input { 2i64 [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] }
-- output { [2.0, 20.0, 24.0] }
-- input { 3i64 [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] }
-- output { [3.0, 30.0, 36.0] }
entry taken_tangents (k: i64) (x: [3]f64) (dx: [3]f64) = jvp (taken k) x dx
-- ==
-- entry: taken_adjoints
-- input { 2i64 [1.0, 2.0, 3.0] [1.0, 2.0, 3.0] }
-- output { [14.0, 10.0, 0.0] }
-- input { 3i64 [1.0, 2.0, 3.0] [1.0, 2.0, 3.0] }
-- output { [21.0, 15.0, 0.0] }
entry taken_adjoints (k: i64) (x: [3]f64) (r: [3]f64) = vjp (taken k) x r

def pass [n] (k: i64) (a: *[n]f64) (b: *[n]f64) : [n]f64 =
  if k == 0 then a else if k == 1 then b else pass (k - 2) a b
def passed (k: i64) (x: [3]f64) : [3]f64 =
  let (a, b) = (map (* 2) x, map (* 3) x)
  let r = pass k a b
  in r with [2] = x[0] * r[1]
-- ==
-- entry: passed_values
-- input { 2i64 [1.0, 2.0, 3.0] }
-- output { [2.0, 4.0, 4.0] }
-- input { 3i64 [1.0, 2.0, 3.0] }
-- output { [3.0, 6.0, 6.0] }
entry passed_values (k: i64) (x: [3]f64) = passed k x
-- ==
-- entry: passed_tangents
-- input { 2i64 [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] }
-- output { [2.0, 20.0, 24.0] }
-- input { 3i64 [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] }
-- output { [3.0, 30.0, 36.0] }
entry passed_tangents (k: i64) (x: [3]f64) (dx: [3]f64) = jvp (passed k) x dx
-- ==
-- entry: passed_adjoints
-- input { 2i64 [1.0, 2.0, 3.0] [1.0, 2.0, 3.0] }
-- output { [14.0, 10.0, 0.0] }
-- input { 3i64 [1.0, 2.0, 3.0] [1.0, 2.0, 3.0] }
-- output { [21.0, 15.0, 0.0] }
entry passed_adjoints (k: i64) (x: [3]f64) (r: [3]f64) = vjp (passed k) x r

def lend [n] (k: i64) (a: [n]f64) (b: [n]f64) : [n]f64 =
  if k == 0 then a else if k == 1 then b else lend (k - 2) a b
def lent (k: i64) (x: [3]f64) : [3]f64 =
  let (a, b) = (map (* 2) x, map (* 3) x)
  let r = lend k a b
  in r with [2] = x[0] * r[1]
-- ==
-- entry: lent_values
-- input { 2i64 [1.0, 2.0, 3.0] }
-- output { [2.0, 4.0, 4.0] }
-- input { 3i64 [1.0, 2.0, 3.0] }
-- output { [3.0, 6.0, 6.0] }
entry lent_values (k: i64) (x: [3]f64) = lent k x
-- ==
-- entry: lent_tangents
-- input { 2i64 [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] }
-- output { [2.0, 20.0, 24.0] }
-- input { 3i64 [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] }
-- output { [3.0, 30.0, 36.0] }
entry lent_tangents (k: i64) (x: [3]f64) (dx: [3]f64) = jvp (lent k) x dx
-- ==
-- entry: lent_adjoints
-- input { 2i64 [1.0, 2.0, 3.0] [1.0, 2.0, 3.0] }
-- output { [14.0, 10.0, 0.0] }
-- input { 3i64 [1.0, 2.0, 3.0] [1.0, 2.0, 3.0] }
-- output { [21.0, 15.0, 0.0] }
entry lent_adjoints (k: i64) (x: [3]f64) (r: [3]f64) = vjp (lent k) x r
