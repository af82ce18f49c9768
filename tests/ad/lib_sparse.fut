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
