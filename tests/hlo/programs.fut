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
