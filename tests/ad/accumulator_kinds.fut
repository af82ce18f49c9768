-- Contributions of matrix products, convolutions, stencils and recurrences that the optimiser turns
-- into plain writes and sums (opt/acc*.c): tests/cli/accumulators.fut has what becomes of such programs.
-- Judged by <u, jvp f x v> = <vjp f x u, v>.
def m (a: i64) (n: i64) (k: i64) : [n][k]f64 =
  tabulate_2d n k (\i j -> f64.i64 ((a + 3 * i + 5 * j + i * j) %% 7 - 3) / 2)
def dot [n] (x: [n]f64) (y: [n]f64) = f64.sum (map2 (*) x y)
def dots [n] [k] (x: [n][k]f64) (y: [n][k]f64) = f64.sum (map2 dot x y)
def product [n] [k] [l] (a: [n][k]f64) (b: [k][l]f64) : [n][l]f64 =
  map (\r -> map (dot r) (transpose b)) a
def near (x: f64) (y: f64) = f64.abs (x - y) <= 1e-9 * (1 + f64.abs x)
def same [p] [q] [r] [s] [n] [l] (f: ([p][q]f64, [r][s]f64) -> [n][l]f64) : bool =
  let (u, x, v) = (m 5 n l, (m 1 p q, m 2 r s), (m 3 p q, m 4 r s))
  let (da, db) = vjp f x u
  in near (dots u (jvp f x v)) (dots da v.0 + dots db v.1)

-- A matrix that two factors share, sums up to the diagonal and as loops.
-- ==
-- entry: squares
-- input { 3i64 4i64 } output { true true true true true }
-- input { 40i64 35i64 } output { true true true true true }
-- input { 1i64 1i64 } output { true true true true true }
-- input { 0i64 2i64 } output { true true true true true }
-- input { 2i64 0i64 } output { true true true true true }
entry squares (n: i64) (k: i64) : (bool, bool, bool, bool, bool) =
  (same (\(a: [n][k]f64, b: [n][n]f64) -> product (product a (transpose a)) b),
   same (\(a: [n][k]f64, b: [k][k]f64) -> product (product (transpose a) a) b),
   same (\(a: [n][n]f64, b: [n][k]f64) -> tabulate_2d n k (\i j ->
           f64.sum (tabulate n (\l -> if l <= i then a[i, l] * b[l, j] else 0)))),
   same (\(a: [n][k]f64, b: [k][n]f64) -> tabulate_2d n n (\i j ->
           loop t = 0 for l < k do t + a[i, l] * b[l, j])),
   same (\(a: [n][k]f64, b: [k][n]f64) -> tabulate_2d n n (\i j ->
           loop t = 0 for l < i64.min i k do t + a[i, l] * b[l, j])))

-- One factor for a batch, products that are rows of products, forms.
-- ==
-- entry: batches
-- input { 3i64 4i64 2i64 } output { true true true true }
-- input { 2i64 35i64 33i64 } output { true true true true }
-- input { 1i64 1i64 1i64 } output { true true true true }
-- input { 0i64 2i64 3i64 } output { true true true true }
-- input { 2i64 0i64 3i64 } output { true true true true }
-- input { 2i64 3i64 0i64 } output { true true true true }
entry batches (b: i64) (n: i64) (k: i64) : (bool, bool, bool, bool) =
  (same (\(x: [n][k]f64, y: [b][k * n]f64) -> map (\y -> flatten (product x (unflatten y))) y),
   same (\(x: [n][k]f64, y: [b][n]f64) ->
           map (\r -> flatten (map (\s -> flatten (map (\x -> map (* x) s) r)) y)) x),
   same (\(x: [b][n]f64, w: [n][k]f64) ->
           map (\r -> map (\c -> dot r (map (\s -> dot s (map (* c) s)) w)) (map f64.i64 (iota k))) x),
   same (\(x: [b][n]f64, mu: [1][n]f64) -> map (\r ->
           let d = map2 (-) r mu[0]
           in [f64.sum (map (\s -> let t = dot s d in t * t) x)]) x))

-- Convolutions with more work in the map that makes them.
-- ==
-- entry: convolutions
-- input { 9i64 3i64 2i64 } output { true true true true true }
-- input { 40i64 4i64 3i64 } output { true true true true true }
-- input { 3i64 3i64 1i64 } output { true true true true true }
-- input { 3i64 1i64 0i64 } output { true true true true true }
entry convolutions (n: i64) (k: i64) (c: i64) : (bool, bool, bool, bool, bool) =
  (same (\(x: [n][1]f64, w: [k][1]f64) -> tabulate_2d (n - k + 1) 1 (\i _ ->
           f64.tanh (w[0, 0] + f64.sum (tabulate k (\j -> x[i + j, 0] * w[j, 0]))))),
   same (\(x: [n][1]f64, w: [k][1]f64) -> tabulate_2d (n - k + 1) 1 (\i _ ->
           f64.max 0 (w[0, 0] + loop t = 0 for j < k do t + x[i + j, 0] * w[j, 0]))),
   same (\(x: [n][1]f64, w: [k][1]f64) -> tabulate_2d n 1 (\i _ ->
           f64.tanh (f64.sum (tabulate k (\j -> let p = i + j - k / 2
                                                in if p >= 0 && p < n then x[p, 0] * w[j, 0] else 0))))),
   same (\(x: [n][n]f64, w: [k][k]f64) -> tabulate_2d (n - k + 1) (n - k + 1) (\i j ->
           let t = f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b -> x[i + a, j + b] * w[a, b]))))
           in t * t)),
   same (\(x: [c][n * n]f64, w: [c][c * k * k]f64) ->
           map flatten (map2 (\w0 f -> tabulate_2d (n - k + 1) (n - k + 1) (\i j ->
             f64.tanh (w0[0, 0] + f64.sum (tabulate c (\q ->
               f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b ->
                 (unflatten x[q] :> [n][n]f64)[i + a, j + b] * f[q * k * k + a * k + b]))))))))
             ) (replicate c (replicate 1 [0])) w)))

-- Convolutions in steps and of what lies apart, with channels; grids to coarser and finer ones.
-- ==
-- entry: steps
-- input { 9i64 3i64 2i64 } output { true true true true true }
-- input { 40i64 33i64 3i64 } output { true true true true true }
-- input { 1i64 1i64 1i64 } output { true true true true true }
-- input { 3i64 1i64 0i64 } output { true true true true true }
-- input { 0i64 3i64 2i64 } output { true true true true true }
entry steps (n: i64) (k: i64) (c: i64) : (bool, bool, bool, bool, bool) =
  (same (\(x: [c][2 * n + k]f64, w: [c][k]f64) -> tabulate_2d n 1 (\i _ ->
           f64.sum (tabulate c (\c -> f64.sum (tabulate k (\j -> x[c, 2 * i + j] * w[c, j])))))),
   same (\(x: [c][n + 2 * k]f64, w: [c][k]f64) -> tabulate_2d n 1 (\i _ ->
           f64.sum (tabulate c (\c -> f64.sum (tabulate k (\j -> x[c, i + 2 * j] * w[c, j])))))),
   same (\(x: [c][2 * n + 3 * k]f64, w: [c][k]f64) -> tabulate_2d n c (\i c ->
           f64.sum (tabulate k (\j -> x[c, 2 * i + 3 * j] * w[c, j])))),
   same (\(x: [n][c]f64, w: [k][c]f64) -> tabulate_2d n c (\i c ->
           f64.sum (tabulate k (\j -> if i - 3 * j >= 0 then x[i - 3 * j, c] * w[j, c] else 0)))),
   same (\(x: [n + 2 * k][n + 3 * k]f64, w: [k][k]f64) -> tabulate_2d n n (\i j ->
           f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b -> x[i + 2 * a, j + 3 * b] * w[a, b])))))))

-- Layers of images: channels, an activation, a batch, edges of zeros; factors that are
-- triangles.
-- ==
-- entry: layers
-- input { 5i64 3i64 2i64 } output { true true true true true }
-- input { 12i64 2i64 3i64 } output { true true true true true }
-- input { 1i64 1i64 1i64 } output { true true true true true }
-- input { 3i64 1i64 0i64 } output { true true true true true }
-- input { 0i64 2i64 2i64 } output { true true true true true }
def at [h] [w] (x: [h][w]f64) (i: i64) (j: i64) =
  if i >= 0 && i < h && j >= 0 && j < w then x[i, j] else 0
def filtered [h] [w] [c] [k] (n: i64) (m: i64) (x: [c][h][w]f64) (f: [c][k][k]f64) : [n][m]f64 =
  tabulate_2d n m (\i j -> f64.sum (tabulate c (\c ->
    f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b -> x[c, i + a, j + b] * f[c, a, b])))))))
entry layers (n: i64) (k: i64) (c: i64) : (bool, bool, bool, bool, bool) =
  let planes [q] (h: i64) (x: [q][h * h]f64) = map unflatten x
  in (same (\(x: [c][(n + k) * (n + k)]f64, f: [3 * c][k * k]f64) ->
              map (\f -> flatten (map (map (\y -> f64.tanh (y + 0.5)))
                                     (filtered n n (planes (n + k) x) f)) :> [n * n]f64)
                  (unflatten (planes k f))),
      same (\(x: [3 * c][(n + k) * (n + k)]f64, f: [c][k * k]f64) ->
              map (\x -> flatten (map (map (f64.max 0)) (filtered n n x (planes k f))) :> [n * n]f64)
                  (unflatten (planes (n + k) x))),
      same (\(x: [c][n * n]f64, f: [3 * c][k * k]f64) ->
              map (\f -> flatten (tabulate_2d n n (\i j -> f64.sum (map2 (\x f ->
                            f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b ->
                              at x (i + a - 1) (j + b - 1) * f[a, b])))))
                            (planes n x) f))))
                  (unflatten (planes k f))),
      same (\(a: [n][n]f64, b: [n][k]f64) -> tabulate_2d n k (\i j ->
              f64.tanh (f64.sum (tabulate n (\l -> if l < i then a[i, l] * b[l, j] else 0))))),
      same (\(a: [n][n]f64, b: [n][k]f64) -> tabulate_2d n k (\i j ->
              f64.sum (tabulate n (\l -> if l >= i && l <= i + c then a[i, l] * b[l, j] else 0)))))

-- A batch of layers with channels and an activation: the weights add up over the batch.
-- ==
-- entry: batched_layers
-- input { 4i64 3i64 2i64 } output { true true }
-- input { 5i64 2i64 3i64 } output { true true }
-- input { 1i64 1i64 1i64 } output { true true }
-- input { 3i64 1i64 0i64 } output { true true }
-- input { 0i64 2i64 2i64 } output { true true }
entry batched_layers (n: i64) (k: i64) (c: i64) : (bool, bool) =
  let layers [b] [o] [l] (act: f64 -> f64) (h: i64) (x: [b][c * (h * h)]f64) (f: [o][l]f64) : [b][o * (n * n)]f64 =
    map (\x -> flatten (map (\f ->
           flatten (map (map (\y -> act (y + f[0])))
                        (filtered n n (map unflatten (unflatten x))
                                  (map unflatten (unflatten (take (c * (k * k)) f))))) :> [n * n]f64) f)) x
  in (same (\(x: [3][c * ((n + k) * (n + k))]f64, f: [2][1 + c * (k * k)]f64) -> layers f64.tanh (n + k) x f),
      same (\(x: [c + 1][c * ((n + k) * (n + k))]f64, f: [c][1 + c * (k * k)]f64) -> layers (f64.max 0) (n + k) x f))

-- Products as loops of outer products, which add to one row of a factor after the other.
-- ==
-- entry: outer_products
-- input { 3i64 4i64 2i64 } output { true true true }
-- input { 2i64 35i64 33i64 } output { true true true }
-- input { 1i64 1i64 1i64 } output { true true true }
-- input { 0i64 2i64 3i64 } output { true true true }
-- input { 2i64 0i64 3i64 } output { true true true }
entry outer_products (n: i64) (q: i64) (m: i64) : (bool, bool, bool) =
  (same (\(a: [n][q]f64, b: [q][m]f64) -> loop c = replicate n (replicate m 0) for k < q do
           tabulate_2d n m (\i j -> c[i, j] + a[i, k] * b[k, j])),
   same (\(a: [n][q]f64, b: [q][m]f64) -> loop c = replicate n (replicate m 0) for k < q do
           map2 (\r x -> map2 (\c y -> c + x * y) r b[q - 1 - k]) c (map (\r -> r[q - 1 - k]) a)),
   same (\(a: [n][q]f64, b: [q][m]f64) -> loop c = replicate n (replicate m 0) for k < q do
           tabulate_2d n m (\i j -> f64.tanh (c[i, j] + a[i, k] * b[k, j] * b[0, j]))))

-- Images in steps with an edge of zeros and work on top, forwards, backwards and with the image turned;
-- steps that only some iterations make.
-- ==
-- entry: edges
-- input { 5i64 4i64 3i64 2i64 } output { true true true true true }
-- input { 40i64 2i64 33i64 1i64 } output { true true true true true }
-- input { 2i64 9i64 5i64 3i64 } output { true true true true true }
-- input { 1i64 1i64 1i64 1i64 } output { true true true true true }
-- input { 3i64 3i64 2i64 0i64 } output { true true true true true }
-- input { 0i64 2i64 3i64 2i64 } output { true true true true true }
entry edges (n: i64) (m: i64) (k: i64) (c: i64) : (bool, bool, bool, bool, bool) =
  (same (\(x: [2 * n][3 * m]f64, f: [k][k]f64) -> tabulate_2d n m (\i j -> f64.max 0 (0.5 +
           f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b ->
             at x (2 * i + a - 1) (3 * j + b - 2) * f[a, b]))))))),
   same (\(x: [n][m]f64, f: [k][k]f64) -> tabulate_2d n m (\i j -> f64.tanh (
           f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b ->
             at x (n - 2 * i + a) (2 * j - b) * f[a, b]))))))),
   same (\(x: [c][n * m]f64, f: [3 * c][k * k]f64) ->
           map (\f -> flatten (tabulate_2d m n (\i j -> f64.max 0 (f64.sum (tabulate c (\c ->
                    f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b ->
                      at (transpose (unflatten x[c] :> [n][m]f64)) (2 * i + a - 1) (2 * j + b - 1)
                      * (unflatten f[c] :> [k][k]f64)[a, b]))))))))))
               (unflatten f :> [3][c][k * k]f64)),
   same (\(x: [n][m]f64, f: [k][1]f64) -> tabulate_2d n m (\i j -> f64.tanh (
           f64.sum (tabulate k (\a -> if 3 * i + a <= 2 * n && 3 * i + a >= n then at x (3 * i + a - n) j * f[a, 0] else 0))))),
   same (\(x: [n][m]f64, f: [k][1]f64) -> tabulate_2d n 1 (\i _ -> f64.tanh (
           f64.sum (tabulate k (\a -> if a > 0 then at x (2 * i) (i + a - 1) * f[a, 0] else 0))))))

-- Stencils whose values cost much, in steps of time.
-- ==
-- entry: stencils
-- input { 5i64 4i64 3i64 } output { true true true }
-- input { 40i64 2i64 1i64 } output { true true true }
-- input { 1i64 1i64 2i64 } output { true true true }
-- input { 3i64 3i64 0i64 } output { true true true }
entry stencils (n: i64) (k: i64) (t: i64) : (bool, bool, bool) =
  (same (\(x: [n][k]f64, y: [n][k]f64) -> loop (x: [n][k]f64) for _i < t do
           tabulate_2d n k (\i j -> y[i, j] + f64.tanh (x[(i + n - 1) % n, j] + x[(i + 1) % n, j]
                                                        + x[i, (j + k - 1) % k] + x[i, (j + 1) % k]))),
   same (\(x: [n][k]f64, w: [3][3]f64) -> tabulate_2d n k (\i j ->
           f64.tanh (f64.sum (tabulate 3 (\a -> f64.sum (tabulate 3 (\b ->
             w[a, b] * x[(i + a + n - 1) % n, (j + b + k - 1) % k]))))))),
   same (\(x: [n][k]f64, y: [n][k]f64) -> loop (x: [n][k]f64) for _i < t do
           tabulate_2d n k (\i j ->
             if x[i, j] > 0 then x[i, j] * y[i, j] - x[i, (j + k - 1) % k]
             else x[(i + 1) % n, j] * x[i, j])))

-- Matrices that all points of a batch share, in loops: accumulators that loops carry and a `withacc`
-- inside hands on.
-- ==
-- entry: shared
-- input { 3i64 4i64 2i64 } output { true true true }
-- input { 35i64 2i64 3i64 } output { true true true }
-- input { 1i64 1i64 1i64 } output { true true true }
-- input { 2i64 3i64 0i64 } output { true true true }
entry shared (b: i64) (n: i64) (t: i64) : (bool, bool, bool) =
  (same (\(x: [b][t * n]f64, w: [n][n]f64) -> map (\r -> let r = unflatten r : [t][n]f64 in
           loop h = replicate n 0 for i < t do
             map2 (\v u -> f64.tanh (dot v r[i] + dot u h)) w (transpose w)) x),
   same (\(x: [b][n]f64, w: [n][n]f64) -> map (\r ->
           loop (r: [n]f64) for _i < t do map (\v -> f64.tanh (dot v r)) w) x),
   same (\(x: [b][n]f64, l: [n][n]f64) -> map (\r ->
           loop y = replicate n 0 for i < n do
             let s = loop s = 0 for k < i do s + l[i, k] * y[k]
             in y with [i] = (r[i] - s) / (5 + l[i, i])) x))
