-- Updates of arrays so large that a copy for each block does not pay: they are written down, and
-- added by ranges of the array (rts/logs.h).  The suite multicore-logs makes logs small, so that they
-- are used at all, and often too short.
-- ==
-- entry: sums maxima places rows uneven own several beside uneven_beside
-- input { 1000i64 97i64 } auto output
-- input { 20011i64 1i64 } auto output
-- input { 3000i64 5000i64 } auto output
-- input { 0i64 7i64 } auto output
-- ==
-- entry: triangle
-- input { 200i64 7i64 } auto output
-- input { 0i64 7i64 } auto output
-- ==
-- entry: fails
-- input { 10000i64 50i64 } error: i < 7777
-- ==
-- entry: beside_fails
-- input { 10000i64 50i64 } error: Index \[5[01]\] out of bounds

def data (n: i64) = map (\i -> f64.sin (f64.i64 (i * i % 10007))) (iota n)
def keys (n: i64) (m: i64) = map (\i -> (i * i * 7919 + i * 31) % (m + 1)) (iota n)  -- m: nowhere

entry sums (n: i64) (m: i64) =
  (hist (+) 0 m (keys n m) (map (\x -> f64.exp (f64.sin x) / 3) (data n)),
   hist (+) 0 m (keys n m) (map (\x -> f32.exp (f32.f64 x)) (data n)),
   hist (+) 0 m (keys n m) (map (\x -> f16.f64 x) (data n)),
   hist (*) 1 m (keys n m) (map (\x -> 1 + x / 1000) (data n)))

entry maxima (n: i64) (m: i64) =
  (hist f64.max (-f64.inf) m (keys n m) (data n),
   hist i32.min i32.highest m (keys n m) (map (\x -> i32.f64 (1000 * x)) (data n)),
   hist (||) false m (keys n m) (map (\x -> x > 0.99) (data n)),
   hist (+) 0 m (keys n m) (map (\x -> i8.f64 (10 * x)) (data n)))

-- The adjoint of gathers.
entry places (n: i64) (m: i64) =
  vjp (\ys -> f64.sum (map2 (\k x -> if k < m then f64.exp (x * ys[k]) else 0) (keys n m) (data n)))
      (data m) 1

-- Rows that data choose, of two arrays.
entry rows (n: i64) (m: i64) =
  let (cs, ps) = (tabulate_2d (m + 1) 9 (\i j -> f64.i64 ((3 * i + j) % 11)),
                  tabulate_2d (m + 1) 3 (\i j -> f64.i64 ((i + 2 * j) % 7)))
  in vjp (\(cs, ps) ->
            f64.sum (map2 (\k x -> let (c, p) = (cs[k], ps[(k * 3) % (m + 1)])
                                   let s = f64.sum (map2 (*) (take 3 c) p) + x * c[8]
                                   in s * f64.sin (s * c[5] + c[3]))
                          (keys n m) (data n))) (cs, ps) 1

-- Rows of a sparse matrix, some of them long: their logs are longer than expected.
entry uneven (n: i64) (m: i64) =
  vjp (\ys -> f64.sum (map2 (\i x -> let trips = if i % 50 == 3 then 400 else i % 5
                                     in f64.exp (loop s = x for j < trips do
                                                   s + ys[(i * 7 + j * j) % m] * x / 100))
                            (iota n) (data n)))
      (data m) 1

-- Beside updates, an array of the iterations' own.
entry own (n: i64) (m: i64) =
  vjp (\(xs, ys) -> f64.sum (map2 (\k x -> if k < m then f64.exp (x * ys[k]) else x) (keys n m) xs))
      (data n, data m) 1

-- Neighbouring places, in vector code.
entry several (n: i64) (m: i64) =
  vjp (\ys -> f64.sum (map (\k -> if k < m - 2
                                  then f64.exp (ys[k] * ys[k + 1]) * f64.tanh ys[k + 2] else 1)
                           (keys n m))) (data m) 1

-- Sums beside updates: the adjoint of what all iterations read, a number of iterations, a maximum.
entry beside (n: i64) (m: i64) =
  (vjp2 (\(ys, c) -> f64.sum (map2 (\k x -> if k < m then f64.exp (c * x * ys[k]) else c * x)
                                  (keys n m) (data n)))
        (data m, 0.7) 1,
   let (vs, ws) = unzip (map (\x -> (f64.exp x, i64.f64 (1000 * f64.exp (-x)))) (data n))
   in (hist (+) 0 m (keys n m) vs, i64.sum ws, f64.maximum vs))
entry uneven_beside (n: i64) (m: i64) =
  vjp2 (\(ys, c) -> f64.sum (map2 (\i x -> let trips = if i % 50 == 3 then 400 else i % 5
                                         in loop s = c * x for j < trips do
                                              f64.tanh (s - c * ys[(i * 7 + j * j) % m]))
                                (iota n) (data n)))
       (data m, 0.7) 1
entry beside_fails (n: i64) (m: i64) =
  (vjp2 (\(ys, c) -> f64.sum (map2 (\k x -> f64.exp (c * x * ys[k + 1])) (keys n m) (data n)))
        (data m, 0.7) 1).1

-- As many updates as the number of the iteration says.
entry triangle (n: i64) (m: i64) =
  vjp (\ys -> f64.sum (map (\i -> loop s = f64.i64 m for j < i do f64.tanh (s - ys[j])) (iota n)))
      (data n) 1

entry fails (n: i64) (m: i64) =
  hist (+) 0 m (keys n m) (map2 (\i x -> assert (i < 7777) (f64.exp x)) (iota n) (data n))
