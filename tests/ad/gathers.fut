-- Reverse mode of programs that read at index expressions: convolutions, stencils, gathers, products.
-- Every result is the largest difference between the adjoint and forward mode, element by element,
-- over sizes that include empty and one-element arrays.

def numbers (n: i64) (k: i64) : [n]f64 =
  tabulate n (\i -> f64.sin (f64.i64 (3 * i + k)) + 0.1 * f64.i64 (i % 7))

def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)

def differ [n][m] (f: [n]f64 -> [m]f64) (x: [n]f64) : f64 =
  let s = numbers m 5
  let back = vjp f x s
  let forth = tabulate n (\i -> dot s (jvp f x (tabulate n (\k -> f64.bool (i == k)))))
  in f64.maximum ([0] ++ map2 (\a b -> f64.abs (a - b)) back forth)

def differ2 [n][k][m] (f: [n][k]f64 -> [m]f64) (x: [n][k]f64) : f64 =
  differ (\x -> f (unflatten x)) (flatten x)

def over (sizes: []i64) (f: i64 -> f64) : bool = all (\n -> f n < 1e-9) sizes

def matrix (n: i64) (m: i64) : [n][m]f64 = unflatten (numbers (n * m) 2)

-- ==
-- entry: conv_data conv_weights conv_full conv_strided conv_dilated conv_back conv_slices
-- input { } output { true }
entry conv_data = over [0, 1, 2, 5, 9] (\k ->
  differ (\x -> tabulate 7 (\i -> f64.sum (tabulate k (\j -> x[i + j] * x[i + j] * f64.i64 (j + 1)))))
         (numbers (k + 6) 1))
entry conv_weights = over [0, 1, 2, 5, 9] (\k ->
  differ (\w -> tabulate 7 (\i -> f64.sum (tabulate k (\j -> f64.i64 (i * j + 1) * w[j] * w[j]))))
         (numbers k 1))
entry conv_full = over [0, 1, 2, 5, 9] (\n ->
  let w = numbers 4 3
  in differ (\x -> tabulate n (\i -> f64.sum (tabulate 4 (\j ->
       if i - j >= 0 && i - j < n then x[i - j] * w[j] else 0)))) (numbers n 1))
entry conv_strided = over [0, 1, 2, 5, 9] (\n ->
  let w = numbers 4 3
  in differ (\x -> tabulate n (\i -> f64.sum (tabulate 4 (\j -> x[2 * i + j] * w[j]))))
            (numbers (2 * n + 4) 1))
entry conv_dilated = over [0, 1, 2, 5, 9] (\n ->
  let w = numbers 4 3
  in differ (\x -> tabulate n (\i -> f64.sum (tabulate 4 (\j -> x[i + 3 * j] * w[j]))))
            (numbers (n + 10) 1))
entry conv_back = over [0, 1, 2, 5, 9] (\n ->
  let w = numbers 4 3
  in differ (\x -> tabulate n (\i -> f64.sum (tabulate 4 (\j -> x[n + 5 - i - 2 * j] * w[j]))))
            (numbers (n + 6) 1))
entry conv_slices = over [0, 1, 2, 5, 9] (\n ->
  let w = numbers 4 3
  in differ (\x -> tabulate n (\i -> dot (x[i:i + 4] :> [4]f64) w)) (numbers (n + 4) 1))

def image (h: i64) (w: i64) : [h][w]f64 = matrix h w

-- ==
-- entry: conv2_data conv2_weights conv2_channels conv2_slices
-- input { } output { true }
entry conv2_data = over [1, 2, 3] (\k ->
  let f = matrix k k
  in differ2 (\x -> flatten (tabulate_2d (5 - k) (6 - k) (\i j ->
       f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b -> x[i + a, j + b] * f[a, b])))))))
             (image 5 6))
entry conv2_weights = over [1, 2, 3] (\k ->
  let x = image 5 6
  in differ2 (\f -> flatten (tabulate_2d (5 - k) (6 - k) (\i j ->
       f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b -> x[i + a, j + b] * f[a, b])))))))
             (matrix k k))
entry conv2_slices = over [1, 2, 3] (\k ->
  let x = image 5 6
  in differ2 (\f -> flatten (tabulate_2d (6 - k) (7 - k) (\i j ->
       let window = x[i:i + k, j:j + k] :> [k][k]f64
       in f64.sum (map2 (\r s -> dot (r[0:k] :> [k]f64) s) window f))))
             (matrix k k)
     + differ2 (\x -> flatten (tabulate_2d (6 - k) (7 - k) (\i j ->
       let window = x[i:i + k, j:j + k] :> [k][k]f64
       in f64.sum (map (\r -> dot r (r[0:k] :> [k]f64)) window)))) x)
entry conv2_channels = over [1, 2, 3] (\k ->
  let x = unflatten_3d (numbers (2 * 5 * 4) 2)
  in differ (\f -> let f = unflatten_4d f in flatten_3d (tabulate_3d 3 (5 - k) (4 - k) (\o i j ->
       f64.sum (tabulate 2 (\c -> f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b ->
         x[c, i + a, j + b] * f[o, c, a, b])))))))))
            (numbers (3 * 2 * k * k) 4)
     + differ (\x -> let x = unflatten_3d x let f = unflatten_4d (numbers (3 * 2 * k * k) 4)
       in flatten_3d (tabulate_3d 3 (5 - k) (4 - k) (\o i j ->
       f64.sum (tabulate 2 (\c -> f64.sum (tabulate k (\a -> f64.sum (tabulate k (\b ->
         x[c, i + a, j + b] * f[o, c, a, b])))))))))
            (flatten_3d x))

-- ==
-- entry: stencil_clamped stencil_far stencil_periodic stencil_branch stencil_reflected stencil_mixed
-- input { } output { true }
entry stencil_clamped = over [0, 1, 2, 3, 8] (\n ->
  differ (\x -> tabulate n (\i -> x[i64.max 0 (i - 1)] * x[i] + f64.sin x[i64.min (n - 1) (i + 1)]))
         (numbers n 1))
entry stencil_far = over [0, 1, 2, 3, 8, 20] (\n ->
  differ (\x -> tabulate n (\i ->
    f64.exp x[i64.max 0 (i64.min (n - 1) (i - 3))] * x[i64.max 0 (i64.min (n - 1) (i + 5))]))
         (numbers n 1))
entry stencil_periodic = over [0, 1, 2, 3, 8] (\n ->
  differ (\x -> tabulate n (\i -> x[(i + n - 1) % n] * x[i] * x[(i + 3) % n] + f64.sin x[(n - i) % n]))
         (numbers n 1))
entry stencil_branch = over [0, 1, 2, 3, 8] (\n ->
  differ (\x -> tabulate n (\i ->
    if i == 0 || i == n - 1 then x[i] * x[i] else x[i - 1] * x[i] + f64.sin x[i + 1])) (numbers n 1))
entry stencil_reflected = over [2, 3, 8] (\n ->
  differ (\x -> tabulate n (\i ->
    let l = if i == 0 then 1 else i - 1
    let r = if i == n - 1 then n - 2 else i + 1
    in x[l] * x[i] + f64.sin x[r])) (numbers n 1))
entry stencil_mixed = over [1, 2, 3, 8] (\n ->
  let c = numbers n 9
  in differ (\x -> tabulate n (\i ->
    (if c[i] > 0 then x[i64.max 0 (i - 1)] * c[i] else x[(i + 1) % n]) * x[n - 1 - i])) (numbers n 1))

-- ==
-- entry: stencil2_clamped stencil2_branch stencil2_periodic
-- input { } output { true }
entry stencil2_clamped = over [1, 2, 4] (\n ->
  differ2 (\x -> flatten (tabulate_2d n 3 (\i j ->
    let g i j = x[i64.max 0 (i64.min (n - 1) i), i64.max 0 (i64.min 2 j)]
    in g (i - 1) j * g i j + g (i + 1) j * g i (j - 1) + g i (j + 1)))) (matrix n 3))
entry stencil2_branch = over [1, 2, 4] (\n ->
  differ2 (\x -> flatten (tabulate_2d n 4 (\i j ->
    if i > 0 && i < n - 1 && j > 0 && j < 3
    then x[i - 1, j] * x[i, j] + x[i + 1, j] * x[i, j - 1] + x[i, j + 1] else x[i, j]))) (matrix n 4))
entry stencil2_periodic = over [1, 2, 4] (\n ->
  differ2 (\x -> flatten (tabulate_2d n 3 (\i j ->
    x[(i + 1) % n, j] * x[i, (j + 2) % 3] + x[(i - 1) % n, (j + 1) % 3]))) (matrix n 3))

-- ==
-- entry: gather_reversed gather_transposed gather_flat gather_pairs gather_part gather_data
-- input { } output { true }
entry gather_reversed = over [0, 1, 5] (\n ->
  differ (\x -> tabulate n (\i -> f64.sin x[n - 1 - i] * x[i])) (numbers n 1))
entry gather_transposed = over [0, 1, 5] (\n ->
  differ2 (\x -> flatten (tabulate_2d 3 n (\i j -> f64.sin x[j, i] * x[n - 1 - j, i]))) (matrix n 3))
entry gather_flat = over [0, 1, 5] (\n ->
  differ (\x -> flatten (tabulate_2d n 3 (\i j -> f64.sin x[i * 3 + j] * x[j * n + i])))
         (numbers (n * 3) 1))
entry gather_pairs = over [0, 1, 5] (\n ->
  differ (\x -> tabulate n (\i -> x[2 * i] * x[2 * i + 1])) (numbers (2 * n) 1))
entry gather_part = over [0, 1, 5] (\n ->
  differ (\x -> tabulate n (\i -> f64.sin x[i + 3] * x[i])) (numbers (n + 40) 1))
entry gather_data = over [1, 2, 5] (\n ->
  let is = tabulate n (\i -> (i * 7 + 3) % n)
  in differ (\x -> map (\i -> f64.sin x[i]) is) (numbers n 1))

-- ==
-- entry: product_left product_right product_vector product_batch attention
-- input { } output { true }
entry product_left = over [0, 1, 4] (\n ->
  let b = matrix 3 2
  in differ2 (\a -> flatten (map (\r -> map (\c -> dot r c) (transpose b)) a)) (matrix n 3))
entry product_right = over [0, 1, 4] (\n ->
  let a = matrix n 3
  in differ2 (\b -> flatten (map (\r -> map (\c -> dot r c) (transpose b)) a)) (matrix 3 2))
entry product_vector = over [0, 1, 4] (\n ->
  let a = matrix n 3
  in differ (\x -> map (\r -> dot r x) a) (numbers 3 1))
entry product_batch = over [0, 1, 4] (\n ->
  let a = unflatten_3d (numbers (n * 2 * 3) 2)
  in differ2 (\b -> flatten (map (\a -> flatten (map (\r -> map (\c -> dot r c) (transpose b)) a)) a))
             (matrix 3 2))
entry attention = over [1, 2, 4] (\n ->
  differ (\x ->
    let x = unflatten_3d (x :> [3 * n * 2]f64)
    let (q, k, v) = (x[0], x[1], x[2])
    in flatten (map (\q ->
      let e = map (\k -> f64.exp (dot q k)) k
      let s = f64.sum e
      in map (\c -> dot c (map (/ s) e)) (transpose v)) q))
         (numbers (3 * n * 2) 1))

def cholesky [n] (a: [n][n]f64) : [n][n]f64 =
  loop l = replicate n (replicate n 0) for i < n do
    loop l for j < i + 1 do
      let s = f64.sum (tabulate n (\k -> if k < j then l[i, k] * l[j, k] else 0))
      in l with [i, j] = if i == j then f64.sqrt (a[i, i] - s) else (a[i, j] - s) / l[j, j]

def lower [n] (l: [n][n]f64) (b: [n]f64) : [n]f64 =
  loop y = replicate n 0 for i < n do
    let s = loop s = 0 for k < i do s + l[i, k] * y[k]
    in y with [i] = (b[i] - s) / l[i, i]

def upper [n] (l: [n][n]f64) (b: [n]f64) : [n]f64 =
  loop y = replicate n 0 for j < n do
    let i = n - 1 - j
    let s = loop s = 0 for k < j do s + l[n - 1 - k, i] * y[n - 1 - k]
    in y with [i] = (b[i] - s) / l[i, i]

def eliminate [n] (a: [n][n]f64) (b: [n]f64) : [n]f64 =
  let ab = map2 (\r x -> r ++ [x] :> [n + 1]f64) a b
  let ab = loop ab for k < n do
    let p = map (/ ab[k, k]) ab[k]
    in tabulate n (\i -> if i == k then p else map2 (\x y -> x - ab[i, k] * y) ab[i] p)
  in map (\r -> r[n]) ab

def definite (n: i64) (x: [n * n]f64) : [n][n]f64 =
  let x = unflatten x
  in tabulate_2d n n (\i j -> 0.1 * (x[i, j] + x[j, i]) + f64.bool (i == j))

-- ==
-- entry: solve_cholesky solve_eliminate
-- input { } output { true }
entry solve_cholesky = over [0, 1, 3] (\n ->
  let b = matrix 4 n
  in differ (\x -> flatten (map2 (\x b -> let l = cholesky (definite n x) in upper l (lower l b))
                                 (unflatten (x :> [4 * (n * n)]f64)) b)) (numbers (4 * (n * n)) 1))
entry solve_eliminate = over [0, 1, 3] (\n ->
  let b = matrix 4 n
  in differ (\x -> flatten (map2 (\x b -> eliminate (definite n x) b)
                                 (unflatten (x :> [4 * (n * n)]f64)) b)) (numbers (4 * (n * n)) 1))
