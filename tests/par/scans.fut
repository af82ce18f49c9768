-- Scans, filters, partitions and scatters; tests/cli/multicore.t compares their bits.
-- ==
-- entry: sums flags exclusive segments heavy_sums heavy_pairs heavy_count
-- input { 1000i64 } auto output
-- input { 70007i64 } auto output
-- input { 1i64 } auto output
-- input { 0i64 } auto output
-- ==
-- entry: filters heavy_filter partitions filter_sum partition_sums last heavy_last
-- input { 1000i64 } auto output
-- input { 70007i64 } auto output
-- input { 1i64 } auto output
-- input { 0i64 } auto output

def data (n: i64) = map (\i -> i * i % 10007) (iota n)

entry sums (n: i64) = (scan (+) 0 (data n), scan i64.max i64.lowest (data n))

entry exclusive (n: i64) =
  let ys = scan (+) 0 (data n)
  in map (\i -> if i == 0 then 0 else ys[i - 1]) (iota n)

-- Segments, as pairs of a flag and a sum.
entry segments (n: i64) =
  let op (f, x) (g, y): (bool, i64) = (f || g, if g then y else x + y)
  in unzip (scan op (false, 0) (map (\x -> (x % 10 == 0, x)) (data n)))

entry flags (n: i64) = scan (||) false (map (\x -> x == 9999) (data n))

-- Functions that cost much.
def slow (y: f64) : f64 =
  f64.sin (f64.exp y + f64.log (1 + y) * f64.cos y + f64.tanh (f64.atan y) + f64.sqrt (f64.exp (y * y)))
def heavy (x: i64) : f64 = slow (f64.abs (slow (f64.i64 x / 10007)))

entry heavy_sums (n: i64) = scan (+) 0 (map heavy (data n))

entry heavy_pairs (n: i64) =
  unzip (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\x -> (heavy x, 1 / (1 + heavy (x + 1)))) (data n)))

entry heavy_count (n: i64) = scan (+) 0 (map (\x -> i64.f64 (100 * heavy x)) (data n))

entry filters (n: i64) = filter (\x -> x % 3 == 1) (data n)

entry heavy_filter (n: i64) = filter (\x -> heavy x > 0.3) (data n)

entry partitions (n: i64) = partition (\x -> x % 3 == 1) (data n)

-- Sums of floats beside loops that differ between one core and all.
entry filter_sum (n: i64) = f64.sum (filter (< 0) (map (\x -> f64.sin (f64.i64 x)) (data n)))

entry partition_sums (n: i64) =
  let (below, above) = partition (< 0) (map (\x -> f32.sin (f32.i64 x)) (data n))
  in (f32.sum below, f32.sum above, f32.product (map (* 1.5) above))

-- Many at one place: the last one wins.
entry last (n: i64) = scatter (replicate 10007 0) (data n) (iota n)

entry heavy_last (n: i64) = scatter (replicate 100 0) (map (% 100) (data n)) (map (\i -> heavy i) (iota n))
