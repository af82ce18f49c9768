-- Programs that tests/hlo/run.py compares: interpreted, and by XLA.
-- Each entry: sizes n = 5, m = 3; see run.py for the arguments.
def lse [k] (z: [k]f64) = let m = f64.maximum z in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) z))

entry product [n][m] (a: [n][m]f64) = map (\r -> map (\c -> f64.sum (map2 (*) r c)) a) a
entry softmax [n][m] (a: [n][m]f64) = map (\r -> let s = lse r in map (\x -> f64.exp (x - s)) r) a
entry scans [n][m] (a: [n][m]f64) = (map (scan (+) 0) a, map (scan f64.max (-f64.inf)) a,
                                     scan (\x y -> x * y + 0.5 * (x - x)) 1 (map (\r -> r[0]) a))
entry histogram [n][m] (a: [n][m]f64) =
  let is = map (\r -> i64.f64 (r[0] * 2)) a
  in (reduce_by_index (replicate 4 0) (+) 0 is (map f64.sum a), scatter (replicate 4 0) is (map f64.product a))
entry branches [n][m] (a: [n][m]f64) = map (\r -> if r[0] > 0 then r[1] / r[0] else f64.log (1 - r[0])) a
entry trips [n][m] (a: [n][m]f64) = map (\r -> loop x = r[0] for i < i64.f64 (f64.abs r[1] * 3) do x * 0.5 + r[i % m]) a
entry while_loops [n][m] (a: [n][m]f64) = map (\r -> loop x = f64.abs r[0] while x < 7 do x * 1.5 + 1) a
entry stencil [n][m] (a: [n][m]f64) =
  tabulate_2d n m (\i j -> if i > 0 && i < n - 1 then a[i - 1, j] + a[i + 1, j] - 2 * a[i, j] else a[i, j])
entry slices [n][m] (a: [n][m]f64) = (reverse a, a[1:3], a[::-2], map (\r -> r[1:]) a, rotate 2 a, transpose a)
entry updates [n][m] (a: [n][m]f64) =
  let b = copy a with [1, 2] = 7
  let c = b with [2:4] = replicate 2 (replicate m 1)
  in loop c for i < n do c with [i, 0] = c[(i + 1) % n, 1] * 2
def i_of [m] (r: [m]f64) = i64.f64 (r[0] * 10)
def k_of [m] (r: [m]f64) = let k = i64.f64 (r[1] * 7) in if k == 0 then 3 else k
entry integers [n][m] (a: [n][m]f64) =
  (map (\r -> i_of r / k_of r) a, map (\r -> i_of r % k_of r) a, map (\r -> i_of r // k_of r) a,
   map (\r -> i_of r %% k_of r) a, map (\r -> i64.max (i_of r) (k_of r)) a, map (\r -> i64.sgn (i_of r)) a,
   map (\r -> i_of r >> 1) a, map (\r -> i_of r ^ k_of r) a, map (\r -> i64.popc (i_of r)) a)
entry floats [n][m] (a: [n][m]f64) =
  (map (map f64.sin) a, map (map f64.tanh) a, map (map f64.floor) a, map (map f64.round) a,
   map (map (\x -> f64.log1p (f64.abs x))) a, map (map (\x -> f64.atan2 x 0.5)) a,
   map (map (\x -> f64.asin (x / 10))) a, map (map f64.sinh) a, map (map f64.sgn) a)
entry conversions [n][m] (a: [n][m]f64) =
  (map (map i32.f64) a, map (map u8.f64) a, map (map f32.f64) a, map (map bool.f64) a, map (map u32.f64) a)
entry gradient [n][m] (a: [n][m]f64) = vjp (\a -> f64.sum (map lse a) + f64.sum (map f64.maximum a)) a 1
entry second [n][m] (a: [n][m]f64) = jvp (\a -> vjp (\a -> f64.sum (map lse a)) a 1) a a
entry convolution [n][m] (a: [n][m]f64) =
  vjp (\w -> f64.sum (tabulate (n - 1) (\i -> f64.sum (map (\j -> a[i + j, 0] * w[j]) (iota 2))) |> map (\x -> x * x))) [0.5, -1] 1
entry picked [n][m] (a: [n][m]f64) = map (\r -> a[i64.f64 (f64.abs r[0]), 1] * r[0]) a
entry moved [n][m] (a: [n][m]f64) =
  let cube = map (\r -> map (\c -> map (* c) r) a[0]) a
  let sums = map (\c -> f64.sum (map f64.sum c)) (transpose (map transpose cube))
  let product = map2 (\p q -> map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose q)) p) cube cube
  in (sums, map transpose product, f64.sum (map (\p -> f64.sum (map f64.sum p)) product),
      transpose (map (\r -> map (\c -> f64.sum (map2 (*) r c)) cube[0]) cube[1]),
      map2 (\p q -> f64.sum (map2 (\x y -> f64.sum (map2 (*) x y)) p q)) cube (map reverse cube))
-- Windows: each with its derivatives by the array and by the weights, which are windows, too.
def line [n][m] (a: [n][m]f64) : [24]f64 = tabulate 24 (\i -> a[i % n, i % m] * f64.i64 (i + 1))
def weights (k: i64) : [k]f64 = tabulate k (\j -> 0.5 - 0.75 * f64.i64 j)
def both [n][k][r] (f: [n]f64 -> [k]f64 -> [r]f64) (x: [n]f64) (w: [k]f64) =
  let y = f x w
  in (y, vjp (\(x, w) -> f64.sum (map2 (\p q -> p * q * q) y (f x w))) (x, w) 1,
      jvp (\x -> vjp (f x) w (map f64.sin y)) x x)
entry window_plain [n][m] (a: [n][m]f64) =
  both (\x w -> tabulate 20 (\i -> f64.sum (tabulate 5 (\j -> x[i + j] * w[j])))) (line a) (weights 5)
entry window_strided [n][m] (a: [n][m]f64) =
  both (\x w -> tabulate 7 (\i -> f64.sum (tabulate 3 (\j -> x[3 * i + 2 * j + 1] * w[j])))) (line a) (weights 3)
entry window_reversed [n][m] (a: [n][m]f64) =
  both (\x w -> tabulate 7 (\i -> f64.sum (tabulate 4 (\j -> x[2 * i + 6 - 2 * j] * w[j])))) (line a) (weights 4)
entry window_backwards [n][m] (a: [n][m]f64) =
  both (\x w -> tabulate 6 (\i -> f64.sum (tabulate 4 (\j -> x[23 - 2 * i - 3 * j] * w[j])))) (line a) (weights 4)
def image [n][m] (a: [n][m]f64) : [2][3][9][7]f64 =
  tabulate_2d 2 3 (\b c -> tabulate_2d 9 7 (\i j -> a[(i + b) % n, (j + c) % m] + f64.i64 (i * j - c)))
def filters [n][m] (a: [n][m]f64) : [4][3][3][2]f64 =
  tabulate_2d 4 3 (\o c -> tabulate_2d 3 2 (\i j -> a[(o + i) % n, (c + j) % m] - 0.3))
def layers (x: [2][3][9][7]f64) (w: [4][3][3][2]f64) : [2][4][4][6]f64 =
  let one (x: [3][9][7]f64) (w: [3][3][2]f64) i j =
    f64.sum (map2 (\x w -> f64.sum (tabulate 3 (\p -> f64.sum (tabulate 2 (\q -> x[2 * i + p, j + q] * w[p, q]))))) x w)
  in map (\x -> map (\w -> tabulate_2d 4 6 (one x w)) w) x
def depthwise (x: [2][3][9][7]f64) (w: [3][3][2]f64) : [2][3][7][3]f64 =
  let one (x: [9][7]f64) (w: [3][2]f64) i j =
    f64.sum (tabulate 3 (\p -> f64.sum (tabulate 2 (\q -> x[i + p, 2 * j + 2 * q] * w[p, q]))))
  in map (\x -> map2 (\x w -> tabulate_2d 7 3 (one x w)) x w) x
def total [n][m][p][q] (x: [n][m][p][q]f64) = f64.sum (map f64.sum (map (map f64.sum) (map (map (map (map f64.sin))) x |> map (map (map f64.sum)))))
entry window_layers [n][m] (a: [n][m]f64) =
  let (x, w) = (image a, filters a)
  in (layers x w, vjp (\(x, w) -> total (layers x w)) (x, w) 1)
entry window_depthwise [n][m] (a: [n][m]f64) =
  let (x, w) = (image a, (filters a)[0])
  in (depthwise x w, vjp (\(x, w) -> total (depthwise x w)) (x, w) 1)
entry window_own [n][m] (a: [n][m]f64) =
  let x = line a
  let w = tabulate_2d 20 5 (\i j -> x[i] + f64.i64 j)
  in tabulate 20 (\i -> f64.sum (tabulate 5 (\j -> x[i + j] * w[i, j])))
entry window_volume [n][m] (a: [n][m]f64) =
  let x = tabulate_3d 5 5 4 (\i j k -> a[i % n, j % m] * f64.i64 (k + 1))
  let w = tabulate_3d 2 3 2 (\i j k -> a[i % n, k % m] + f64.i64 j)
  let f x w = tabulate_3d 4 3 3 (\i j k -> f64.sum (tabulate 2 (\p -> f64.sum (tabulate 3 (\q ->
                f64.sum (tabulate 2 (\r -> x[i + p, j + q, k + r] * w[p, q, r])))))))
  in (f x w, vjp (\(x, w) -> f64.sum (flatten_3d (f x w))) (x, w) 1)
