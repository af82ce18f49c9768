-- Maps: free arrays, gathers, slices, products of matrices.
-- ==
-- entry: gather
-- input { [2i64,0i64,2i64] [1.0,5.0,3.0] } output { [2.0,0.0,12.0] }
-- ==
-- entry: free_array
-- input { [[1.0,2.0],[3.0,4.0]] [1.0,-1.0] } output { [[-2.0,2.0],[-2.0,2.0]] [-8.0,-12.0] }
-- ==
-- entry: product
-- input { [[1.0,2.0],[3.0,4.0]] [[5.0,6.0],[7.0,8.0]] [[1.0,0.0],[2.0,1.0]] }
-- output { [[5.0,7.0],[16.0,22.0]] [[7.0,3.0],[10.0,4.0]] }
-- ==
-- entry: concatenated
-- input { [0.5,0.25] } output { [4.0,2.0] }
-- ==
-- entry: softmax
-- input { [0.0,1.0] } output { [0.2689414213699951,0.7310585786300049] }
-- ==
-- entry: neighbours
-- input { [1.0,2.0,3.0,4.0] } output { [2.0,4.0,6.0,3.0] }
-- ==
-- entry: sweeps
-- input { [[2.0,3.0,5.0],[1.0,0.0,7.0]] } output { [[19.0,12.0,6.0],[1.0,8.0,0.0]] }
-- ==
-- entry: powers
-- input { [0i64,2i64] [2.0,3.0] } output { [1.0,27.0] }

entry gather [n] [m] (is: [m]i64) (xs: [n]f64) =
  vjp (\xs -> f64.sum (map (\i -> xs[i] * xs[i]) is)) xs 1

entry free_array [n] [m] (a: [n][m]f64) (v: [m]f64) =
  vjp (\(a: [n][m]f64, v: [m]f64) ->
         f64.sum (map (\r -> let d = f64.sum (map2 (*) r v) in d * d) a))
      (a, v) 1

def matmul [n] [m] [p] (a: [n][m]f64, b: [m][p]f64) : [n][p]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
entry product [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64) (g: [n][p]f64) = vjp matmul (a, b) g

entry concatenated [n] (xs: [n]f64) =
  vjp (\(xs: [n]f64) ->
         let ys = reverse (xs ++ xs)
         in f64.sum (map2 (\i y -> f64.i64 i * y) (indices ys) ys))
      xs 1

entry softmax [n] (xs: [n]f64) =
  vjp (\xs -> let m = f64.maximum xs
              in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs)))
      xs 1

entry neighbours [n] (xs: [n]f64) =
  vjp (\xs -> f64.sum (map2 (*) (xs[1:] :> [n-1]f64) (xs[:n-1] :> [n-1]f64))) xs 1

entry powers [n] (ks: [n]i64) (xs: [n]f64) =
  vjp (\xs -> f64.sum (map2 (\k x -> loop a = x for _i < k do a * x) ks xs)) xs 1

-- Rows that the map writes.
entry sweeps [n] (a: [n][3]f64) : [n][3]f64 =
  let sweep (row: [3]f64) =
    loop r = copy row for j < 2 do r with [j + 1] = r[j] * r[j + 1]
  in vjp (\(a: [n][3]f64) -> f64.sum (flatten (map sweep a))) a 1
