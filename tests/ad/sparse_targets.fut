-- Sparse Jacobians of results that are put together: parts one after the other, histograms of sums.
-- Against dense ones, and against what is found at run time.  Every entry gives the number of
-- entries, whether index expressions told, and whether all agree.
-- ==
-- entry: kinetics
-- input { [0.5, 1.0, 0.25, 2.0] [0i64, 1, 2] [1i64, 2, 3] [2i64, 3, 0] } output { 14i64 true true }
-- input { [0.5, 1.0, 0.25, 2.0] [3i64, 0] [3i64, 0] [0i64, 0] } output { 3i64 true true }
-- input { [0.5, 1.0] [0i64, 1] [1i64, 0] [7i64, -1] } output { 4i64 true true }
-- input { [0.5] empty([0]i64) empty([0]i64) empty([0]i64) } output { 0i64 true true }
-- ==
-- entry: elements
-- input { [0.5, 1.0, 0.25, 2.0, 3.0] [[0i64, 1, 2], [1i64, 2, 3], [2i64, 3, 4]] }
-- output { 19i64 true true }
-- input { [0.5] empty([0][3]i64) } output { 0i64 true true }
-- ==
-- entry: onto_itself
-- input { [0.5, 1.0, 0.25] [2i64, 0, 0] } output { 6i64 true true }
-- ==
-- entry: twice
-- input { [0.5, 1.0, 0.25, 2.0] [3i64, 2, 1, 0] } output { 6i64 true true }
-- ==
-- entry: brusselator
-- input { [0.5, 1.0, 0.25, 2.0, 3.0, 1.5, 0.1, 4.0] } output { 32i64 true true }
-- input { empty([0]f64) } output { 0i64 true true }
-- ==
-- entry: boundary
-- input { [0.5, 1.0, 0.25, 2.0, 3.0] } output { 13i64 true true }
-- ==
-- entry: pairs
-- input { [0.5, 1.0, 0.25] } output { 14i64 true true }
-- ==
-- entry: loaded
-- input { 2i64 3i64 [0.5, 1.0, 0.25, 2.0, 3.0, 1.5] } output { 20i64 true true }
-- input { 0i64 3i64 empty([0]f64) } output { 0i64 true true }
-- ==
-- entry: flat_neighbours
-- input { 2i64 3i64 [0.5, 1.0, 0.25, 2.0, 3.0, 1.5] } output { 13i64 true true }
-- ==
-- entry: few
-- input { 3i64 [0.5, 1.0, 0.25] } output { 11i64 false true }
-- ==
-- entry: bins_of_values
-- input { [0.5, 1.0, 2.25] } output { 3i64 false true }
import "lib/ad"
import "lib/ad/sparse"
module ad = mk_ad f64

def dense [m1] [k] (n: i64) (offsets: [m1]i64) (columns: [k]i64) (values: [k]f64) : [][n]f64 =
  scatter_2d (replicate (m1 - 1) (replicate n 0)) (zip (csr_rows k offsets) columns) values

def same [n] [m] [k] (a: [n][m]f64) (b: [k][m]f64) : bool =
  n == k && all (\d -> d < 1e-9) (map2 (\x y -> f64.abs (x - y)) (flatten a) (flatten (b :> [n][m]f64)))

-- The same function, of elements that are selected by value: index expressions do not tell which.
def hide [n] (x: [n]f64) : [n]f64 = map (\i -> x[i + i64.bool (x[0] > 1e300)]) (iota n)

def check [n] [m] (f: [n]f64 -> [m]f64) (x: [n]f64) : (i64, bool, bool) =
  let (offsets, columns, values) = ad.sparse_jacobian f x
  let (offsets', columns', values') = ad.sparse_jacobian (\x -> f (hide x)) x
  let into = ad.jacobian_in offsets columns f x
  let equal_at [k] (c: [k]i64) (v: [k]f64) (w: [k]f64) =
    length columns' == k && all id (map2 (==) c (columns' :> [k]i64))
    && all id (map2 (\a b -> f64.abs (a - b) < 1e-9) v w)
    && all id (map2 (\a b -> f64.abs (a - b) < 1e-9) v (values' :> [k]f64))
  in (length columns, ad.is_by_blocks f x,
      same (ad.jacobian f x) (dense n offsets columns values)
      && all id (map2 (==) offsets offsets') && equal_at columns values into)

-- Reactions a + b -> p.
entry kinetics [n] [r] (c: [n]f64) (a: [r]i64) (b: [r]i64) (p: [r]i64) =
  let change (c: [n]f64) : [n]f64 =
    let rate = map3 (\a b i -> f64.i64 (i + 1) * c[a] * c[b]) a b (iota r)
    in reduce_by_index (replicate n 0) (+) 0 (a ++ b ++ p)
                       (map (\r -> -r) rate ++ map (\r -> -r) rate ++ rate)
  in check change c

-- Triangles, of which each adds to its three nodes.
entry elements [n] [e] (u: [n]f64) (triangles: [e][3]i64) =
  let of_triangle (u: [n]f64) (t: [3]i64) =
    let (a, b, c) = (u[t[0]], u[t[1]], u[t[2]])
    let mean = (a + b + c) / 3
    in [a - b + mean * mean, b - c + mean * a, c - a + f64.sin mean]
  in check (\u -> reduce_by_index (replicate n 0) (+) 0 (flatten triangles)
                                  (flatten (map (of_triangle u) triangles))) u

entry onto_itself [n] (x: [n]f64) (is: [n]i64) =
  check (\x -> reduce_by_index (copy x) (+) 0 is (map (\a -> a * a) x)) x

entry twice [n] (x: [n]f64) (is: [n]i64) =
  check (\x -> reduce_by_index (reduce_by_index (replicate n 1) (+) 0 is (map f64.exp x))
                               (+) 0 (map (\i -> (i + 1) % n) is) (map f64.sin (reverse x))) x

entry brusselator [n] (x: [n]f64) =
  let change (x: [n]f64) : [n]f64 =
    let k = n / 2
    let (u, v) = (x[:k], x[k:] :> [k]f64)
    let laplacian (w: [k]f64) i = w[(i + 1) % k] - 2 * w[i] + w[(i + k - 1) % k]
    let du = tabulate k (\i -> 1 + u[i] * u[i] * v[i] - 4 * u[i] + 0.02 * laplacian u i)
    let dv = tabulate k (\i -> 3 * u[i] - u[i] * u[i] * v[i] + 0.02 * laplacian v i)
    in (du ++ dv) :> [n]f64
  in check change x

-- First and last element stay what they are, between them a constant.
entry boundary [n] (x: [n]f64) =
  check (\x -> [x[0]] ++ [1] ++ map (\i -> x[i] * x[i - 1] + x[i + 1]) (1...n - 2) ++ x[n - 1:]
               ++ reverse x[1:3]) x

-- Parts of several rows for each iteration.
entry pairs [n] (x: [n]f64) =
  check (\x -> flatten (map (\i -> [x[i] * x[0], f64.sin x[i]]) (iota n))
               ++ flatten (tabulate_2d (n - 1) n (\i j -> x[j] + f64.i64 i))) x

entry bins_of_values [n] (x: [n]f64) =
  check (\x -> reduce_by_index (replicate 3 0) (+) 0 (map i64.f64 x) x) x

-- A grid as one row of numbers, minus a load.
entry loaded (n: i64) (m: i64) (x: [n * m]f64) =
  let load = map f64.i64 (iota (n * m))
  in check (\x ->
       let u = unflatten x
       let at i j = if i < 0 || i >= n || j < 0 || j >= m then 0 else u[i, j]
       in map2 (-) (flatten (tabulate_2d n m (\i j ->
                      4 * u[i, j] - at (i - 1) j - at (i + 1) j - at i (j - 1) - at i (j + 1))))
                   load) x

entry flat_neighbours (n: i64) (m: i64) (x: [n * m]f64) =
  check (\x ->
    let g = flatten (map (map (\a -> a * a)) (unflatten x))
    in tabulate (n * m) (\i -> if i + 1 < n * m then g[i] * g[i + 1] else g[i])
       ++ map (\i -> g[i / 2]) (iota n)) x

-- A part of few elements stands in the program one by one: it has to be searched.
entry few (n: i64) (x: [n]f64) =
  check (\x -> map (\a -> a * a) x ++ map (\i -> x[i / 2] * x[0]) (iota 5)) x
