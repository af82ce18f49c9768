-- Indices that go round: remainders of what lies within two periods, and of what does not; absolute
-- values in vector code.
-- ==
-- entry: around
-- input { 1i64 } output { [0i64, 0i64, 0i64, 0i64, 0i64, 0i64] }
-- input { 3i64 } output { [0i64, 2i64, 2i64, 1i64, 0i64, -1i64, 1i64, 0i64, 0i64, 2i64, 1i64, 0i64, 2i64, 1i64, 1i64, 0i64, 2i64, 1i64] }
-- input { 0i64 } output { empty([0]i64) }
-- ==
-- entry: mirrored
-- input { 40i64 } output { 0f64 }
-- input { 7i64 } output { 0f64 }

entry around (n: i64) : []i64 =
  flatten (tabulate n (\i ->
    let before = (i - 1) % n
    let behind = (i - 1 + n) %% n
    let after = (i + 1) % n
    let over = (i + 1 + n) %% n
    in [i %% n, before, behind, after, (over + n - 1) % n + 2 * over - 2 * after,
        (i - 1) %% n]))

entry mirrored (n: i64) : f64 =
  let xs = tabulate n (\i -> f64.i64 i - 3.5)
  let ys = map (\x -> f64.abs x + f64.abs (-x) + f64.f32 (f32.abs (f32.f64 x))) xs
  in f64.sum (map2 (\x y -> y - 3 * f64.sqrt (x * x)) xs ys)
