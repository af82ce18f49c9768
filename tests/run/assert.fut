-- An assertion is checked where something is made of its value, in compiled code and interpreter.

-- ==
-- entry: wild unit called part sized_only dropped_row turns twice branch
-- input { -1 } output { -1 }

-- ==
-- entry: used used_part pair chosen invariant condition shared nested in_map argument unit_result
-- input { -1 } error: Assertion is false

-- ==
-- entry: stated
-- input { 3 } error: Assertion is false: x > 5
-- input { 2 } output { 2 }
-- input { -1 } error: Assertion is false: i < 9

-- ==
-- entry: used used_part pair chosen condition shared nested argument
-- input { 1 } output { 1 }

-- ==
-- entry: sizes
-- input { 1 } output { [7, 7, 7] }
-- input { -1 } error: Assertion is false: n > 0

entry wild (x: i32) = let _ = assert (x > 0) () in x
entry unit (x: i32) = let () = assert (x > 0) () in x

#[noinline]
def positive (x: i32) = assert (x > 0) ()
#[noinline]
def both (x: i32) = let _ = positive x in (x, assert (x > 0) (x + 1))
#[noinline]
def skipped (x: i32) = let _ = positive x in (x, assert (x > 0) (x + 1))
entry called (x: i32) = let _ = positive x in (skipped x).0

entry part (x: i32) = (x, assert (x > 0) x).0
entry sized_only (x: i32) = let y = assert (x > 0) [x, x] in x + i32.i64 (length y) - 2
entry dropped_row (x: i32) =
  let rows = map (\i -> let _ = assert (i > 5) () in (x, i)) (iota 3) in rows[1].0
entry turns (x: i32) =
  (loop (a, b) = (x, 0) for i < 3 do (a, assert (i > 5) (b + i))).0
entry twice (x: i32) = let _ = loop () = () for i < 3 do assert (i > x + 9) () in x
entry branch (x: i32) = let _ = if x < 0 then assert (x > 0) () else () in x

entry used (x: i32) = assert (x > 0) x
entry used_part (x: i32) = let (_, b) = assert (x > 0) (x + 3, x) in b
entry pair (x: i32) = let p = assert (x > 0) {a = x, b = [x]} in p.b[0]
entry chosen (x: i32) = match assert (x > 0) (#some x : #some i32 | #none) case #some y -> y case #none -> 0
entry invariant (x: i32) = (map (\i -> assert (i < 2) x) (iota 3))
entry condition (x: i32) : i32 = if assert (x > 0) true then 1 else 2
entry shared (x: i32) = let (a, b) = both x in a * (b - x)
entry nested (x: i32) = assert (assert (x > 0) true) x
entry in_map (x: i32) = map (\i -> if i > 1 then assert (x > 0) i else i) (iota 3)
entry argument (x: i32) = let f (y: i32) (z: i32) = y * z in f 1 (assert (x > 0) x)
entry unit_result (x: i32) = assert (x > 0) ()

entry sizes (x: i32) : []i32 =
  let n = i64.i32 x
  in (map (\_ -> replicate (assert (n > 0) (n + 2)) 7) [0, 1])[0]

#[noinline]
def large (x: i32) : () = assert (x > 5) ()
entry stated (x: i32) : i32 =
  let f () = x
  let done : () = loop () = () for i < 10 do if x == 3 then large x else assert (i < 9 + x) ()
  in (loop (_, y) = (done, f ()) for _i < 1 do (done, y)).1
