-- | Reductions, scans and histograms and their derivatives; `bench/ad/bench_ad.c` times them.
-- Every benchmark is a pair of entries, NAME and NAME_grad, on the same arguments.

-- Numbers in [-1, 1), the same on every machine.
def noise (i: i64) : f64 =
  let a = u64.i64 i * 6364136223846793005 + 1442695040888963407
  let b = (a ^ (a >> 29)) * 0x94d049bb133111eb
  in f64.u64 ((b ^ (b >> 32)) >> 11) / f64.u64 (1 << 52) - 1

entry numbers (n: i64) : [n]f64 = map noise (iota n)
-- Near one: products of all stay in range.
entry factors (n: i64) : [n]f64 = map (\i -> 1 + noise i / f64.i64 n) (iota n)
entry bins (n: i64) : [n]i64 = map (\i -> i64.f64 ((noise (i + n) + 1) * 512)) (iota n)

-- x + y + x y: associative, with a derivative that depends on both operands; for the compiler it is
-- any operator.
def both (x: f64) (y: f64) : f64 = x + y + x * y

entry small (n: i64) : [n]f64 = map (\i -> noise i / f64.i64 n) (iota n)

entry sum [n] (xs: [n]f64) : f64 = f64.sum xs
entry sum_grad [n] (xs: [n]f64) : [n]f64 = vjp f64.sum xs 1

entry product [n] (xs: [n]f64) : f64 = f64.product xs
entry product_grad [n] (xs: [n]f64) : [n]f64 = vjp f64.product xs 1

entry reduce_any [n] (xs: [n]f64) : f64 = reduce both 0 xs
entry reduce_any_grad [n] (xs: [n]f64) : [n]f64 = vjp (reduce both 0) xs 1

entry scan_sum [n] (xs: [n]f64) (_seed: [n]f64) : [n]f64 = scan (+) 0 xs
entry scan_sum_grad [n] (xs: [n]f64) (seed: [n]f64) : [n]f64 = vjp (scan (+) 0) xs seed

entry scan_any [n] (xs: [n]f64) (_seed: [n]f64) : [n]f64 = scan both 0 xs
entry scan_any_grad [n] (xs: [n]f64) (seed: [n]f64) : [n]f64 = vjp (scan both 0) xs seed

entry hist_sum [n] (is: [n]i64) (xs: [n]f64) (_seed: [1024]f64) : [1024]f64 = hist (+) 0 1024 is xs
entry hist_sum_grad [n] (is: [n]i64) (xs: [n]f64) (seed: [1024]f64) : [n]f64 =
  vjp (hist (+) 0 1024 is) xs seed

entry hist_any [n] (is: [n]i64) (xs: [n]f64) (_seed: [1024]f64) : [1024]f64 = hist both 0 1024 is xs
entry hist_any_grad [n] (is: [n]i64) (xs: [n]f64) (seed: [1024]f64) : [n]f64 =
  vjp (hist both 0 1024 is) xs seed

-- Products of 2 by 2 matrices.
type m2 = (f64, f64, f64, f64)
def mul2 ((a, b, c, d): m2) ((e, f, g, h): m2) : m2 =
  (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
def scan2 [n] (as: [n]f64) (bs: [n]f64) (cs: [n]f64) (ds: [n]f64) : ([n]f64, [n]f64, [n]f64, [n]f64) =
  unzip4 (scan mul2 (1, 0, 0, 1) (zip4 as bs cs ds))

entry scan_matrix [n] (as: [n]f64) (bs: [n]f64) : ([n]f64, [n]f64, [n]f64, [n]f64) = scan2 as bs bs as
entry scan_matrix_grad [n] (as: [n]f64) (bs: [n]f64) : ([n]f64, [n]f64, [n]f64, [n]f64) =
  vjp (\(a, b, c, d) -> scan2 a b c d) (as, bs, bs, as) (bs, as, as, bs)

-- Composition of linear functions, and sums of products of pairs.
def linear [n] (as: [n]f64) (bs: [n]f64) : ([n]f64, [n]f64) =
  unzip (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip as bs))
def pairs [n] (as: [n]f64) (bs: [n]f64) : ([n]f64, [n]f64) =
  unzip (scan (\(p, s) (q, t) -> (p + q + s * t, s + t)) (0, 0) (zip as bs))

entry scan_linear [n] (as: [n]f64) (bs: [n]f64) : ([n]f64, [n]f64) = linear as bs
entry scan_linear_grad [n] (as: [n]f64) (bs: [n]f64) : ([n]f64, [n]f64) =
  vjp (\(a, b) -> linear a b) (as, bs) (bs, as)
entry scan_pairs [n] (as: [n]f64) (bs: [n]f64) : ([n]f64, [n]f64) = pairs as bs
entry scan_pairs_grad [n] (as: [n]f64) (bs: [n]f64) : ([n]f64, [n]f64) =
  vjp (\(a, b) -> pairs a b) (as, bs) (bs, as)

-- A recurrence in place, and one with a branch: their derivatives take time in proportion to n.
def recurrence [n] (xs: [n]f64) : [n]f64 =
  loop ys = copy xs for i < n - 1 do ys with [i + 1] = 0.5 * ys[i] * ys[i + 1] + ys[i + 1]
def branching [n] (xs: [n]f64) : [n]f64 =
  loop ys = copy xs for i < n - 1 do
    if ys[i] > 0 then ys with [i + 1] = 0.5 * ys[i] * ys[i + 1] + ys[i + 1] else ys

entry inplace [n] (xs: [n]f64) (_seed: [n]f64) : [n]f64 = recurrence xs
entry inplace_grad [n] (xs: [n]f64) (seed: [n]f64) : [n]f64 = vjp recurrence xs seed
entry branches [n] (xs: [n]f64) (_seed: [n]f64) : [n]f64 = branching xs
entry branches_grad [n] (xs: [n]f64) (seed: [n]f64) : [n]f64 = vjp branching xs seed
