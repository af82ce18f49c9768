-- Sparse derivatives of results that are sums of as many terms as the run says: the blocks of the terms
-- are added up.  Against dense ones, and against what is found at run time.  Every entry gives the number
-- of entries, whether index expressions told, and whether all agree.
-- ==
-- entry: row_sums products weighted two_sums
-- input { 0i64 0i64 } output { 0i64 true true }
-- input { 2i64 0i64 } output { 0i64 true true }
-- input { 1i64 1i64 } output { 1i64 true true }
-- ==
-- entry: row_sums weighted
-- input { 3i64 4i64 } output { 12i64 true true }
-- ==
-- entry: products
-- input { 2i64 3i64 } output { 12i64 true true }
-- ==
-- entry: two_sums
-- input { 3i64 2i64 } output { 12i64 true true }
-- ==
-- entry: batches
-- input { 2i64 3i64 } output { 12i64 true true }
-- input { 2i64 0i64 } output { 0i64 true true }
-- input { 1i64 1i64 } output { 2i64 true true }
-- ==
-- entry: gathered
-- input { [1.0, 2.0, 3.0] [[0i64, 1], [2i64, 2], [-1i64, 0]] } output { 4i64 true true }
-- input { [1.0, 2.0, 3.0] empty([0][2]i64) } output { 0i64 true true }
-- input { [1.0, 2.0, 3.0] empty([2][0]i64) } output { 0i64 true true }
-- ==
-- entry: singles
-- input { 3i64 } output { 9i64 true true }
-- ==
-- entry: dense_rows
-- input { [1.0, 2.0, 3.0] } output { 9i64 true true }
-- ==
-- entry: uneven prefixes
-- input { [1.0, 2.0, 3.0, 4.0] } output { 10i64 true true }
-- input { empty([0]f64) } output { 0i64 true true }
-- ==
-- entry: suffixes
-- input { [1.0, 2.0, 3.0, 4.0] } output { 10i64 true true }
-- ==
-- entry: sines_of_prefixes
-- input { [1.0, 2.0, 3.0, 4.0] } output { 10i64 false true }
-- ==
-- entry: compressed_slices
-- input { [0i64, 2, 3, 3, 6] [1i64, 2, 0, 0, 1, 2] [1.0, 2.0, 3.0, 4.0] } output { 9i64 true true }
-- input { [0i64, 0, 0] empty([0]i64) [1.0, 2.0] } output { 0i64 true true }
-- ==
-- entry: compressed_rows
-- input { [0i64, 2, 3, 3, 6] [1i64, 2, 0, 0, 1, 2] [1.0, 2.0, 3.0, 4.0] } output { 10i64 true true }
-- input { [0i64] empty([0]i64) empty([0]f64) } output { 0i64 true true }
-- input { [0i64, 0, 0] empty([0]i64) [1.0, 2.0] } output { 2i64 true true }
-- ==
-- entry: product_of_rows
-- input { [0i64, 2, 3, 3, 6] [1i64, 2, 0, 0, 1, 2] [1.0, 2.0, 3.0, 4.0] } output { 6i64 true true }
-- ==
-- entry: rows_of_rows
-- input { [0i64, 2, 3, 3, 6] [1i64, 2, 0, 0, 1, 2] [1.0, 2.0, 3.0, 4.0] } output { 8i64 false true }
-- ==
-- entry: hessian_graph
-- input { [0i64, 2, 3, 3, 6] [1i64, 2, 0, 0, 1, 2] [1.0, 2.0, 3.0, 4.0] } output { 14i64 true true }
-- input { [0i64, 0, 0] empty([0]i64) [1.0, 2.0] } output { 0i64 true true }
-- ==
-- entry: again
-- input { 2i64 3i64 } output { [6.0, 12.0, 18.0, 24.0, 30.0, 36.0] }
-- ==
-- entry: hessian_rows
-- input { 3i64 2i64 } output { 6i64 true true }
-- input { 0i64 2i64 } output { 0i64 true true }
-- ==
-- entry: hessian_chain
-- input { 2i64 3i64 } output { 20i64 true true }
-- ==
-- entry: hessian_many
-- input { [0.5, -1.0, 2.0, 0.25, 1.5] } output { 15i64 true true }
-- input { [0.5] } output { 1i64 true true }
-- ==
-- entry: hessian_bands hessian_ring
-- input { [0.5, -1.0, 2.0, 0.25, 1.5, 3.0] } output { 24i64 true true }
-- ==
-- entry: hessian_triples
-- input { 2i64 [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] } output { 18i64 true true }
-- input { 0i64 empty([0]f64) } output { 0i64 true true }
-- ==
-- entry: hessian_of_copies
-- input { 3i64 [1.0, 2.0, 3.0] } output { 4i64 true }
-- input { 0i64 [1.0, 2.0, 3.0] } output { 4i64 true }
-- ==
-- entry: hessian_dense
-- input { [0.5, -1.0, 2.0] } output { 9i64 false true }
-- input { [0.5] } output { 1i64 false true }
-- input { empty([0]f64) } output { 0i64 false true }
-- ==
-- entry: hessian_loop
-- input { [0.5, -1.0, 2.0] } output { 7i64 true }
-- input { [0.5] } output { 0i64 true }
-- ==
-- entry: halves
-- input { [0.5f32, -1.0f32, 2.0f32] } output { [0i64, 3, 5, 7] [0i64, 1, 2, 0, 1, 0, 2] true }
import "lib/ad"
import "lib/ad/sparse"
module ad = mk_ad f64
module ad32 = mk_ad f32

def dense [m1] [k] (n: i64) (offsets: [m1]i64) (columns: [k]i64) (values: [k]f64) : [][n]f64 =
  scatter_2d (replicate (m1 - 1) (replicate n 0)) (zip (csr_rows k offsets) columns) values

def same [n] [m] [k] (a: [n][m]f64) (b: [k][m]f64) : bool =
  n == k && all (\d -> d < 1e-9) (map2 (\x y -> f64.abs (x - y)) (flatten a) (flatten (b :> [n][m]f64)))

def close [n] [m] (a: [n]f64) (b: [m]f64) : bool = same [a] [b :> [n]f64]

def equal [n] [m] (a: [n]i64) (b: [m]i64) : bool = n == m && and (map2 (==) a (b :> [n]i64))

-- The function behind a loop that tells nothing.
#[inline]
def hide [n] 'a (f: [n]f64 -> a) (x: [n]f64) : a = f (loop x for _i < 2 * (n % 3) do reverse x)

#[inline]
def check [n] [m] (f: [n]f64 -> [m]f64) (x: [n]f64) : (i64, bool, bool) =
  let (offsets, columns, values) = ad.sparse_jacobian f x
  let (offsets', columns', values') = ad.sparse_jacobian (hide f) x
  let turn [k] 't (a: [k]t) : [k]t =  -- every row backwards
    map2 (\i e -> a[offsets[i] + offsets[i + 1] - 1 - e]) (csr_rows k offsets) (iota k)
  in (length columns, ad.is_by_blocks f x,
      same (ad.jacobian_forward f x) (dense n offsets columns values)
      && equal offsets offsets' && equal columns columns' && close values values'
      && close values (ad.jacobian_in offsets columns f x)
      && close (turn values) (ad.jacobian_in offsets (turn columns) f x)
      && equal columns (ad.jacobian_pattern f x).1)

def sines (k: i64) = tabulate k (\i -> f64.sin (f64.i64 (i + 1)))

#[inline]
def on_rows [r] (n: i64) (m: i64) (f: [n][m]f64 -> [r]f64) : (i64, bool, bool) =
  check (\x -> f (unflatten x)) (sines (n * m))

entry row_sums (n: i64) (m: i64) = on_rows n m (\u -> map (\r -> f64.sum (map (** 2) r)) u)

-- A matrix times one that x has no part in.
entry products (n: i64) (m: i64) =
  let v = unflatten (sines (m * n)) : [m][n]f64
  in on_rows n m (\u -> flatten (map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose v)) u))

-- Times and divided by what x has no part in, beside a scalar and a constant.
entry weighted (n: i64) (m: i64) =
  on_rows n m (\u -> map2 (\r w -> let first = if m > 0 then r[0] * r[0] else 0
                                   in 3 - f64.i64 w * f64.sum (map f64.sin r) / 2 - first)
                          u (map (+ 1) (iota n)))

-- Differences of sums over the row and over the next one.
entry two_sums (n: i64) (m: i64) =
  on_rows n m (\u -> tabulate n (\i -> f64.sum (map (** 3) u[i]) - f64.sum u[(i + 1) % n]))

-- Sums of sums.
entry batches (n: i64) (m: i64) =
  check (\x -> map (\g -> f64.sum (map (\r -> f64.sum (map (** 2) r)) g))
                   (unflatten_3d (x :> [n * m * 2]f64)))
        (sines (n * m * 2))

-- No neighbour where the index is negative.
entry gathered [n] [m] [d] (x: [n]f64) (at: [m][d]i64) =
  check (\x -> map (\is -> f64.sum (map (\i -> if i >= 0 then x[i] ** 2 else 0) is)) at) x

-- A row reads its own columns as often as there are sums.
entry singles (n: i64) = on_rows n n (\u -> map (\r -> f64.sum r * 2 + f64.sum (map (** 2) (reverse r))) u)

entry dense_rows [n] (x: [n]f64) =
  check (\x -> tabulate n (\i -> f64.sum (map (\j -> x[j] * x[i]) (iota n)))) x

-- As many terms as the row says: found at run time.
entry uneven [n] (x: [n]f64) =
  check (\x -> tabulate n (\i -> f64.sum (map (\j -> x[j] ** 2) (iota (i + 1))))) x
entry prefixes [n] (x: [n]f64) = check (\x -> scan (+) 0 (map (** 2) x)) x
entry suffixes [n] (x: [n]f64) =
  check (\x -> tabulate n (\i -> x[i] - f64.sum (map (** 2) x[i + 1:]))) x
entry sines_of_prefixes [n] (x: [n]f64) = check (\x -> map f64.sin (scan (+) 0 (map (** 2) x))) x

-- Rows of a matrix in compressed form, by loops and by slices.
entry compressed_rows [m1] [k] (offsets: [m1]i64) (columns: [k]i64) (x: [m1 - 1]f64) =
  check (\x -> tabulate (m1 - 1) (\i ->
           loop s = x[i] for e in offsets[i]..<offsets[i + 1] do s + (x[i] - x[columns[e]]) ** 3)) x
entry compressed_slices [m1] [k] (offsets: [m1]i64) (columns: [k]i64) (x: [m1 - 1]f64) =
  check (\x -> tabulate (m1 - 1) (\i ->
           f64.sum (map (\c -> (x[i] - x[c]) ** 3) columns[offsets[i]:offsets[i + 1]]))) x
entry product_of_rows [m1] [k] (offsets: [m1]i64) (columns: [k]i64) (x: [m1 - 1]f64) =
  check (\x -> tabulate (m1 - 1) (\i ->
           2 * f64.sum (map (\e -> f64.i64 (e + 1) * x[columns[e]] ** 2)
                            (offsets[i]..<offsets[i + 1])))) x
-- Sums of sums, both of as many terms as the data say.
entry rows_of_rows [m1] [k] (offsets: [m1]i64) (columns: [k]i64) (x: [m1 - 1]f64) =
  check (\x -> tabulate (m1 - 1) (\i ->
           f64.sum (map (\c ->
                          f64.sum (map (\d -> x[c] * x[d] ** 2) columns[offsets[c]:offsets[c + 1]]))
                        columns[offsets[i]:offsets[i + 1]]))) x

-- Derivatives of the entries: the sum of 3 x^2, differentiated once more.
entry again (n: i64) (m: i64) =
  let f (x: [n * m]f64) = map (\r -> f64.sum (map (** 3) r)) (unflatten x)
  in vjp (\x -> f64.sum (ad.sparse_jacobian f x).2) (tabulate (n * m) (\i -> f64.i64 (i + 1))) 1

#[inline]
def check_hessian [n] (f: [n]f64 -> f64) (x: [n]f64) : (i64, bool, bool) =
  let (offsets, columns, values) = ad.sparse_hessian f x
  let (offsets', columns', values') = ad.sparse_hessian (hide f) x
  let (count, colours) = colour_star n offsets columns
  in (length columns, ad.is_sum_of_blocks f x,
      same (ad.hessian f x) (dense n offsets columns values)
      && equal offsets offsets' && equal columns columns' && close values values'
      && equal columns (ad.hessian_pattern f x).1
      && close values (ad.hessian_in offsets columns f x)
      && all (\c -> 0 <= c && c < count) colours)

entry hessian_rows (n: i64) (m: i64) =
  check_hessian (\x -> f64.sum (map (\r -> f64.sum (map (** 3) r) / 2) (unflatten (x :> [n * m]f64))))
                (sines (n * m))

entry hessian_graph [m1] [k] (offsets: [m1]i64) (columns: [k]i64) (x: [m1 - 1]f64) =
  check_hessian (\x -> f64.sum (tabulate (m1 - 1) (\i ->
                   loop s = 0 for e in offsets[i]..<offsets[i + 1] do s + (x[i] - x[columns[e]]) ** 4)))
                x

-- Neighbours in each row, times a weight of the row, and each row's first.
entry hessian_chain (n: i64) (m: i64) =
  check_hessian (\x -> let u = unflatten (x :> [n * m]f64)
                       in f64.sum (map2 (\r w -> f64.sum (tabulate m (\j -> r[j] ** 4 * r[(j + 1) % m])) * w
                                                 + (r[0] * u[0, 0]) ** 2)
                                        u (sines n)))
                (sines (n * m))

entry hessian_many [n] (x: [n]f64) =
  check_hessian (\x -> f64.sum (map (** 4) x) + (if n > 2 then f64.exp (x[0] * x[2]) else 0)
                       + f64.sum (tabulate (n - 1) (\i -> x[i] * x[i + 1]))) x

entry hessian_bands [n] (x: [n]f64) =
  check_hessian (\x -> f64.sum (tabulate (n - 3) (\i -> f64.sin (x[i] * x[i + 1] * x[i + 3])))) x

entry hessian_ring [n] (x: [n]f64) =
  check_hessian (\x -> f64.sum (tabulate n (\i -> (x[i] - x[(i + 1) % n]) ** 4
                                                  + x[i] * x[(i + 3) % n]))) x

entry hessian_triples [n] (k: i64) (x: [n]f64) =
  check_hessian (\x -> f64.sum (map f64.product (unflatten (x :> [k * 3]f64)))) x

entry hessian_dense [n] (x: [n]f64) =
  check_hessian (\x -> f64.log (1 + f64.sum (map (** 2) x))) x

-- Of as many copies of one number that only the function of a block has, times a factor: no view. k equal
-- terms are k times one, so with none the pattern has two zeros.
entry hessian_of_copies [n] (k: i64) (x: [n]f64) =
  let (l, _, ok) = check_hessian (\x -> let z = if x[0] < 0.1 then x[1] else x[0] * x[2]
                                        in 0.5 * f64.sum (map (** 2) (replicate k z)) + z) x
  in (l, ok)

entry hessian_loop [n] (x: [n]f64) =
  let (k, _, ok) = check_hessian (\x -> loop s = 0 for i < n - 1 do s + (x[i + 1] - x[i]) ** 4) x
  in (k, ok)

entry halves [n] (x: [n]f32) =
  let (offsets, columns, values) = ad32.sparse_hessian (\x -> f32.sum (map (\a -> a ** 3 * x[0]) x)) x
  let h = ad32.hessian (\x -> f32.sum (map (\a -> a ** 3 * x[0]) x)) x
  in (offsets, columns,
      all (\(i, (j, v)) -> f32.abs (h[i, j] - v) < 1e-4)
          (zip (csr_rows (length columns) offsets) (zip columns values :> [length columns](i64, f32))))
