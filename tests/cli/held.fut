-- For held.t: arrays that grow, shrink and have random sizes.
entry main (k: i64) = let xs = loop xs = iota 100000 for _i < k do xs ++ (iota (length xs / 100)) in (length xs, xs[length xs - 1])
entry flatgrow (k: i64) = loop xs = iota 10 for _i < k do map (+ 1) (xs ++ iota 50000)
entry shrink (n: i64) (m: i64) : f64 =
  loop s = 0 for i < n do
    let t = tabulate_2d (n - i) m (\a b -> f64.i64 (a * b + i))
    in s + t[(n - i) / 2, m / 2] + f64.sum t[n - i - 1] + f64.sum t[0] + t[i % (n - i), (i * 7) % m]
def f [n] (a: [n][n]f64) : f64 =
  loop s = 0 for i < n do s + f64.sum (map (\c -> f64.sum (map2 (*) a[:, i] c)) (transpose a[:, i:]))
entry grad (n: i64) = let g = vjp f (tabulate_2d n n (\i j -> f64.i64 (i * j % 7))) 1 in f64.sum (flatten g)
entry random (k: i64) = let (_, s) = loop (x, s) = (12345i64, 0) for _i < k do
                                       let y = (x * 1103515245 + 12345) & 0x7fffffff
                                       let a = tabulate (y % 5000000) (\i -> i + y)
                                       let b = map (+ 1) (scan (+) 0 a)
                                       in (y, s + (if length b > 3 then b[3] else 0) + length a) in s

entry ones (n: i64) : []i64 = map (+ 1) (scan (+) 0 (replicate n 1))
