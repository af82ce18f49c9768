-- What is left of additions whose iterations may meet, for tests/cli/accumulators.t: none to begin with,
-- then private sums, of values that would have to be kept, then histograms.
def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)
def matmul [n][q][m] (a: [n][q]f64) (b: [q][m]f64) =
  map (\r -> map (\c -> dot r c) (transpose b)) a

entry matrix [n][q][m] (a: [n][q]f64) (b: [q][m]f64) (s: [n][m]f64) =
  vjp (\(a, b) -> matmul a b) (a, b) s
entry vector [n][m] (a: [n][m]f64) (x: [m]f64) (s: [n]f64) =
  vjp (\(a, x) -> map (\r -> dot r x) a) (a, x) s
entry conv1 [n][k] (x: [n]f64) (w: [k]f64) (s: [n - k + 1]f64) =
  vjp (\(x, w) -> tabulate (n - k + 1) (\i -> f64.sum (tabulate k (\j -> x[i + j] * w[j])))) (x, w) s
entry padded [n][k] (x: [n]f64) (w: [k]f64) (s: [n]f64) =
  vjp (\(x, w) -> tabulate n (\i -> f64.sum (tabulate k (\j ->
         if i - j >= 0 && i - j < n then x[i - j] * w[j] else 0)))) (x, w) s
entry strided [n][k] (x: [2 * n + k]f64) (w: [k]f64) (s: [n]f64) =
  vjp (\(x, w) -> tabulate n (\i -> f64.sum (tabulate k (\j -> x[2 * i + j] * w[j])))) (x, w) s
entry stepped [c][n][k] (x: [c][2 * n + k]f64) (w: [c][k]f64) (s: [n]f64) =
  vjp (\(x, w) -> tabulate n (\i -> f64.sum (tabulate c (\c -> f64.sum (tabulate k (\j -> x[c, 2 * i + j] * w[c, j])))))) (x, w) s
entry dilated [n][k] (x: [n + 2 * k]f64) (w: [k]f64) (s: [n]f64) =
  vjp (\(x, w) -> tabulate n (\i -> f64.sum (tabulate k (\j -> x[i + 2 * j] * w[j])))) (x, w) s
entry causal [n][k] (x: [n]f64) (w: [k]f64) (s: [n]f64) =
  vjp (\(x, w) -> tabulate n (\i -> f64.sum (tabulate k (\j -> if i - 3 * j >= 0 then x[i - 3 * j] * w[j] else 0)))) (x, w) s
entry windows [n][k] (x: [n]f64) (w: [k]f64) (s: [n - k + 1]f64) =
  vjp (\(x, w) -> tabulate (n - k + 1) (\i -> dot (x[i:i + k] :> [k]f64) w)) (x, w) s
entry conv2 [h][w][k] (x: [h][w]f64) (f: [k][k]f64) (s: [h - k + 1][w - k + 1]f64) =
  vjp (\(x, f) -> tabulate_2d (h - k + 1) (w - k + 1) (\i j ->
         f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b -> x[i + a, j + b] * f[a, b])))))) (x, f) s
entry channels [c][o][h][w][k] (x: [c][h][w]f64) (f: [o][c][k][k]f64) (s: [o][h - k + 1][w - k + 1]f64) =
  vjp (\(x, f) -> tabulate_3d o (h - k + 1) (w - k + 1) (\o i j ->
         f64.sum (tabulate c (\c -> f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b ->
           x[c, i + a, j + b] * f[o, c, a, b])))))))) (x, f) s
entry clamped [n] (x: [n]f64) (s: [n]f64) =
  vjp (\x -> tabulate n (\i ->
         x[i64.max 0 (i - 1)] * x[i] + f64.sin x[i64.min (n - 1) (i + 1)])) x s
entry periodic [n] (x: [n]f64) (s: [n]f64) =
  vjp (\x -> tabulate n (\i -> x[(i + n - 1) % n] * x[i] + f64.sin x[(i + 1) % n])) x s
entry branch [n] (x: [n]f64) (s: [n]f64) =
  vjp (\x -> tabulate n (\i ->
         if i == 0 || i == n - 1 then x[i] else x[i - 1] * x[i] + f64.sin x[i + 1])) x s
entry reflected [n] (x: [n]f64) (s: [n]f64) =
  vjp (\x -> tabulate n (\i ->
         let l = if i == 0 then 1 else i - 1
         let r = if i == n - 1 then n - 2 else i + 1
         in x[l] * x[i] + f64.sin x[r])) x s
entry plane [n][m] (x: [n][m]f64) (s: [n][m]f64) =
  vjp (\x -> tabulate_2d n m (\i j ->
         let g i j = x[i64.max 0 (i64.min (n - 1) i), i64.max 0 (i64.min (m - 1) j)]
         in g (i - 1) j * g i j + g (i + 1) j * g i (j - 1) + g i (j + 1))) x s
entry reversed [n] (x: [n]f64) (s: [n]f64) =
  vjp (\x -> tabulate n (\i -> f64.sin x[n - 1 - i])) x s
entry transposed [n][m] (x: [n][m]f64) (s: [m][n]f64) =
  vjp (\x -> tabulate_2d m n (\i j -> f64.sin x[j, i])) x s
entry flattened [n][m] (x: [n * m]f64) (s: [n][m]f64) =
  vjp (\x -> tabulate_2d n m (\i j -> f64.sin x[i * m + j])) x s
entry pairs [n] (x: [2 * n]f64) (s: [n]f64) =
  vjp (\x -> tabulate n (\i -> x[2 * i] * x[2 * i + 1])) x s

def cholesky [n] (a: [n][n]f64) : [n][n]f64 =
  loop l = replicate n (replicate n 0) for i < n do
    loop l for j < i + 1 do
      let s = f64.sum (tabulate n (\k -> if k < j then l[i, k] * l[j, k] else 0))
      in l with [i, j] = if i == j then f64.sqrt (a[i, i] - s) else (a[i, j] - s) / l[j, j]
def lower [n] (l: [n][n]f64) (b: [n]f64) : [n]f64 =
  loop y = replicate n 0 for i < n do
    let s = loop s = 0 for k < i do s + l[i, k] * y[k]
    in y with [i] = (b[i] - s) / l[i, i]
def eliminate [n] (a: [n][n]f64) (b: [n]f64) : [n]f64 =
  let ab = map2 (\r x -> r ++ [x] :> [n + 1]f64) a b
  let ab = loop ab for k < n do
    let p = map (/ ab[k, k]) ab[k]
    in tabulate n (\i -> if i == k then p else map2 (\x y -> x - ab[i, k] * y) ab[i] p)
  in map (\r -> r[n]) ab
entry factored [m][n] (a: [m][n][n]f64) (b: [m][n]f64) (s: [m][n]f64) =
  vjp (\(a, b) -> map2 (\a b -> lower (cholesky a) b) a b) (a, b) s
entry eliminated [m][n] (a: [m][n][n]f64) (b: [m][n]f64) (s: [m][n]f64) =
  vjp (\(a, b) -> map2 eliminate a b) (a, b) s

def layer [n][k] (w: [k][n]f64) (b: [k]f64) (x: [n]f64) : [k]f64 =
  map2 (\r b -> f64.tanh (dot r x + b)) w b
entry dense [b][n][k] (x: [b][n]f64) (w: [k][n]f64) (c: [k]f64) (s: [b][k]f64) =
  vjp (\(x, w, c) -> map (layer w c) x) (x, w, c) s
entry recurrent [t][b][n][k] (x: [t][b][n]f64) (w: [k][n]f64) (u: [k][k]f64) (c: [k]f64) (s: [b][k]f64) =
  vjp (\(w, u, c) -> loop h = replicate b (replicate k 0) for i < t do
         map2 (\x h -> map3 (\w u c -> f64.tanh (dot w x + dot u h + c)) w u c) x[i] h) (w, u, c) s
entry lstm [b][n][k] (x: [b][n]f64) (h: [b][k]f64) (c: [b][k]f64) (w: [4][k][n]f64) (u: [4][k][k]f64) (a: [4][k]f64) (s: [b][k]f64) =
  vjp (\(w, u, a) -> map3 (\x h c ->
         let gate k = map3 (\w u a -> dot w x + dot u h + a) w[k] u[k] a[k]
         let sigmoid x = 1 / (1 + f64.exp (-x))
         let c = map4 (\f c i g -> sigmoid f * c + sigmoid i * f64.tanh g) (gate 0) c (gate 1) (gate 2)
         in map2 (\o c -> sigmoid o * f64.tanh c) (gate 3) c) x h c) (w, u, a) s

def softmax [n] (x: [n]f64) : [n]f64 =
  let m = f64.maximum x
  let e = map (\x -> f64.exp (x - m)) x
  let s = f64.sum e
  in map (/ s) e
entry attention [n][m][d][e] (q: [n][d]f64) (k: [m][d]f64) (v: [m][e]f64) (s: [n][e]f64) =
  vjp (\(q, k, v) -> map (\q -> let p = softmax (map (dot q) k) in map (dot p) (transpose v)) q) (q, k, v) s
entry hidden [b][n][h][k] (x: [b][n]f64) (w: [h][n]f64) (c: [h]f64) (v: [k][h]f64) (d: [k]f64) (s: [b][k]f64) =
  vjp (\(w, c, v, d) -> map (\x -> layer v d (layer w c x)) x) (w, c, v, d) s
entry particles [n] (x: [n][3]f64) =
  vjp (\x -> f64.sum (map (\p -> f64.sum (map (\q ->
         let d = map2 (-) q p in 1 / (1 + dot d d)) x)) x)) x 1
entry shared [m][n] (a: [n][n]f64) (b: [m][n]f64) (s: [m][n]f64) =
  vjp (\(a, b) -> let l = cholesky a in map (lower l) b) (a, b) s

entry clusters [n][k][d] (x: [n][d]f64) (c: [k][d]f64) =
  vjp (\c -> f64.sum (map (\x -> f64.minimum (map (\c -> f64.sum (map2 (\a b -> (a - b) ** 2) x c)) c)) x)) c 1
entry gathered [n] (is: [n]i64) (x: [n]f64) (s: [n]f64) =
  vjp (\x -> map (\i -> f64.sin x[i]) is) x s

-- Variants: factors shared or turned, sums as loops, more work in the map of a convolution.
entry square [n][q] (a: [n][q]f64) (s: [n][n]f64) =
  vjp (\a -> matmul a (transpose a)) a s
entry gram [n][q] (a: [n][q]f64) (s: [q][q]f64) =
  vjp (\a -> matmul (transpose a) a) a s
entry left [l][n][q][m] (a: [n][q]f64) (b: [l][q][m]f64) (s: [l][n][m]f64) =
  vjp (\(a, b) -> map (matmul a) b) (a, b) s
entry kronecker [n][m][p][q] (a: [n][m]f64) (b: [p][q]f64) (s: [n][p][m][q]f64) =
  vjp (\(a, b) -> map (\ra -> map (\rb -> map (\x -> map (* x) rb) ra) b) a) (a, b) s
def mv [n][m] (a: [n][m]f64) (x: [m]f64) = map (dot x) a
entry bilinear [b][i][j][k] (x: [b][i]f64) (y: [b][j]f64) (w: [k][i][j]f64) (s: [b][k]f64) =
  vjp (\(x, y, w) -> map2 (\x y -> map (\w -> dot x (mv w y)) w) x y) (x, y, w) s
entry distances [n][b] (a: [n][n]f64) (mu: [n]f64) (x: [b][n]f64) (s: [b]f64) =
  vjp (\(a, mu, x) -> map (\x -> let d = map2 (-) x mu in f64.sum (map (\r -> let t = dot r d in t * t) a)) x) (a, mu, x) s
entry summed [n][q][m] (a: [n][q]f64) (b: [q][m]f64) (s: [n][m]f64) =
  vjp (\(a, b) -> tabulate_2d n m (\i j -> loop t = 0 for k < q do t + a[i, k] * b[k, j])) (a, b) s
entry outer [n][q][m] (a: [n][q]f64) (b: [q][m]f64) (s: [n][m]f64) =
  vjp (\(a, b) -> loop c = replicate n (replicate m 0) for k < q do
         tabulate_2d n m (\i j -> c[i, j] + a[i, k] * b[k, j])) (a, b) s
entry smoothed [n][k] (x: [n]f64) (w: [k]f64) (b: f64) (s: [n - k + 1]f64) =
  vjp (\(x, w, b) -> tabulate (n - k + 1) (\i -> f64.tanh (b + f64.sum (tabulate k (\j -> x[i + j] * w[j]))))) (x, w, b) s
def relu x = f64.max 0 x
entry rectified [n][k] (x: [n]f64) (w: [k]f64) (b: f64) (s: [n - k + 1]f64) =
  vjp (\(x, w, b) -> tabulate (n - k + 1) (\i -> relu (b + f64.sum (tabulate k (\j -> x[i + j] * w[j]))))) (x, w, b) s
entry convloop [n][k] (x: [n]f64) (w: [k]f64) (s: [n - k + 1]f64) =
  vjp (\(x, w) -> tabulate (n - k + 1) (\i -> loop t = 0 for j < k do t + x[i + j] * w[j])) (x, w) s
entry image [h][w][k] (x: [h][w]f64) (f: [k][k]f64) (c: f64) (s: [h - k + 1][w - k + 1]f64) =
  vjp (\(x, f, c) -> tabulate_2d (h - k + 1) (w - k + 1) (\i j -> relu (c + f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b -> x[i + a, j + b] * f[a, b]))))))) (x, f, c) s
entry triangular [n] (a: [n][n]f64) (b: [n][n]f64) (s: [n][n]f64) =
  vjp (\(a, b) -> tabulate_2d n n (\i j -> f64.sum (tabulate n (\k -> if k <= i then a[i, k] * b[k, j] else 0)))) (a, b) s
def jacobi [n] (k: i64) (a: [n][n]f64) (b: [n]f64) : [n]f64 =
  loop x = replicate n 0 for _i < k do tabulate n (\i -> (b[i] - f64.sum (tabulate n (\j -> if i == j then 0 else a[i, j] * x[j]))) / a[i, i])
entry iterated [m][n] (a: [n][n]f64) (b: [m][n]f64) (s: [m][n]f64) =
  vjp (\(a, b) -> map (jacobi 10 a) b) (a, b) s

-- Layers of images, an edge of zeros, a stencil whose values cost much, a norm of a convolution.
entry layers [c][o][h][w][k] (x: [c][h][w]f64) (f: [o][c][k][k]f64) (b: [o]f64) (s: [o][h - k + 1][w - k + 1]f64) =
  vjp (\(x, f, b) -> map2 (\f b -> tabulate_2d (h - k + 1) (w - k + 1) (\i j ->
         relu (b + f64.sum (tabulate c (\c -> f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b ->
           x[c, i + a, j + b] * f[c, a, b]))))))))) f b) (x, f, b) s
entry framed [c][o][h][w][k] (x: [c][h][w]f64) (f: [o][c][k][k]f64) (s: [o][h][w]f64) =
  let at [h][w] (x: [h][w]f64) i j = if i >= 0 && i < h && j >= 0 && j < w then x[i, j] else 0
  in vjp (\(x, f) -> map (\f -> tabulate_2d h w (\i j ->
            f64.sum (tabulate c (\c -> f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b ->
              at x[c] (i + a - 1) (j + b - 1) * f[c, a, b]))))))) ) f) (x, f) s
entry edged [h][w][k] (x: [h][w]f64) (f: [k][k]f64) (c: f64) (s: [h][w]f64) =
  let at (x: [h][w]f64) i j = if i >= 0 && i < h && j >= 0 && j < w then x[i, j] else 0
  in vjp (\(x, f, c) -> tabulate_2d h w (\i j -> relu (c + f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b ->
            at x (i + a - 1) (j + b - 1) * f[a, b]))))))) (x, f, c) s
entry halved [c][o][h][w][k] (x: [c][2 * h][2 * w]f64) (f: [o][c][k][k]f64) (b: [o]f64) (s: [o][h][w]f64) =
  let at [h][w] (x: [h][w]f64) i j = if i >= 0 && i < h && j >= 0 && j < w then x[i, j] else 0
  in vjp (\(x, f, b) -> map2 (\f b -> tabulate_2d h w (\i j ->
            relu (b + f64.sum (tabulate c (\c -> f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b ->
              at x[c] (2 * i + a - 1) (2 * j + b - 1) * f[c, a, b]))))))))) f b) (x, f, b) s
entry sines [n][m] (x: [n][m]f64) (s: [n][m]f64) =
  vjp (\x -> tabulate_2d n m (\i j -> f64.sin (x[(i + 1) % n, j] - x[i, j]) + f64.sin (x[i, (j + m - 1) % m] - x[i, j]))) x s
entry norm [h][w][k] (x: [h][w]f64) (f: [k][k]f64) (t: [h - k + 1][w - k + 1]f64) =
  vjp (\(x, f) -> f64.sum (flatten (tabulate_2d (h - k + 1) (w - k + 1) (\i j ->
         let y = f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b -> x[i + a, j + b] * f[a, b]))))
         in (y - t[i, j]) ** 2)))) (x, f) 1
entry batch [n][c][o][h][w][k] (x: [n][c][h][w]f64) (f: [o][c][k][k]f64) (b: [o]f64) (s: [n][o][h - k + 1][w - k + 1]f64) =
  vjp (\(x, f, b) -> map (\x -> map2 (\f b -> tabulate_2d (h - k + 1) (w - k + 1) (\i j ->
         relu (b + f64.sum (tabulate c (\c -> f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b ->
           x[c, i + a, j + b] * f[c, a, b]))))))))) f b) x) (x, f, b) s

-- Upsampling, prolongation to a finer grid, transposed convolutions: reads at halves.
entry repeated [n] (x: [n]f64) (s: [2 * n]f64) =
  vjp (\x -> tabulate (2 * n) (\i -> f64.sin x[i / 2])) x s
entry upsampled [c][h][w] (x: [c][h][w]f64) (s: [c][2 * h][2 * w]f64) =
  vjp (\x -> tabulate_3d c (2 * h) (2 * w) (\c i j -> x[c, i / 2, j / 2])) x s
entry blended [n] (x: [n]f64) (s: [2 * n]f64) =
  vjp (\x -> tabulate (2 * n) (\i ->
         let u = if i % 2 == 0 then 0.75 else 0.25
         in (1 - u) * x[i64.max 0 ((i - 1) / 2)] + u * x[i64.min (n - 1) ((i + 1) / 2)])) x s
entry prolonged [n][m] (x: [n][m]f64) (s: [2 * (n - 1)][2 * (m - 1)]f64) =
  vjp (\x -> tabulate_2d (2 * (n - 1)) (2 * (m - 1)) (\i j ->
         let (h, k) = (i / 2, j / 2)
         in if i % 2 == 0 then if j % 2 == 0 then x[h, k] else 0.5 * (x[h, k] + x[h, k + 1])
            else if j % 2 == 0 then 0.5 * (x[h, k] + x[h + 1, k])
            else 0.25 * (x[h, k] + x[h, k + 1] + x[h + 1, k] + x[h + 1, k + 1]))) x s
entry deconv [h][w][k] (x: [h][w]f64) (f: [k][k]f64) (s: [2 * h][2 * w]f64) =
  vjp (\(x, f) -> tabulate_2d (2 * h) (2 * w) (\i j -> f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b ->
         let (p, q) = (i - a, j - b)
         in if p >= 0 && p % 2 == 0 && q >= 0 && q % 2 == 0 then x[p / 2, q / 2] * f[a, b] else 0)))))) (x, f) s
entry upconv [h][w][k] (x: [h][w]f64) (f: [k][k]f64) (s: [2 * h - k + 1][2 * w - k + 1]f64) =
  vjp (\(x, f) -> let u = tabulate_2d (2 * h) (2 * w) (\i j -> x[i / 2, j / 2])
         in tabulate_2d (2 * h - k + 1) (2 * w - k + 1) (\i j ->
              f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b -> u[i + a, j + b] * f[a, b])))))) (x, f) s
