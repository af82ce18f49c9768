-- Sparse Jacobians by index expressions: against dense ones, and against the pattern and the entries
-- found at run time.  Every entry gives the number of
-- entries, whether index expressions told, and whether all agree.
-- ==
-- entry: gathers
-- input { [1.0, 2.0, 3.0, 4.0] [0i64, 1, 2, 3, 0] [1i64, 1, 0, 3, 2] } output { 8i64 true true }
-- input { [1.0] [0i64] [0i64] } output { 1i64 true true }
-- input { [1.0] empty([0]i64) empty([0]i64) } output { 0i64 true true }
-- ==
-- entry: stencil stencil_twice
-- input { empty([0]f64) } output { 0i64 true true }
-- input { [3.0] } output { 1i64 true true }
-- ==
-- entry: stencil
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] } output { 13i64 true true }
-- ==
-- entry: stencil_twice
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] } output { 19i64 true true }
-- ==
-- entry: rows
-- input { 3i64 [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0] } output { 27i64 true true }
-- ==
-- entry: spot
-- input { 3i64 2i64 [1.0, 2.0, 3.0] } output { 4i64 true true }
-- input { 3i64 7i64 [1.0, 2.0, 3.0] } output { 3i64 true true }
-- ==
-- entry: columns reversed
-- input { 2i64 [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] } output { 6i64 true true }
-- ==
-- entry: loops
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] } output { 15i64 true true }
-- input { [1.0, 2.0] } output { 4i64 true true }
-- ==
-- entry: arithmetic
-- input { 3i64 [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0] } output { 18i64 true true }
-- ==
-- entry: neighbour
-- input { [1.0, 2.0, 3.0, 4.0] [1i64, -1, 0, 7] } output { 6i64 true true }
-- ==
-- entry: nested_gather
-- input { [1.0, 2.0, 3.0, 4.0] [[0i64, 1, 0], [3i64, 3, 3]] } output { 3i64 true true }
-- ==
-- entry: by_value
-- input { [2.0, 0.0, 1.0] } output { 9i64 false true }
-- ==
-- entry: differences
-- input { [1.0, 2.0, 4.0, 8.0] } output { 6i64 true true }
-- ==
-- entry: small_array
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] } output { 15i64 true true }
-- ==
-- entry: signs
-- input { [1.0, -2.0, 3.0] } output { 4i64 true true }
-- ==
-- entry: first
-- input { [1.0, 2.0, 3.0] } output { 5i64 true true }
-- ==
-- entry: custom
-- input { [1.0, 2.0, 3.0] } output { 6i64 true true }
-- ==
-- entry: nothing
-- input { [1.0, 2.0, 3.0] } output { 0i64 true true }
-- ==
-- entry: tables
-- input { [1.0, 2.0, 3.0] } output { 9i64 true true }
-- ==
-- entry: padded
-- input { [1.0, 2.0, 3.0] } output { 9i64 true true }
-- ==
-- entry: grid grid_twice
-- input { 0i64 0i64 } output { 0i64 true true }
-- input { 0i64 3i64 } output { 0i64 true true }
-- input { 1i64 1i64 } output { 1i64 true true }
-- ==
-- entry: grid
-- input { 1i64 4i64 } output { 10i64 true true }
-- input { 4i64 3i64 } output { 46i64 true true }
-- ==
-- entry: grid_twice
-- input { 1i64 4i64 } output { 14i64 true true }
-- input { 4i64 3i64 } output { 90i64 true true }
-- ==
-- entry: grid_of_pairs
-- input { 3i64 2i64 } output { 21i64 true true }
-- ==
-- entry: batches
-- input { 2i64 3i64 2i64 } output { 18i64 true true }
-- ==
-- entry: padded_slices
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] } output { 16i64 true true }
-- ==
-- entry: periodic
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] } output { 15i64 true true }
-- ==
-- entry: padded_slices periodic
-- input { empty([0]f64) } output { 0i64 true true }
-- ==
-- entry: padded_slices periodic halves
-- input { [1.0] } output { 1i64 true true }
-- ==
-- entry: padded_between
-- input { [1.0, 2.0, 3.0] } output { 10i64 true true }
-- ==
-- entry: halves
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] } output { 7i64 true true }
-- ==
-- entry: coarse
-- input { 2i64 [1.0, 2.0, 3.0, 4.0, 5.0] } output { 7i64 true true }
-- input { 0i64 [1.0, 2.0, 3.0] } output { 3i64 true true }
-- ==
-- entry: divided
-- input { 0i64 [1.0, 2.0, 3.0] } error: zero
-- ==
-- entry: padded_rows edges
-- input { 0i64 } output { 0i64 true true }
-- ==
-- entry: padded_rows
-- input { 2i64 } output { 20i64 true true }
-- ==
-- entry: edges
-- input { 2i64 } output { 14i64 true true }
-- ==
-- entry: rows_of_rows
-- input { 1i64 } output { 2i64 true true }
-- input { 2i64 } output { 12i64 true true }
-- ==
-- entry: corners
-- input { [1.0, 2.0, 3.0, 4.0] } output { 12i64 true true }
-- input { [1.0, -2.0, 3.0, -4.0] } output { 10i64 true true }
-- input { empty([0]f64) } output { 0i64 true true }
-- ==
-- entry: into_more
-- input { [1.0, 2.0, 3.0, 4.0] [0i64, 1, 2, 3, 0] [1i64, 2, 3, 0, 2] } output { true true }
-- input { [1.0, 2.0, 3.0, 4.0] [0i64, 1, 2, 3, 3] [1i64, 1, 3, 0, 2] } output { true true }
-- input { [1.0, 2.0] empty([0]i64) empty([0]i64) } output { true true }
-- ==
-- entry: into_mixed
-- input { [1.0, 2.0, 3.0, 4.0] } output { [true, true, true, true, true] }
-- input { [1.0] } output { [true, true, true, true, true] }
-- input { empty([0]f64) } output { [true, true, true, true, true] }
-- ==
-- entry: out_of_range
-- input { [1.0, 2.0, 3.0] } error: out of bounds
-- ==
-- entry: again
-- input { [1.0, 2.0, 3.0] } output { [24.0, 48.0, 72.0] }
-- ==
-- entry: rosenbrock
-- input { [1.0, 2.0, 3.0, 4.0] } output { 10i64 true true }
-- input { [1.0] } output { 0i64 true true }
-- ==
-- entry: scaled
-- input { [1.0, 2.0, 3.0] } output { 7i64 true true }
-- ==
-- entry: springs
-- input { [1.0, 2.0, 3.0, 5.0] [0i64, 1, 2, 2] [1i64, 1, 0, -1] } output { 7i64 true true }
-- input { [1.0, 2.0] empty([0]i64) empty([0]i64) } output { 0i64 true true }
-- ==
-- entry: energy
-- input { 3i64 2i64 } output { 14i64 true true }
-- input { 0i64 2i64 } output { 0i64 true true }
-- ==
-- entry: two_sums
-- input { [1.0, 2.0, 3.0] } output { 7i64 true true }
-- ==
-- entry: several_sums
-- input { [1.0, 2.0, 3.0, 4.0] [2i64, 0] } output { 12i64 true true }
-- input { [1.0, 2.0, 3.0, 4.0] empty([0]i64) } output { 10i64 true true }
-- ==
-- entry: sum_of_sum
-- input { [1.0, 2.0, 3.0] } output { 9i64 false true }
-- ==
-- entry: hessian_again
-- input { [1.0, 2.0] } output { [24.0, 24.0] }
import "lib/ad"
import "lib/ad/sparse"
module ad = mk_ad f64

def dense [m1] [k] (n: i64) (offsets: [m1]i64) (columns: [k]i64) (values: [k]f64) : [][n]f64 =
  scatter_2d (replicate (m1 - 1) (replicate n 0)) (zip (csr_rows k offsets) columns) values

def same [n] [m] [k] (a: [n][m]f64) (b: [k][m]f64) : bool =
  n == k && all (\d -> d < 1e-10) (map2 (\x y -> f64.abs (x - y)) (flatten a) (flatten (b :> [n][m]f64)))

def equal [n] [m] (a: [n]i64) (b: [m]i64) : bool = n == m && and (map2 (==) a (b :> [n]i64))

#[inline]
def check [n] [m] (f: [n]f64 -> [m]f64) (x: [n]f64) : (i64, bool, bool) =
  let jac = ad.jacobian_forward f x
  let (offsets, columns, values) = ad.sparse_jacobian f x
  let turn [k] 't (a: [k]t) : [k]t =  -- every row backwards
    map2 (\i e -> a[offsets[i] + offsets[i + 1] - 1 - e]) (csr_rows k offsets) (iota k)
  in (length columns, ad.is_by_blocks f x,
      same jac (dense n offsets columns values)
      && same [values] [ad.jacobian_in offsets columns f x]
      && same [values] [turn (ad.jacobian_in offsets (turn columns) f x)]
      && equal columns (ad.jacobian_pattern f x).1)

-- And the same as what is found at run time, of the function behind a loop that tells nothing.
#[inline]
def check_both [n] [m] (f: [n]f64 -> [m]f64) (x: [n]f64) : (i64, bool, bool) =
  let hidden (x: [n]f64) = f (loop x for _i < 2 * (n % 3) do reverse x)
  let (k, known, ok) = check f x
  let (offsets, columns, values) = ad.sparse_jacobian f x
  let (offsets', columns', values') = ad.sparse_jacobian hidden x
  in (k, known && !ad.is_by_blocks hidden x,
      ok && equal offsets offsets' && equal columns columns' && same (map (\v -> [v]) values) (map (\v -> [v]) values'))

-- Into patterns with more entries than there are: full rows, and one entry more in front of each row.
entry into_more [n] [m] (x: [n]f64) (a: [m]i64) (b: [m]i64) =
  let f (x: [n]f64) = map2 (\i j -> f64.sin x[i] * x[j]) a b
  let jac = ad.jacobian_forward f x
  let all = ad.jacobian_in (map (* n) (iota (m + 1))) (flatten (replicate m (iota n))) f x
  let (offsets, columns, values) = ad.sparse_jacobian f x
  let rows = csr_rows (length columns) offsets
  let wider = map2 (+) offsets (iota (m + 1))
  let at = map2 (\e r -> e + r + 1) (iota (length columns)) rows
  let put 't (ne: t) (v: []t) = scatter (replicate (length columns + m) ne) at (v :> [length columns]t)
  in (same [flatten jac] [all],
      same [put 0 values] [ad.jacobian_in wider (put (-1) columns) f x])

-- Into patterns whose blocks differ from the first: rows backwards, an entry more at either end, rows of
-- which one entry is left out (the others must be right), each for some rows only; and all rows alike.
entry into_mixed [n] (x: [n]f64) =
  let f (x: [n]f64) = flatten (tabulate n (\i -> [x[i] * x[(i + 1) % n] * x[0], x[i] ** 2 + x[(i + 2) % n]]))
  let (offsets, columns, values) = ad.sparse_jacobian f x
  let row r = (offsets[r], offsets[r + 1])
  let good (of: i64 -> ?[k].[k](i64, f64)) =
    let (o, e) = loop (o, e) = ([0], []) for r < n * 2 do
                   let e = e ++ of r
                   in (o ++ [length e], e)
    let (cs, vs) = unzip e
    in same [vs] [ad.jacobian_in (o :> [n * 2 + 1]i64) cs f x]
  let plain r = let (a, b) = row r in zip columns[a:b] values[a:b]
  in [good plain,
      good (\r -> if r % 3 == 1 then reverse (plain r) else plain r),
      good (\r -> if r % 3 == 2 then [(-1, 0)] ++ plain r else plain r),
      good (\r -> if r >= 2 then plain r ++ [(n, 0)] else plain r),
      good (\r -> if r % 2 == 1 then drop 1 (plain r) else plain r)]

entry gathers [n] [m] (x: [n]f64) (a: [m]i64) (b: [m]i64) =
  check_both (\x -> map2 (\i j -> f64.sin x[i] * x[j] + x[i]) a b) x

def smooth [n] (x: [n]f64) : [n]f64 =
  tabulate n (\i -> (if i > 0 then x[i] * x[i - 1] else 0) + x[i]
                    + (if i < n - 1 then f64.sin x[i + 1] else 0))

entry stencil [n] (x: [n]f64) = check_both smooth x
entry stencil_twice [n] (x: [n]f64) = check (\x -> smooth (smooth x)) x

-- Each result has a column of its own; which others it has depends on x, for the second.
entry corners [n] (x: [n]f64) =
  let f (x: [n]f64) : [n / 2 * 4]f64 =
    flatten (tabulate (n / 2) (\i ->
      let z = [x[2 * i], x[2 * i + 1], x[0]]
      let w = map (\a -> a * a) (z :> [3]f64)
      let low = if z[1] > 0 then z[0] * z[1] else z[0]
      in [w[0] + w[1], low, if w[0] > 100 then z[2] else 1, w[1] * z[2]]))
  in check f x

-- The distance of neighbouring rows, in a vector of two.
entry rows [k] (n: i64) (x: [k]f64) =
  let f (x: [k]f64) =
    let p = unflatten (x :> [n * 3]f64)
    in flatten (tabulate n (\i ->
         let d = map2 (-) p[i] p[(i + 1) % n]
         in [f64.sqrt (f64.sum (map (\d -> d * d) d)), f64.product p[i]]))
  in check f x

entry columns [k] (n: i64) (x: [k]f64) =
  check (\(x: [k]f64) -> map (\c -> c[0] * c[2] + c[1]) (transpose (unflatten (x :> [3 * n]f64)))) x

entry reversed [k] (n: i64) (x: [k]f64) =
  check (\(x: [k]f64) -> map (\r -> r[0] * r[2] * r[1]) (reverse (unflatten (x :> [n * 3]f64)))) x

entry loops [n] (x: [n]f64) =
  check (\x -> tabulate n (\i -> loop a = 1 for j < 3 do a * x[(i + j) % n] + a)) x

entry arithmetic [k] (n: i64) (x: [k]f64) =
  check (\x -> tabulate (2 * n) (\r ->
           f64.sum (tabulate 3 (\j -> x[3 * (r / 2) + j] * f64.i64 (j + r))))) x

-- No neighbour where the index is negative or large.
entry neighbour [n] (x: [n]f64) (to: [n]i64) =
  check (\x -> tabulate n (\i -> if to[i] >= 0 && to[i] < n then x[to[i]] * x[i] else x[i] * x[i])) x

entry nested_gather [n] [m] (x: [n]f64) (at: [m][3]i64) =
  check (\x -> map (\is -> f64.product (map (\i -> x[i] + 1) is)) at) x

-- The index depends on x: no index expression, found at run time.
entry by_value [n] (x: [n]f64) =
  check (\x -> tabulate n (\i -> x[i64.f64 x[i]] * x[i] * x[(i + 1) % n])) x

entry differences [n] (x: [n]f64) =
  check (\(x: [n]f64) -> map2 (\a b -> a * a - b) (tail x) (init x)) x

entry small_array [n] (x: [n]f64) =
  check (\x -> tabulate n (\i ->
           let a = replicate 3 1
           let a[0] = x[i] * x[i]
           let a[1] = a[0] + x[(i + 1) % n]
           let a[2] = a[1] * x[(i + 2) % n]
           in f64.sum a)) x

-- The branch that is taken depends on x.
entry signs [n] (x: [n]f64) =
  check (\x -> tabulate n (\i -> if x[i] > 0 then x[i] * x[0] else x[n - 1 - i] ** 2)) x

entry first [n] (x: [n]f64) =
  let f (x: [n]f64) = let a = x[0] * x[0] in map (\y -> a * y) x
  in check f x

entry custom [n] (x: [n]f64) =
  let g a b = with_vjp (\(a, b) -> f64.round a * b) (\_ s -> (s, 2 * s)) (a, b)
  let f (x: [n]f64) = tabulate n (\i -> g x[i] x[(i + 1) % n])
  let (offsets, columns, values) = ad.sparse_jacobian f x
  in (length columns, ad.is_by_blocks f x, same (ad.jacobian_reverse f x) (dense n offsets columns values))

entry nothing [n] (x: [n]f64) = check (\x -> tabulate n (\i -> if x[i] > 9 then x[0] else 1)) x

-- Histograms and sorted positions inside a block.
entry tables [n] (x: [n]f64) =
  check_both (\x -> tabulate n (\i ->
           let r = tabulate 3 (\j -> x[(i + j) % n])
           let h = reduce_by_index (replicate 2 0) (+) 0 [0, 1, 0] r
           in scatter (copy h) [1] [h[0] * h[1]] |> f64.sum)) x

entry padded [n] (x: [n]f64) =
  check (\x -> let p = [0] ++ x ++ [0] in tabulate n (\i -> p[i] * x[0] + p[i + 1] + p[i + 2] * x[n - 1])) x

-- Nests of maps over sizes that only the run knows, and a nest that reads another.
def grid_step [n] [m] (u: [n][m]f64) : [n][m]f64 =
  let at i j = if i < 0 || i >= n || j < 0 || j >= m then 0 else u[i, j]
  in tabulate_2d n m (\i j -> f64.exp u[i, j] - at (i - 1) j - at (i + 1) j - at i (j - 1) * at i (j + 1))
def on_grid [k] (n: i64) (m: i64) (f: [n][m]f64 -> [n][m]f64) (x: [k]f64) : [k]f64 =
  flatten (f (unflatten (x :> [n * m]f64))) :> [k]f64
def sines (k: i64) = tabulate k (\i -> f64.sin (f64.i64 (i + 1)))
entry grid (n: i64) (m: i64) = check_both (on_grid n m grid_step) (sines (n * m))
entry grid_twice (n: i64) (m: i64) = check (on_grid n m (\u -> grid_step (grid_step u))) (sines (n * m))

-- Rows put together, and rows that are put together, of n x 3 numbers.
#[inline]
def check_grid (n: i64) (f: (m: i64) -> [n][m]f64 -> [n][m]f64) : (i64, bool, bool) =
  let m = i64.min (n + 1) 3
  in check (\x -> flatten (f m (unflatten (x :> [n * m]f64)))) (sines (n * m))

entry padded_rows (n: i64) =
  check_grid n (\m (u: [n][m]f64) ->
    let side [m] (r: [m]f64) = [0] ++ r ++ [0] :> [m + 2]f64
    let none = [replicate (m + 2) 0]
    let p = none ++ map side u ++ none :> [n + 2][m + 2]f64
    in tabulate_2d n m (\i j -> p[i, j + 1] * p[i + 2, j + 1] + p[i + 1, j]
                               + p[i + 1, j + 1] * p[i + 1, j + 2]))

entry edges (n: i64) =
  check_grid n (\m (u: [n][m]f64) ->
    let p = map (\r -> [r[0]] ++ r ++ [r[m - 1]] :> [m + 2]f64) u
    in tabulate_2d n m (\i j -> p[i, j] * p[i, j + 1] + p[i, j + 2]))

entry rows_of_rows (n: i64) =
  check_grid n (\m (u: [n][m]f64) ->
    let p = [u[0]] ++ u ++ [u[n - 1]]
    in map3 (\a b c -> map3 (\a b c -> a * b + c) a b c) (p[:n]) (p[1:n + 1] :> [n][m]f64)
            (p[2:] :> [n][m]f64))

entry grid_of_pairs (n: i64) (m: i64) =
  check_both (\x -> let u = unflatten (x :> [n * m]f64)
               in flatten (flatten (tabulate_2d n m (\i j -> [u[i, j] * u[(i + 1) % n, j], u[i, j] ** 2 - u[i, 0]]))))
        (sines (n * m))

entry batches (a: i64) (n: i64) (m: i64) =
  check_both (\x -> let u = unflatten_3d (x :> [a * n * m]f64)
               in flatten (map (\g -> flatten (map (\r -> map (\v -> v * r[0]) r) g)) u))
        (sines (a * n * m))

entry padded_slices [n] (x: [n]f64) =
  check_both (\x -> let p = [0] ++ x ++ [0] :> [n + 2]f64
               in map3 (\a b c -> a * b + f64.sin c) (p[:n] :> [n]f64) (p[1:n + 1] :> [n]f64) (reverse p[2:] :> [n]f64)
                  |> map2 (+) (map (\a -> a * a) (reverse x)))
        x

entry padded_between [n] (x: [n]f64) =
  check_both (\x -> let p = reverse x ++ [1, 2] ++ map (\a -> a * a) x
               in map2 (\a b -> a * b) (init p) (tail p)) x

entry periodic [n] (x: [n]f64) =
  check_both (\x -> map3 (\a b c -> a * b - f64.cos c) (rotate (-1) x) x (rotate 1 x)) x

entry halves [n] (x: [n]f64) =
  check_both (\x -> let y = x[::2] ++ map (\a -> a * a) x[1::2]
               in tabulate n (\i -> if i % 2 == 0 then y[i] * x[0] else y[i / 2])) x

-- Division in a branch: only where the divisor is not zero.
entry coarse [n] (k: i64) (x: [n]f64) =
  check_both (\x -> tabulate n (\i -> if k != 0 then x[i / k * k] * x[i] else x[i])) x

entry divided [n] (k: i64) (x: [n]f64) =
  (ad.sparse_jacobian (\x -> tabulate n (\i -> if x[i] > 2 then x[i / k] else x[i])) x).2

entry out_of_range [n] (x: [n]f64) =
  (ad.sparse_jacobian (\x -> tabulate n (\i -> x[i] * x[i + 1])) x).2

-- Derivatives of the entries: the sum of 4 x_i^3, each differentiated once more.
entry again [n] (x: [n]f64) =
  let f (x: [n]f64) = map (\a -> a ** 4) x
  in vjp (\x -> f64.sum (map (\v -> v ** 1) (ad.sparse_jacobian f x).2)) x 2
     |> map2 (\a g -> g / a) x

-- Hessians of sums of small terms, against dense ones and those by colours.
#[inline]
def check_hessian [n] (f: [n]f64 -> f64) (x: [n]f64) : (i64, bool, bool) =
  let hidden (x: [n]f64) = f (loop x for _i < 2 * (n % 3) do reverse x)
  let (offsets, columns, values) = ad.sparse_hessian f x
  let (offsets', columns', values') = ad.sparse_hessian hidden x
  in (length columns, ad.is_sum_of_blocks f x && !ad.is_sum_of_blocks hidden x,
      same (ad.hessian f x) (dense n offsets columns values)
      && equal offsets offsets' && equal columns columns'
      && equal columns (ad.hessian_pattern f x).1
      && same [values] [ad.hessian_in offsets columns f x]
      && same (map (\v -> [v]) values) (map (\v -> [v]) values'))

entry rosenbrock [n] (x: [n]f64) =
  check_hessian (\x -> f64.sum (tabulate (n - 1) (\i -> 100 * (x[i + 1] - x[i] ** 2) ** 2 + (1 - x[i]) ** 2))) x

entry scaled [n] (x: [n]f64) =
  check_hessian (\x -> f64.sum (map (\a -> a ** 3 * x[0]) x) / f64.i64 n * 3) x

-- A negative end: nothing.
entry springs [n] [m] (x: [n]f64) (a: [m]i64) (b: [m]i64) =
  check_hessian (\x -> f64.sum (map2 (\i j -> if j >= 0 then f64.exp (x[i] - x[j]) * x[i] else 0) a b)) x

entry energy (n: i64) (m: i64) =
  check_hessian (\x -> let u = unflatten (x :> [n * m]f64)
                       in f64.sum (flatten (tabulate_2d n m (\i j ->
                            let d = if i + 1 < n then u[i + 1, j] - u[i, j] else 0
                            in d * d * u[i, j]))))
                (sines (n * m))

-- A sum and one block.
entry two_sums [n] (x: [n]f64) =
  check_hessian (\x -> f64.sum (map (\a -> a ** 3 * x[0]) x) + x[1] ** 2) x

-- Of terms with two, three and four columns, times what x has no part in; one term is linear.
entry several_sums [n] [m] (x: [n]f64) (is: [m]i64) =
  let f (x: [n]f64) =
    let springs = f64.sum (tabulate (n - 1) (\i -> (x[i + 1] - x[i]) ** 4))
    let pulls = f64.sum (map (\i -> f64.sin (x[i] * x[0] * x[1])) is)
    in 3 * (springs - pulls / 2) + f64.i64 m - f64.sum x[1:] * 5 - f64.cos (x[0] + x[1])
  in check_hessian f x

-- Not a sum of terms: by colours.
entry sum_of_sum [n] (x: [n]f64) =
  check_hessian (\x -> let s = f64.sum (map (** 2) x) in s + s * s) x

entry hessian_again [n] (x: [n]f64) =
  let f (x: [n]f64) = f64.sum (map (** 4) x)
  in map2 (/) (vjp (\x -> f64.sum (ad.sparse_hessian f x).2) x 1) x

-- An array that x has no part in, which one branch updates and the other gives as it is.
entry spot [n] (k: i64) (i: i64) (x: [n]f64) =
  check (\x -> let none = replicate k 0
               let b = if i < k then none with [i] = f64.sin x[1] else none
               in map2 (\a b -> a - b * b) (tabulate k (\j -> x[j])) b) x
