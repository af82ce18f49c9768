-- Recursive functions whose parameters have sizes that are constants or computed: the tests of these
-- stand in their bodies.
-- ==
-- entry: constant
-- input { 2i64 [1.0, 2.0, 3.0] } output { [4.0, 2.0, 3.0] 4.0 [4.0, 0.0, 0.0] }
-- ==
-- entry: computed
-- input { 1i64 [1.0, 2.0] } output { [4.0, 8.0] }
-- input { 1i64 [1.0] } error: cannot match
-- ==
-- entry: doubled
-- input { [1.0, 2.0] } output { [4.0, 8.0, 4.0, 8.0] }

def first_doubled (n: i64) (x: [3]f64) : [3]f64 =
  if n < 1 then x else first_doubled (n - 1) [x[0] * 2, x[1], x[2]]
def first_of (f: f64 -> f64) (n: i64) (x: [3]f64) : f64 =
  if n < 1 then x[0] else first_of f (n - 1) [f x[0], x[1], x[2]]
entry constant (n: i64) (x: [3]f64) =
  (first_doubled n x, first_of (* 2) n x, vjp (\x -> first_of (* 2) n x) x 1)

def scaled (n: i64) (k: i64) (x: [n + 1]f64) : [n + 1]f64 =
  if k < 1 then x else map (* 2) (scaled n (k - 1) x)
entry computed (n: i64) (x: []f64) = scaled n 2 (x :> [n + 1]f64)

def twice [n] (k: i64) (x: [n]f64) : [n + n]f64 =
  if k < 1 then x ++ x else twice (k - 1) (map (* 2) x)
entry doubled (x: []f64) = twice 2 x
