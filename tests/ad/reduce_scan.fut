-- Reductions and scans.
-- ==
-- entry: matrices
-- input { [2.0,3.0,5.0] } output { [16.0,9.0,7.0] [16.0,9.0,7.0] }
-- ==
-- entry: product
-- input { [2.0,3.0,4.0] } output { [12.0,8.0,6.0] }
-- input { [2.0,0.0,3.0] } output { [0.0,6.0,0.0] }
-- input { [0.0,0.0,5.0] } output { [0.0,0.0,0.0] }
-- input { empty([0]f64) } output { empty([0]f64) }
-- input { [1e200, 1e200] } output { [1e200, 1e200] }
-- input { [1e200, 1e200, 1e-300] } output { [1e-100, 1e-100, f64.inf] }
-- input { [1e-200, 1e-200, 1e200] } output { [1.0, 1.0, 0.0] }
-- input { [1e-160, 2e-160] } output { [2e-160, 1e-160] }
-- input { [f64.inf, 2.0] } output { [2.0, f64.inf] }
-- input { [f64.inf, 0.0] } output { [0.0, f64.inf] }
-- input { [f64.nan, 2.0] } output { [2.0, f64.nan] }
-- input { [0.0, 3.0, 0.0] } output { [0.0, 0.0, 0.0] }
-- ==
-- entry: three_scans
-- input { [1.0,2.0,3.0] [2.0,0.0,4.0] [3.0,5.0,4.0] }
-- output { [1.0,3.0,6.0] [2.0,0.0,0.0] [3.0,5.0,5.0]
--          [111.0,110.0,100.0] [1.0,820.0,0.0] [1.0,110.0,0.0] }
-- input { [1.0] [2.0] [3.0] } output { [1.0] [2.0] [3.0] [1.0] [1.0] [1.0] }
-- input { empty([0]f64) empty([0]f64) empty([0]f64) }
-- output { empty([0]f64) empty([0]f64) empty([0]f64) empty([0]f64) empty([0]f64) empty([0]f64) }
-- ==
-- entry: scan_of_scan
-- input { [2.0,3.0,5.0] } output { [553.0,244.0,72.0] }
-- ==
-- entry: product_hessian
-- input { [0.0,3.0] [0.0,1.0] } output { [1.0,0.0] }
-- ==
-- entry: maximum
-- input { [3.0,7.0,7.0,1.0] } output { [0.0,1.0,0.0,0.0] }
-- input { empty([0]f64) } output { empty([0]f64) }
-- ==
-- entry: linear
-- input { [2.0,3.0,5.0] [1.0,4.0,6.0] } output { [0.0,5.0,7.0] [15.0,5.0,1.0] }
-- ==
-- entry: prefix_squares
-- input { [1.0,1.0,1.0] [1.0,2.0,3.0] } output { [28.0,26.0,18.0] }
-- ==
-- entry: prefix_squares_rows
-- input { [1.0,1.0,1.0] } output { [[2.0,0.0,0.0],[4.0,4.0,0.0],[6.0,6.0,6.0]] }
-- ==
-- entry: prefix_products
-- input { [1.0,-1.0,2.0] } output { [1.0,8.0,0.0] }
-- ==
-- entry: recurrence
-- input { [9.0,2.0,3.0] [1.0,1.0,1.0] } output { [0.0,4.0,3.0] [9.0,4.0,1.0] }
-- ==
-- entry: operator_free
-- input { [1.0,2.0,3.0] 0.5 } output { [5.0,3.75,3.0] 17.0 }
-- ==
-- entry: selection
-- input { [1.0,5.0,5.0] [10.0,20.0,30.0] } output { [0.0,0.0,0.0] [0.0,1.0,0.0] }

entry product [n] (xs: [n]f64) = vjp f64.product xs 1
entry product_hessian [n] (xs: [n]f64) (d: [n]f64) = jvp (\xs -> vjp f64.product xs 1) xs d
entry maximum [n] (xs: [n]f64) = vjp f64.maximum xs 1
entry linear [n] (a: [n]f64) (b: [n]f64) =
  vjp (\(ab: [n](f64, f64)) ->
         (reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) ab).1)
      (zip a b) 1 |> unzip

def f_prefix [n] (xs: [n]f64) = let ss = scan (+) 0 xs in map2 (*) ss ss
entry prefix_squares [n] (xs: [n]f64) (g: [n]f64) = vjp f_prefix xs g
entry prefix_squares_rows [n] (xs: [n]f64) =
  mjp f_prefix xs (tabulate_2d n n (\i j -> f64.bool (i == j)))
entry prefix_products [n] (xs: [n]f64) =
  vjp (\xs -> f64.sum (scan (*) 1 (map (+ 1) xs))) xs 1
-- A sum, a product and a maximum at once, with the values.
entry three_scans [n] (a: [n]f64) (b: [n]f64) (c: [n]f64) =
  let f = scan (\(a, b, c) (d, e, f) -> (a + d, b * e, f64.max c f)) (0, 1, -f64.inf)
  let w = map (\i -> 10 ** f64.i64 i) (iota n)
  let (ys, xs') = vjp2 f (zip3 a b c) (zip3 w w w)
  let (p, q, r) = unzip3 ys
  let (s, t, u) = unzip3 xs'
  in (p, q, r, s, t, u)
-- Products of products: 2, 2*6, 2*6*30, the sum of which is 2 + 12 + 360.
entry scan_of_scan [n] (xs: [n]f64) =
  vjp (\xs -> f64.sum (scan (*) 1 (scan (*) 1 xs))) xs 1
entry recurrence [n] (a: [n]f64) (b: [n]f64) =
  vjp (\(ab: [n](f64, f64)) ->
         f64.sum (map (.1) (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) ab)))
      (zip a b) 1 |> unzip
entry operator_free (xs: [3]f64) (c: f64) =
  vjp (\(xs: [3]f64, c) -> reduce (\x y -> x + y + c * x * y) 0 xs) (xs, c) 1
entry selection [n] (v: [n]f64) (p: [n]f64) =
  vjp (\(ps: [n](f64, f64)) ->
         (reduce (\(v, p) (w, q) -> if w > v then (w, q) else (v, p)) (-f64.inf, 0) ps).1)
      (zip v p) 1 |> unzip

-- The product maps over the rows of one matrix and indexes the other.
def times (a: [2][2]f64) (b: [2][2]f64) : [2][2]f64 =
  map (\r -> tabulate 2 (\j -> f64.sum (map2 (\x k -> x * b[k, j]) r (iota 2)))) a
def cells (x: f64) : [2][2]f64 = [[x, 1], [1, -x]]
def one = [[1.0f64, 0.0], [0.0, 1.0]]
entry matrices [n] (xs: [n]f64) =
  let all f = vjp (\xs -> (f (map cells xs))[0, 0]) xs 1
  in (all (reduce times (copy one)), all (\ms -> last (scan times (copy one) ms)))
