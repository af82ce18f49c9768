-- Loops of writes join the loop that computes where they write (imp/join.c), in order, and not
-- where that loop reads what they write.
-- ==
-- entry: two
-- input { [0i32,0i32,0i32,0i32] [1i64,3i64,9i64,1i64,-1i64] [5i32,6i32,7i32,8i32,9i32] }
-- output { [0i32,8i32,0i32,6i32] [0i32,1i32,0i32,1i32] [4i64,6i64,-1i64,4i64,2i64] }
-- ==
-- entry: reads
-- input { [1i32,2i32,3i32,4i32] [1i64,2i64,3i64,0i64] }
-- output { [2i32,2i32,3i32,4i32] [11i32,11i32,11i32,11i32] }
-- ==
-- entry: back
-- input { [0i32,0i32,0i32,0i32] [3i64,2i64,2i64,0i64] }
-- output { [3i32,0i32,2i32,0i32] [0i64,2i64,2i64,3i64] }
-- ==
-- entry: branchy
-- input { [0i32,0i32,0i32,0i32] [true,false,true] [1i64,2i64,3i64] }
-- output { [0i32,2i32,0i32,2i32] [false,true,false,true] }

-- The indices are used by both scatters and are a result, too.
entry two (xs: *[]i32) (is: []i64) (vs: []i32) : ([]i32, []i32, []i64) =
  let ns = map (const 0) xs
  let places = map2 (\i v -> if v == 7 then -1 else if i == -1 then 2 else i + 3) is vs
  let at = map (\p -> p - 3) places
  let xs = scatter xs at vs
  let ns = scatter ns at (map (const 1) vs)
  in (xs, ns, places)

-- What is written may have been read before by a later iteration: two loops.
entry reads (xs: *[]i32) (is: []i64) : ([]i32, []i32) =
  let at = map (\i -> if xs[(i + 3) % 4] < 3 then 0 else -1) is
  let marks = map (const 11) xs
  let xs = scatter xs at (map (const 2) at)
  let ys = scatter (map (const 11) xs) at (map (\_ -> marks[0]) at)
  in (xs, ys)

-- The list of places runs the other way round.
entry back (xs: *[4]i32) (is: [4]i64) : ([]i32, []i64) =
  let places = reverse is
  let at = map (\i -> if i == 2 then 2 else i) places
  in (scatter xs at [3, 2, 2, 0] with [3] = 0, at)

entry branchy (xs: *[]i32) (cs: []bool) (is: []i64) : ([]i32, []bool) =
  let at = map2 (\c i -> if c then let j = is[i % 3] in if j > 2 then j else i else -1) cs is
  let seen = map (== 9) xs
  in (scatter xs at (map (const 2) at), scatter seen at (map (const true) at))
