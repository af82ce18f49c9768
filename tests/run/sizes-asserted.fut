-- Sizes that are equal because something asserted it, in maps, scans, reductions, updates and constants:
-- the text of derivatives states them for the checker (tests/derive/run.sh).
-- ==
-- entry: rows
-- input { [[1, 2, 3], [4, 5, 6]] [[1, 1, 1], [2, 2, 2]] } output { [[1, 2, 3], [5, 7, 9]] }
-- input { empty([0][3]i32) empty([0][3]i32) } output { empty([0][3]i32) }
entry rows (xs: [][]i32) (ys: [][]i32) : [][]i32 =
  let add (a, b) (c, d) = (a + c, b * d : i32)
  let pairs = map (\(x: []i32, y: []i32) -> zip x y) (zip xs ys)
  in scan (\(a: [](i32, i32)) b -> map2 add a b) (replicate 3 (0, 1)) pairs |> map (map (.0))

-- ==
-- entry: pair
-- input { 2i64 [[1, 2], [3, 4], [5, 6]] } output { [[7, 7], [7, 7], [5, 6]] }
entry pair (k: i64) (xs: *[][]i32) : [][]i32 = xs with [0:k] = replicate k (replicate 2 7)

-- ==
-- entry: grown
-- input {} output { [0i64, 0i64, 0i64] }
entry grown : []i64 = [0] ++ loop s = [] for _i < 2i32 do s ++ [0]
