-- Slices that a map replaces element by element, which it writes over the old ones, and maps that
-- read elsewhere, too, which it may not.
-- ==
-- entry: own
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 1i64 4i64 } output { [1i64, 12i64, 13i64, 14i64, 5i64] }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 0i64 5i64 } output { [11i64, 12i64, 13i64, 14i64, 15i64] }
-- input { [1i64, 2i64] 1i64 1i64 } output { [1i64, 2i64] }
-- ==
-- entry: shifted
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 1i64 4i64 } output { [1i64, 3i64, 5i64, 7i64, 5i64] }
-- ==
-- entry: both
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 1i64 4i64 } output { [1i64, 5i64, 7i64, 9i64, 5i64] }
-- ==
-- entry: gathered
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 1i64 4i64 } output { [1i64, 6i64, 6i64, 6i64, 5i64] }
-- ==
-- entry: running
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 1i64 4i64 } output { [1i64, 2i64, 5i64, 9i64, 5i64] }
-- ==
-- entry: twice
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 1i64 4i64 } output { [10i64, 14i64, 15i64, 16i64, 5i64] 9i64 }
-- ==
-- entry: rows
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] 1i64 } output { [[1i64, 2i64], [10i64, 11i64], [16i64, 17i64]] }
-- ==
-- entry: firsts
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] 1i64 } output { [[1i64, 2i64], [6i64, 7i64], [10i64, 11i64]] }
-- ==
-- entry: turned
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] 1i64 } output { [[1i64, 2i64], [4i64, 3i64], [6i64, 5i64]] }
-- ==
-- entry: beside
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] 1i64 }
-- output { [[1i64, 2i64], [4i64, 5i64], [6i64, 7i64]] [7i64, 11i64] }
-- ==
-- entry: square
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 9i64]] }
-- output { [[1i64, 2i64, 3i64], [4i64, 17i64, 21i64], [7i64, 24i64, 28i64]] }

entry own [n] (xs: *[n]i64) (a: i64) (b: i64) = xs with [a:b] = map (+ 10) xs[a:b]

entry shifted [n] (xs: *[n]i64) (a: i64) (b: i64) =
  xs with [a:b] = map2 (\x y -> x + y) (xs[a:b] :> [b - a]i64) (xs[a - 1:b - 1] :> [b - a]i64)

entry both [n] (xs: *[n]i64) (a: i64) (b: i64) =
  xs with [a:b] = map2 (\x y -> x + y) (xs[a:b] :> [b - a]i64) (xs[a + 1:b + 1] :> [b - a]i64)

-- Element 1 is changed before the others read it.
entry gathered [n] (xs: *[n]i64) (a: i64) (b: i64) =
  let ys = xs[a:b]
  in xs with [a:b] = map (\_ -> ys[0] + ys[2]) ys

entry running [n] (xs: *[n]i64) (a: i64) (b: i64) = xs with [a:b] = scan (+) 0 xs[a:b]

-- Two results of one map, one into the slice that it reads; and what was read before.
entry twice [n] (xs: *[n]i64) (a: i64) (b: i64) =
  let before = i64.sum xs[a:b]
  let (ys, zs) = unzip (map (\x -> (x + 12, x * 2)) xs[a:b])
  let xs = xs with [a:b] = ys
  in (xs with [0] = zs[b - a - 1] + 2, before)

entry rows [n] [m] (xs: *[n][m]i64) (a: i64) =
  xs with [a:] = map (\r -> let s = i64.sum r in map (+ s) r) xs[a:]

entry firsts [n] [m] (xs: *[n][m]i64) (a: i64) =
  xs with [a:] = map (\r -> map (\x -> x + r[0]) r) xs[a:]

entry turned [n] [m] (xs: *[n][m]i64) (a: i64) = xs with [a:] = map reverse xs[a:]

entry beside [n] [m] (xs: *[n][m]i64) (a: i64) =
  let (rows, sums) = unzip (map (\r -> let q = map (+ 1) r in (q, i64.sum r)) xs[a:])
  in (xs with [a:] = rows, sums)

-- Rows that another part of the same slice is added to.
entry square (xs: *[3][3]i64) =
  let part = xs[1:, 1:]
  in xs with [1:, 1:] = map2 (\r c -> map2 (\x y -> x + y + 2) (map (* 1) r) (map (+ r[0]) c)) part (transpose part)
