-- Loops of all three kinds, branches, assertions.
-- ==
-- entry: fact
-- input { 5i32 } output { 120 }
-- input { 0i32 } output { 1 }
-- ==
-- entry: collatz
-- input { 6i32 } output { 8i32 }
-- ==
-- entry: over
-- input { [1,2,3] } output { 321 }
-- ==
-- entry: fib
-- input { 6i64 } output { [1,1,2,3,5,8] }
-- ==
-- entry: guarded
-- input { 4i32 } output { 2i32 }
-- input { 3i32 } error: Assertion is false: x % 2 == 0
-- ==
-- entry: growing
-- input { 3i32 } output { [1,1,1,1,1,1,1,1] }
-- ==
-- entry: gcd
-- input { 12i32 18i32 } output { 6i32 }

entry fact (n: i32) = loop acc = 1 for i < n do acc * (i + 1)
entry collatz (n: i32) =
  (loop (k, x) = (0, n) while x != 1 do (k + 1, if x % 2 == 0 then x / 2 else 3 * x + 1)).0
entry over (xs: []i32) = (loop (acc, place) = (0, 1) for x in xs do (acc + place * x, place * 10)).0
entry fib (n: i64) =
  loop xs = replicate n 1 for i < n - 2 do
    let v = xs[i] + xs[i + 1]
    in xs with [i + 2] = v
entry guarded (x: i32) = assert (x % 2 == 0) (x / 2)
entry growing (n: i32) = loop xs = [1] for _i < n do xs ++ xs
entry gcd (a: i32) (b: i32) = (loop (x, y) = (a, b) while y != 0 do (y, x % y)).0
