-- Loops whose array parameters start from `[]`: the sizes of its rows come from the rest of the
-- program, its own size changes.
-- ==
-- entry: rows
-- input { 3i32 } output { [[0, 1, 2], [1, 2, 3], [2, 3, 4]] }
-- input { 0i32 } output { empty([0][3]i32) }

-- ==
-- entry: named
-- input { 2i32 [5, 6] } output { [[5, 6], [6, 7]] }
-- input { 0i32 [5, 6] } output { empty([0][2]i32) }

-- ==
-- entry: found
-- input { [1, -2, 3] } output { [[1, 3], [2, 4], [3, 5]] }

-- ==
-- entry: closure
-- input { 2i64 3i64 } output { [[[0i64, 0i64, 0i64], [1i64, 1i64, 1i64]], [[0i64, 0i64, 0i64], [2i64, 2i64, 2i64]]] }

-- ==
-- entry: pairs
-- input { 2i64 } output { [[7i64, 7i64], [8i64, 8i64]] [[1i64, 1i64, 1i64], [2i64, 2i64, 2i64]] }

-- ==
-- entry: sums
-- input { 4i64 } output { [6i64, 0i64, 6i64, 0i64] }

-- ==
-- entry: branch_last branch_first branch_middle
-- input { 4i32 } output { [4, 2, 4] }

-- ==
-- entry: branch_rows
-- input { 3i32 } output { [[3, 2, 3]] 1 }
-- input { 2i32 } output { empty([0][3]i32) 2 }

-- ==
-- entry: exchange
-- input { [false] } output { empty([0]i32) [1, 1] }
-- input { [true, false, true, true] } output { [1, 1] empty([0]i32) }

entry rows (n: i32): [][3]i32 =
  loop r = [] for i < n do r ++ [[i, i+1, i+2]]

entry named [k] (n: i32) (xs: [k]i32): [][k]i32 =
  loop r = [] for i < n do r ++ [map (+ i) xs]

entry found (xs: []i32) =
  let ys = filter (> 0) xs
  in loop r = [] for i < 3i32 do r ++ [map (+ i) ys]

entry closure (n: i64) (m: i64): [n][2][m]i64 =
  map (\k -> let more r i = r ++ [replicate m (i * k)]
             in (loop r = [] for i < 2i64 do more r i) :> [2][m]i64)
      (map (+ 1) (iota n))

entry pairs (n: i64): ([][2]i64, [][3]i64) =
  unzip (loop r = [] for i < n do r ++ [(replicate 2 (7 + i), replicate 3 (1 + i))])

entry sums (n: i64): []i64 =
  let rows = loop r: [](#some [3]i64 | #none) = []
             for i < n do r ++ [if i % 2 == 0 then #some [1, 2, 3] else #none]
  in map (\x -> match x case #some v -> i64.sum v case #none -> 0) rows

entry branch_last (n: i32): []i32 =
  loop t = [] while 10 != i32.sum t do if n > 2 then [n, 2, n] else t

entry branch_first (n: i32): []i32 =
  loop t = [] while 10 != i32.sum t do if n < 2 then [] else if n > 3 then [n, 2, n] else t

entry branch_middle (n: i32): []i32 =
  loop t = [] while 10 != i32.sum t do if n > 2 then [n, 2, n] else if n > 3 then [] else t

entry branch_rows (n: i32): ([][3]i32, i32) =
  loop (t, k) = ([], 0) for _i < 2i32 do if n > 2 then ([[n, 2, n]], 1) else (t, k + 1)

entry exchange (c: []bool): ([]i32, []i32) =
  loop (s, t) = ([], replicate 2 1) for x in c do if x then (t, s) else (s, t)
