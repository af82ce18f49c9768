-- What `dagaz derive --bulk` prints is evaluated by NumPy and compared (formulas.py).

-- ==
-- entry: softmax
-- input { [[1.0, 2.0], [0.5, -1.0], [3.0, 0.25]] [0i64, 2i64, 1i64] [[0.5, -0.5], [1.0, 2.0], [-1.0, 0.0]] }
-- output { 7.2013810879255411f64 }
entry softmax [n][d][k] (x: [n][d]f64) (y: [n]i64) (w: [k][d]f64) : f64 =
  f64.sum (map2 (\xi yi ->
    let z = map (\wj -> f64.sum (map2 (*) xi wj)) w
    let m = f64.maximum z
    let s = f64.sum (map (\zj -> f64.exp (zj - m)) z)
    in m + f64.log s - z[yi]) x y)

-- ==
-- entry: mlp
-- input { [[1.0, 2.0], [0.5, -1.0]] [1.0, -1.0] [[0.5, -0.5], [1.0, 2.0], [-1.0, 0.0]] [0.1, 0.2, 0.3] [1.0, -1.0, 0.5] }
-- output { 6.608070673120686f64 }
entry mlp [n][d][h] (x: [n][d]f64) (t: [n]f64) (w: [h][d]f64) (b: [h]f64) (v: [h]f64) : f64 =
  let hidden = map (\xi -> map2 (\wj bj -> f64.tanh (f64.sum (map2 (*) wj xi) + bj)) w b) x
  let out = map (\hi -> f64.sum (map2 (*) hi v)) hidden
  in f64.sum (map2 (\o ti -> (o - ti) * (o - ti)) out t) / f64.i64 n

-- ==
-- entry: convolution
-- input { [1.0, 2.0, 3.0, 5.0, 8.0] [0.5, -1.0, 2.0] } output { [4.5f64, 8f64, 12.5f64] }
entry convolution [n][k] (x: [n]f64) (w: [k]f64) : []f64 =
  tabulate (n - k + 1) (\i -> f64.sum (map2 (\j wj -> x[i + j] * wj) (iota k) w))

-- ==
-- entry: mirrored
-- input { [1.0, 2.0, 4.0] } output { 12f64 }
-- input { empty([0]f64) } output { 0f64 }
entry mirrored [n] (x: [n]f64) : f64 = f64.sum (map2 (*) x (reverse x))

-- ==
-- entry: every_second
-- input { [1.0, 2.0, 4.0, 8.0, 16.0] } output { [1f64, 16f64, 64f64] [64f64, 16f64, 1f64] }
entry every_second [n] (x: [n]f64) : ([]f64, []f64) =
  let y = map (\a -> a * f64.abs a) x[::2]
  in (map (\a -> if a > 100 then a / 4 else a) y, map (\a -> f64.min a 64) y[::-1])

-- ==
-- entry: histogram
-- input { [0i64, 4i64, 7i64, -1i64, 4i64] [1.0, 2.0, 3.0, 4.0, 5.0] 2.0 }
-- output { [2f64, 0f64, 0f64, 0f64, 14f64] }
entry histogram [n] (is: [n]i64) (vs: [n]f64) (w: f64) : [5]f64 =
  reduce_by_index (replicate 5 0) (+) 0 is (map (* w) vs)

-- ==
-- entry: overwritten
-- input { [1.0, 2.0, 3.0] [0i64, 0i64, 9i64] [5.0, 6.0, 7.0] } output { [6f64, 2f64, 3f64] }
entry overwritten [n][m] (x: [n]f64) (is: [m]i64) (vs: [m]f64) : [n]f64 = scatter (copy x) is vs

-- ==
-- entry: updated
-- input { [1.0, 2.0, 3.0] } output { 9f64 }
entry updated [n] (x: [n]f64) : f64 =
  let y = copy x with [2] = x[0] * x[1] in f64.sum (map (\a -> a * a) y)

-- ==
-- entry: prefixes
-- input { [0.5, 1.0, -1.0] [[1.0, 3.0], [2.0, 0.5]] }
-- output { [0.5f64, 1.5f64, 0.5f64] [0.5f64, 0.5f64, -0.5f64] [[1f64, 3f64], [2f64, 2f64]] }
entry prefixes [n][m] (x: [n]f64) (a: [m][m]f64) : ([n]f64, [n]f64, [m][m]f64) =
  (scan (+) 0 x, scan (*) 1 x, map (scan f64.max (-f64.inf)) a)

-- ==
-- entry: iterated
-- input { [0.5, 1.0] 3i64 } output { 3.8245177290640431f64 }
entry iterated [n] (x: [n]f64) (k: i64) : f64 =
  f64.sum (loop y = x for _i < k do map (\a -> f64.sin a * 2) y)

-- ==
-- entry: chosen
-- input { [0.5, -1.0, 0.0] 3i64 } output { -0.875f64 }
-- input { [0.5, -1.0, 0.0] -3i64 } output { -0.59999999999999998f64 }
entry chosen [n] (x: [n]f64) (k: i64) : f64 =
  let y = if k > 0 then map f64.cos x else rotate 1 x
  in f64.sum (map2 (\a b -> if a < b then a ** 3 else f64.max a b / (1 + a * a)) x y)

-- ==
-- entry: factorised
-- input { [[1.0, 2.0], [3.0, 5.0], [0.0, 1.0]] [1.0, 2.0, 0.5] [1.0, 2.0] } output { 2.25f64 }
entry factorised [n][m] (a: [n][m]f64) (u: [n]f64) (v: [m]f64) : f64 =
  f64.sum (map2 (\r ui -> f64.sum (map2 (\x vj -> (x - ui * vj) * (x - ui * vj)) r v)) a u)

-- ==
-- entry: batch
-- input { [[[1.0, 2.0], [3.0, 4.0]], [[0.5, -1.0], [2.0, 1.0]]] [[1.0, -1.0], [2.0, 0.0]] }
-- output { [[-1f64, -1f64], [1f64, 4f64]] }
entry batch [b][n][m] (a: [b][n][m]f64) (x: [b][m]f64) : [b][n]f64 =
  map2 (\ai xi -> map (\r -> f64.sum (map2 (*) r xi)) ai) a x

-- ==
-- entry: single
-- input { [1.5f32, 2.0f32] } output { 7.91687536f32 }
entry single [n] (x: [n]f32) : f32 = f32.sum (map (\a -> f32.sqrt a * 3) x)

-- ==
-- entry: special
-- input { [0.5, 1.25] } output { [2.7684777599849233f64, 4.9703105909181033f64] }
entry special [n] (x: [n]f64) : [n]f64 = map (\a -> f64.log1p a + f64.atan2 a 2 + f64.hypot a 1 + f64.ceil a) x
