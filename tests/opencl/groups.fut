-- Rows that a group of threads shares: sums of a row, then maps over it.  Numbers are whole and
-- small, so that sums are the same in any order.
def rows (n: i64) (m: i64) : [n][m]f64 = tabulate_2d n m (\i j -> f64.i64 ((i * 7 + j * 3) % 11))
def ends [n][m] (a: [n][m]f64) = (a[0, 0], a[n - 1, m - 1], f64.sum (flatten a))

-- ==
-- entry: row_sums
-- input { 3i64 100i64 } output { [495f64, 502f64, 498f64] [0f64, 0f64, 0f64] [10f64, 10f64, 10f64] [495i64, 502i64, 498i64] }
-- input { 2i64 3i64 } output { [9f64, 19f64] [0f64, 2f64] [6f64, 10f64] [9i64, 19i64] }
-- input { 2i64 0i64 } output { [0f64, 0f64] [f64.inf, f64.inf] [-f64.inf, -f64.inf] [0i64, 0i64] }
-- input { 0i64 70i64 } output { empty([0]f64) empty([0]f64) empty([0]f64) empty([0]i64) }
entry row_sums n m =
  unzip4 (map (\r -> (f64.sum r, f64.minimum r, f64.maximum r, i64.sum (map i64.f64 r))) (rows n m))

-- ==
-- entry: centred
-- input { 3i64 128i64 } output { -4.9609375f64 4.9609375f64 0f64 }
-- input { 300i64 64i64 } output { -4.953125f64 -0.03125f64 0f64 }
entry centred n m =
  ends (map (\r -> let s = f64.sum r / f64.i64 m in map (\x -> x - s) r) (rows n m))

-- Values of a row in a separate array, read at another place.
-- ==
-- entry: turned
-- input { 3i64 100i64 4i64 } output { -10f64 -7f64 300f64 }
-- input { 5i64 65i64 0i64 } output { 0f64 0f64 1628f64 }
entry turned n m (k: i64) =
  ends (map (\r -> loop r: [m]f64 = r for _i < k do map2 (+) r (rotate 1 (map (\x -> 1 - x) r))) (rows n m))

-- ==
-- entry: halved
-- input { 3i64 100i64 } output { 0f64 0.375f64 186.875f64 [3i64, 3i64, 3i64] }
entry halved n m =
  let halve [k] (r: [k]f64) =
    loop (r: [k]f64, steps) = (r, 0i64) while f64.sum r > 100 do (map (/ 2) r, steps + 1)
  let (a, steps) = unzip (map halve (rows n m))
  in (ends a, steps)

-- One thread writes the row of three; a matrix in each iteration.
-- ==
-- entry: few
-- input { 3i64 100i64 } output { 495f64 504f64 5999f64 }
entry few n m =
  let a = map (\r -> let s = f64.sum r in [s, 2 * s, s + r[1]]) (rows n m) in ends a
-- ==
-- entry: planes
-- input { 3i64 100i64 } output { 2000f64 2788f64 2872800f64 }
entry planes n m =
  let plane i = let p = map (map (+ f64.i64 i)) (rows 4 m)
                let t = f64.sum (map f64.sum p)
                in map (map (\x -> t - x)) p
  let a = map plane (iota n) in (a[0, 0, 0], a[n - 1, 3, m - 1], f64.sum (flatten_3d a))

-- ==
-- entry: gradients
-- input { 3i64 100i64 } output { 3465f64 6462f64 2535366f64 }
entry gradients n m =
  ends (map (\r -> vjp (\x -> f64.sum (map (\y -> y * y) x) * f64.sum x) r 1) (rows n m))
-- ==
-- entry: tangents
-- input { 3i64 100i64 } output { 495f64 798f64 299000f64 }
entry tangents n m =
  ends (map (\r -> jvp (\x -> let s = f64.sum x in map (* s) x) r (replicate m 1)) (rows n m))

-- All threads of the group fail alike.
-- ==
-- entry: failing
-- input { 3i64 100i64 600i64 } output { [10i64, 10i64, 10i64] }
-- input { 3i64 100i64 500i64 } error: Index \[502\] out of bounds
entry failing n m k =
  let t = iota k
  in map (\r -> let s = i64.f64 (f64.sum r) in t[s] + i64.f64 (f64.maximum (map (\x -> x - f64.i64 s) r))) (rows n m)
