-- Populations that stream to neighbours round a torus: the adjoint's cells are each written once.  The
-- gradient is compared with derivatives in every direction, forward; sizes of one wrap on themselves.
-- ==
-- entry: ring
-- input { 0i64 1i64 } output { true }
-- input { 3i64 1i64 } output { true }
-- input { 3i64 2i64 } output { true }
-- input { 2i64 7i64 } output { true }
-- input { 2i64 40i64 } output { true }

-- ==
-- entry: torus
-- input { 2i64 1i64 1i64 } output { true }
-- input { 2i64 1i64 3i64 } output { true }
-- input { 2i64 2i64 2i64 } output { true }
-- input { 2i64 3i64 5i64 } output { true }
-- input { 1i64 2i64 19i64 } output { true }

-- ==
-- entry: twice
-- input { 1i64 } output { true }
-- input { 5i64 } output { true }
-- input { 33i64 } output { true }

def relax [k] (f: [k]f64) : [k]f64 =
  let r = f64.sum f
  let u = (f[0] - f[1]) / r
  in map (\p -> p + 0.3 * (r * (1 + u * u) - p)) f

def stream [n] (x: [n][3]f64) : [n][3]f64 =
  tabulate n (\i -> relax (map2 (\k d -> x[(i - d + n) %% n, k]) (iota 3) [1, -1, 0]))

def stream_2d [h] [w] (x: [h][w][3]f64) : [h][w][3]f64 =
  tabulate_2d h w (\i j -> relax (map3 (\k d e -> x[(i - d + h) %% h, (j - e + w) %% w, k])
                                       (iota 3) [1, 0, -1] [1, -1, 0]))

-- Two populations at one place: those additions meet.
def meet [n] (x: [n][2]f64) : [n][2]f64 =
  tabulate n (\i -> let f = relax (map (\d -> x[(i - d + n) %% n, 0]) [1, -1, 0])
                    in [f[0] * x[i, 1], f[1] + f[2]])

def close a b = f64.abs (a - b) <= 1e-11 * (1 + f64.abs b)

def agrees [n] (f: [n]f64 -> f64) (x: [n]f64) : bool =
  let forward = tabulate n (\k -> jvp f x (tabulate n (\i -> f64.bool (i == k))))
  in and (map2 close (vjp f x 1) forward)

def energy [n] (x: [n]f64) = f64.sum (map (\a -> a * a * a) x)
def start n = tabulate n (\i -> 1 + 0.1 * f64.sin (f64.i64 i))

entry ring (t: i64) (n: i64) : bool =
  agrees (\x -> energy (flatten (loop s = unflatten x for _i < t do stream s))) (start (n * 3))

entry torus (t: i64) (h: i64) (w: i64) : bool =
  agrees (\x -> energy (flatten (flatten (loop s = unflatten_3d x for _i < t do stream_2d s))))
         (start (h * w * 3))

entry twice (n: i64) : bool =
  agrees (\x -> energy (flatten (meet (meet (unflatten x))))) (start (n * 2))
