-- Programs of tools/gpu.sh: of each, its data for a size, and the value.  The first three measure the
-- device and its driver, the others what many programs are made of.
def number (i: i64) : f64 = f64.i64 (i * 7919 % 10007) / 10007

-- A thousand launches of a kernel that does little; the same, each decided by what the last one made.
entry launches_data (n: i64) = tabulate n number
entry launches_value [n] (xs: [n]f64) = (loop xs = copy xs for _i < 1000 do map (+ 1) xs)[0]
entry fetches_data (n: i64) = tabulate n number
entry fetches_value [n] (xs: [n]f64) =
  (loop xs = copy xs for i < 1000 do if xs[i % n] > 1e9 then map (* 2) xs else map (+ 1) xs)[0]

-- Reads and writes once: the bandwidth of memory.
entry copies_data (n: i64) = tabulate n number
entry copies_value [n] (xs: [n]f64) = (loop xs = copy xs for _i < 20 do map (+ 1) xs)[n - 1]

entry reduce_data (n: i64) = tabulate n number
entry reduce_value [n] (xs: [n]f64) = f64.sum xs
entry reduce_gradient [n] (xs: [n]f64) = f64.sum (vjp (\xs -> f64.sum (map (\x -> x * x) xs)) xs 1)

entry scan_data (n: i64) = tabulate n (\i -> i32.i64 (i * 7919 % 10007))
entry scan_value [n] (xs: [n]i32) = (scan (+) 0 xs)[n - 1]

entry filter_data (n: i64) = tabulate n (\i -> i32.i64 (i * 7919 % 10007))
entry filter_value [n] (xs: [n]i32) = length (filter (\x -> x % 2 == 0) xs)

entry hist_data (n: i64) = tabulate n (\i -> i * 7919 % 10007)
def counts (k: i64) (is: []i64) = reduce_by_index (replicate k 0i32) (+) 0 (map (% k) is) (map (const 1) is)
entry hist_value (is: []i64) = counts 31 is
entry bins_data (n: i64) = tabulate n (\i -> i * 7919 % 10007)
entry bins_value (is: []i64) = counts 401 is

-- Steps of the heat equation on a square grid.
entry stencil_data (n: i64) = tabulate_2d n n (\i j -> f32.f64 (number (n * i + j)))
def step [n] (t: [n][n]f32) : [n][n]f32 =
  tabulate_2d n n (\i j ->
    if i == 0 || j == 0 || i == n - 1 || j == n - 1 then t[i, j]
    else t[i, j] + 0.1 * (t[i - 1, j] + t[i + 1, j] + t[i, j - 1] + t[i, j + 1] - 4 * t[i, j]))
entry stencil_value [n] (t: [n][n]f32) = (loop t = copy t for _i < 10 do step t)[n / 2, n / 2]
