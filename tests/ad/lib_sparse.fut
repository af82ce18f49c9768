-- lib/ad: sparse Jacobians and Hessians against dense ones, and how few directions they take.
-- ==
-- entry: banded
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] }
-- output { [0i64, 2, 5, 8, 11, 13] [0i64, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4] 3i64 true }
-- input { empty([0]f64) } output { [0i64] empty([0]i64) 0i64 true }
-- input { [1.0] } output { [0i64, 1] [0i64] 1i64 true }
-- ==
-- entry: banded_large
-- input { 1000i64 } output { 2998i64 3i64 true }
-- ==
-- entry: few_columns
-- input { [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] } output { [0i64, 6] [0i64, 1, 2, 3, 4, 5] true }
-- ==
-- entry: zero_partials
-- input { [0.0, 0.0, 3.0] } output { [0i64, 2, 3] [0i64, 1, 2] [0.0, 0.0, 0.0] }
-- ==
-- entry: arrow
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] }
-- output { [0i64, 5, 7, 9, 11, 13] [0i64, 1, 2, 3, 4, 0, 1, 0, 2, 0, 3, 0, 4] 2i64 true }
-- ==
-- entry: chain
-- input { [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] } output { 16i64 3i64 true }
-- ==
-- entry: unsymmetric
-- input { [1.0, 2.0, 3.0] } output { true }
-- ==
-- entry: searched_arrow
-- input { [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0] } output { 19i64 true }
-- input { empty([0]f64) } output { 0i64 true }
-- ==
-- entry: searched_columns
-- input { [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0] } output { 21i64 true }
-- input { [3.0] } output { 1i64 true }
-- ==
-- entry: searched_hubs
-- input { [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0] } output { 40i64 4i64 true }
-- ==
-- entry: searched_dense
-- input { 70i64 } output { 4900i64 true }
-- ==
-- entry: searched_long
-- compiled input { 8200i64 } output { 24597i64 true }
-- ==
-- entry: into_hessian
-- input { [1.0, 2.0, 3.0, 4.0] } output { true true }
import "lib/ad"
import "lib/ad/sparse"
module ad = mk_ad f64

def dense [m1] [k] (n: i64) (offsets: [m1]i64, columns: [k]i64, values: [k]f64) : [][n]f64 =
  let rows = csr_rows k offsets
  in scatter_2d (replicate (m1 - 1) (replicate n 0)) (zip rows columns) values
def same [n] [m] [k] (a: [n][m]f64) (b: [k][m]f64) : bool =
  n == k && all (\d -> d < 1e-10) (map2 (\x y -> f64.abs (x - y)) (flatten a) (flatten (b :> [n][m]f64)))

def neighbours [n] (x: [n]f64) : [n]f64 =
  tabulate n (\i -> (if i > 0 then x[i] * x[i - 1] else 0) + x[i] * x[i]
                    + (if i < n - 1 then f64.sin x[i + 1] else 0))

entry banded [n] (x: [n]f64) =
  let (offsets, columns, values) = ad.sparse_jacobian neighbours x
  in (offsets, columns, (colour_columns n offsets columns).0,
      same (ad.jacobian neighbours x) (dense n (offsets, columns, values)))

entry banded_large (n: i64) =
  let x = tabulate n (\i -> f64.i64 (1 + i % 7))
  let (offsets, columns, values) = ad.sparse_jacobian neighbours x
  in (length columns, (colour_columns n offsets columns).0,
      same (ad.jacobian neighbours x) (dense n (offsets, columns, values)))

entry few_columns [n] (x: [n]f64) =
  let f x : [1]f64 = [f64.product x]
  let (offsets, columns, values) = ad.sparse_jacobian f x
  in (offsets, columns, same (ad.jacobian f x) (dense n (offsets, columns, values)))

-- A derivative that happens to be zero is an entry.
entry zero_partials (x: [3]f64) =
  ad.sparse_jacobian (\(x: [3]f64) -> [x[0] * x[1], x[2] * x[2] - 6 * x[2]]) x

def check_hessian [n] (f: [n]f64 -> f64) (x: [n]f64) =
  same (ad.hessian f x) (dense n (ad.sparse_hessian f x))

-- x0 times everything: an arrow, two colours
entry arrow [n] (x: [n]f64) =
  let f (x: [n]f64) = f64.sum (map (\y -> x[0] * y * y) x)
  let (offsets, columns) = ad.hessian_pattern f x
  in (offsets, columns, (colour_star n offsets columns).0, check_hessian f x)

entry chain [n] (x: [n]f64) =
  let f (x: [n]f64) = f64.sum (tabulate n (\i -> if i == 0 then x[0] ** 4 else f64.sin (x[i] * x[i - 1])))
  let (offsets, columns) = ad.hessian_pattern f x
  in (length columns, (colour_star n offsets columns).0, check_hessian f x)

entry unsymmetric (x: [3]f64) =
  let f (x: [3]f64) = x[0] * x[0] * x[1] + stop_gradient (x[1]) * x[2] ** 3
  in same (ad.hessian f x) (dense 3 (ad.sparse_hessian f x))

-- Elements that are selected by value: index expressions do not tell which.
def hide [n] (x: [n]f64) : [n]f64 =
  map (\i -> x[i + i64.bool (x[0] > 1e300)]) (iota n)

-- A dense row and a dense column: the row in reverse mode, the rest forward.
entry searched_arrow [n] (x: [n]f64) =
  let f (x: [n]f64) =
    let y = hide x
    in tabulate n (\i -> if i == 0 then f64.sum (map f64.sin y) else y[0] * y[i])
  let (offsets, columns, values) = ad.sparse_jacobian f x
  in (length columns, same (ad.jacobian f x) (dense n (offsets, columns, values)))

-- Two dense columns, of rows that are else in groups of three: forward and the rest in reverse mode.
entry searched_columns [n] (x: [n]f64) =
  let f (x: [n]f64) =
    let y = hide x
    in tabulate n (\i -> if i < 2 then y[0] * y[n - 1] + y[1 % n] else y[0] * y[i] * y[1] ** 3)
  let (offsets, columns, values) = ad.sparse_jacobian f x
  in (length columns, same (ad.jacobian f x) (dense n (offsets, columns, values)))

-- Two vertices of many neighbours: a colour for each, and two for the chain of the others.
entry searched_hubs [n] (x: [n]f64) =
  let f (x: [n]f64) =
    let y = hide x
    in f64.sum (map (\i -> y[0] * y[i] ** 3 * f64.sin y[n - 1]
                          + (if i > 1 && i % 2 == 0 then y[i] * y[i - 1] else 0)) (iota n))
  let (offsets, columns, values) = ad.sparse_hessian f x
  in (length columns, (colour_star n offsets columns).0,
      same (ad.hessian f x) (dense n (offsets, columns, values)))

entry searched_dense (n: i64) =
  let f (x: [n]f64) = let y = hide x in map (\a -> a / f64.sum y) y
  let x = tabulate n (\i -> f64.i64 (1 + i % 5))
  let (offsets, columns, values) = ad.sparse_jacobian f x
  in (length columns, same (ad.jacobian f x) (dense n (offsets, columns, values)))

-- More marks than are kept at a time.
entry searched_long (n: i64) =
  let f (x: [n]f64) =
    let y = hide x
    in tabulate n (\i -> if i == 7 then f64.sum y else y[0] * y[i])
  let [k] (offsets, columns: [k]i64, values: [k]f64) =
    ad.sparse_jacobian f (tabulate n (\i -> f64.i64 (1 + i % 5)))
  let right i j v = v == (if i == 7 then 1 else if j == i then (if i == 0 then 2 else 1)
                          else f64.i64 (1 + i % 5))
  in (k, and (map3 right (csr_rows k offsets) columns values))

-- Rows of all columns, every d-th: searched from their ends, in sets of 64.
-- ==
-- entry: searched_rows
-- input { 25i64 2000i64 } output { 163839i64 true }
-- input { 150i64 300i64 } output { 1195i64 true }
-- input { 1000i64 300i64 } output { 599i64 true }
entry searched_rows (d: i64) (n: i64) =
  let f (x: [n]f64) =
    let y = hide x
    let s = f64.sum y
    in tabulate n (\i -> if i % d == d - 1 then s * y[i] else y[i / 2] * y[i])
  let x = tabulate n (\i -> f64.i64 (1 + i % 5))
  let [k] (offsets, columns: [k]i64, values: [k]f64) = ad.sparse_jacobian f x
  let right i j v =
    v == (if i % d == d - 1 then x[i] + (if i == j then f64.sum x else 0)
          else (if j == i then x[i / 2] else 0) + (if j == i / 2 then x[i] else 0))
  in (k, and (map3 right (csr_rows k offsets) columns values))

-- All vertices are neighbours: a colour for each, without a look at the paths.
-- ==
-- entry: searched_dense_hessian
-- input { 200i64 } output { 40000i64 200i64 true }
entry searched_dense_hessian (n: i64) =
  let f (x: [n]f64) = f64.log (f64.sum (map f64.exp (hide x)))
  let x = tabulate n (\i -> f64.i64 (1 + i % 5))
  let (offsets, columns, values) = ad.sparse_hessian f x
  in (length columns, (colour_star n offsets columns).0,
      same (ad.hessian f x) (dense n (offsets, columns, values)))

-- By blocks into a pattern of more entries.
entry into_hessian [n] (x: [n]f64) =
  let f (x: [n]f64) = f64.sum (map2 (\a b -> f64.sin (a * b)) (init x) (tail x))
  let full = (map (* n) (0...n) :> [n + 1]i64, flatten (replicate n (iota n)))
  in (ad.is_sum_of_blocks f x,
      same (ad.hessian f x) (dense n (full.0, full.1, ad.hessian_in full.0 full.1 f x)))

-- Functions without arguments or results, or that depend on nothing; computed before the program runs.
-- ==
-- entry: of_nothing
-- input {} output { [0i64,0,0,0] empty([0]i64) empty([0]f64) }
-- ==
-- entry: to_nothing
-- input {} output { [0i64] empty([0]i64) empty([0]f64) }
-- ==
-- entry: by_nothing
-- input {} output { [0i64,0,0,0,0] empty([0]i64) empty([0]f64) }
entry of_nothing = ad.sparse_jacobian (\(xs: [0]f64) -> replicate 3 (f64.sum xs)) []
entry to_nothing = ad.sparse_jacobian (\(xs: [3]f64) -> filter (> 9) xs :> [0]f64) [1,2,3]
entry by_nothing = ad.sparse_jacobian (\(_: [4]f64) -> replicate 4 1f64) [4,1,3,2]
