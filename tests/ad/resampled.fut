-- Reverse mode of what reads at halves and in steps: upsampling, transposed convolutions, restriction and
-- prolongation between grids.  Every result is the largest difference between the adjoint and forward
-- mode, element by element, over sizes that include empty and one-element arrays.

#[noinline]
def numbers (n: i64) (k: i64) : [n]f64 =
  tabulate n (\i -> f64.sin (f64.i64 (3 * i + k)) + 0.1 * f64.i64 (i % 7))

def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)

def differ [n][m] (f: [n]f64 -> [m]f64) (x: [n]f64) : f64 =
  let s = numbers m 5
  let back = vjp f x s
  let forth = tabulate n (\i -> dot s (jvp f x (tabulate n (\k -> f64.bool (i == k)))))
  in f64.maximum ([0] ++ map2 (\a b -> f64.abs (a - b)) back forth)

def differ2 [n][k][m][l] (f: [n][k]f64 -> [m][l]f64) (x: [n][k]f64) : f64 =
  differ (\x -> flatten (f (unflatten x))) (flatten x)

def over (sizes: []i64) (f: i64 -> f64) : bool = all (\n -> f n < 1e-9) sizes

def matrix (n: i64) (m: i64) : [n][m]f64 = unflatten (numbers (n * m) 2)

-- ==
-- entry: repeated odd shifted back thirds others pixels rows
-- input { } output { true }
entry repeated = over [0, 1, 2, 5] (\n ->
  differ (\x -> tabulate (2 * n) (\i -> f64.sin x[i / 2])) (numbers n 1))
entry odd = over [0, 1, 2, 3, 6, 7] (\k ->
  differ (\x -> tabulate k (\i -> f64.sin x[i / 2])) (numbers (k / 2 + 1) 1))
entry shifted = over [0, 1, 2, 3, 6, 7] (\k ->
  differ (\x -> tabulate k (\i -> x[(i + 3) / 2] * x[(i + 1) / 2])) (numbers (k / 2 + 3) 1))
entry back = over [0, 1, 2, 3, 6, 7] (\k ->
  differ (\x -> tabulate k (\i -> f64.sin x[(k + 1 - i) / 2])) (numbers (k / 2 + 2) 1))
entry thirds = over [0, 1, 2, 3, 6, 7] (\k ->
  differ (\x -> tabulate k (\i -> if i % 3 == 1 then f64.sin x[i / 3] else x[i / 3 + 1] * x[i / 3]))
         (numbers (k / 3 + 2) 1))
entry others = over [0, 1, 2, 5] (\n ->
  differ (\x -> tabulate (2 * n) (\i -> if i % 3 == 1 then f64.sin x[i / 2] else 2 * x[n - 1 - i / 2]))
         (numbers n 1))
entry pixels = over [0, 1, 2, 3] (\n ->
  differ2 (\x -> tabulate_2d (2 * n) 6 (\i j ->
            if (i + j) % 2 == 0 then f64.sin x[i / 2, j / 2] else x[n - 1 - i / 2, j / 2])) (matrix n 3))
entry rows = over [0, 1, 2, 3] (\n ->
  differ2 (\x -> tabulate_2d n 9 (\i j -> f64.sin x[i, j / 3] * x[i, 2 - j / 3])) (matrix n 3))

-- ==
-- entry: prolonged prolonged_plane blended diagonal
-- input { } output { true }
entry prolonged = over [0, 1, 2, 5] (\n ->
  differ (\x -> tabulate (2 * n) (\i -> if i % 2 == 0 then x[i / 2] else 0.5 * (x[i / 2] * x[i / 2 + 1])))
         (numbers (n + 1) 1))
entry prolonged_plane = over [0, 1, 3] (\n ->
  differ2 (\x -> tabulate_2d (2 * n) 4 (\i j ->
            let (h, k) = (i / 2, j / 2)
            in if i % 2 == 0 then if j % 2 == 0 then x[h, k] else 0.5 * (x[h, k] + x[h, k + 1])
               else if j % 2 == 0 then 0.5 * (x[h, k] + x[h + 1, k])
               else 0.25 * (x[h, k] + x[h, k + 1] + x[h + 1, k] + x[h + 1, k + 1]))) (matrix (n + 1) 3))
entry blended = over [1, 2, 5] (\n ->
  differ (\x -> tabulate (2 * n) (\i ->
           let u = if i % 2 == 0 then 0.75 else 0.25
           in (1 - u) * x[i64.max 0 ((i - 1) / 2)] + u * x[i64.min (n - 1) ((i + 1) / 2)])) (numbers n 1))
entry diagonal = over [0, 1, 2, 3] (\n ->
  differ (\x -> flatten (tabulate_2d n n (\i j -> x[(i + j) / 2] * f64.cos x[(i + 3 * j) / 4])))
         (numbers (n + 1) 1))

-- ==
-- entry: transposed transposed_off transposed_third transposed_plane convolved
-- input { } output { true }
entry transposed = over [0, 1, 2, 5] (\n ->
  let w = numbers 4 3
  in differ (\x -> tabulate (2 * n) (\i -> f64.sum (tabulate 4 (\j ->
       let t = i - j in if t >= 0 && t % 2 == 0 then x[t / 2] * w[j] else 0)))) (numbers n 1))
entry transposed_off = over [0, 1, 2, 5] (\n ->
  let w = numbers 3 3
  in differ (\x -> tabulate (2 * n + 1) (\i -> f64.sum (tabulate 3 (\j ->
       let t = i - j + 1 in if t % 2 == 0 && t >= 0 && t / 2 < n then x[t / 2] * w[j] else 0))))
            (numbers n 1))
entry transposed_third = over [0, 1, 2, 5] (\n ->
  let w = numbers 5 3
  in differ (\x -> tabulate (3 * n + 1) (\i -> f64.sum (tabulate 5 (\j ->
       let t = i + j in if !(t % 3 != 2 || t / 3 >= n) then x[t / 3] * w[j] else 0)))) (numbers n 1))
entry transposed_plane = over [0, 1, 3] (\n ->
  let w = matrix 3 3
  in differ2 (\x -> tabulate_2d (2 * n) 6 (\i j -> f64.sum (tabulate 3 (\a -> f64.sum (tabulate 3 (\b ->
       let (p, q) = (i - a, j - b)
       in if p >= 0 && p % 2 == 0 && q >= 0 && q % 2 == 0 then x[p / 2, q / 2] * w[a, b] else 0))))))
             (matrix n 3))
entry convolved = over [2, 3, 5] (\n ->
  let w = numbers 3 3
  in differ (\x -> tabulate (2 * n - 2) (\i -> f64.sum (tabulate 3 (\j -> x[(i + j) / 2] * w[j]))))
            (numbers n 1))
