-- Loops that a device sums up, by operators that are exact: with many iterations and few, failures,
-- memory of a thread's own, several sums; folds and scans of integers in blocks.
-- ==
-- entry: sums several own joined scans counts
-- input { 0i64 } auto output
-- input { 1i64 } auto output
-- input { 300i64 } auto output
-- input { 20011i64 } auto output
-- ==
-- entry: fails
-- input { 20011i64 } error: i < 0

entry sums (n: i64) =
  let xs = map (\i -> i * i % 1017) (iota n)
  in (i64.sum xs, i64.product (map (\x -> 2 * x + 1) xs), i64.maximum xs, i64.minimum xs,
      and (map (>= 0) xs), or (map (== 1016) xs), reduce (^) 0 (map u8.i64 xs))

-- Sums of several arrays, one of 32 bits.
entry several (n: i64) =
  let xs = map (\i -> i32.i64 (i * 7919 % 1000)) (iota n)
  in (i32.sum xs, i64.sum (map2 (\x i -> i64.i32 x * i) xs (iota n)), i32.maximum xs)

-- Each iteration has an array, of at most 40 elements.
entry own (n: i64) =
  i64.sum (map (\i -> let a = scan (+) 0 (map (\j -> i * j % 7) (iota (i64.min 40 i)))
                      in i64.sum (map2 (*) a (reverse a))) (iota n))

-- The first of the largest: an operator on pairs.
entry joined (n: i64) =
  let xs = map (\i -> i * i % 1017) (iota n)
  in reduce (\(a, b) (c, d) -> if b < d then (c, d) else (a, b)) (0, -1) (zip (iota n) xs)

entry scans (n: i64) =
  let xs = map (\i -> i * i % 1017 - 500) (iota n)
  in (scan (+) 0 xs, scan i64.max i64.lowest xs, filter (> 300) xs)

-- Histograms, of few places and many; one that is read again, with other sums beside it.
entry counts (n: i64) =
  let is = map (\i -> i * i % 37 - 1) (iota n)
  let a = hist (+) 0 37 is (iota n)
  let b = hist i64.max (-5) 37 is (map (% 11) (iota n))
  let c = hist (+) 0i32 (n / 3 + 1) is (map i32.i64 (iota n))
  let d = reduce_by_index a (^) 0 is (map (3 *) (iota n))
  in (copy d, b, c, i64.sum d, hist (||) false 37 is (map (> 100) (iota n)))

-- The first iteration that fails is the one reported.
entry fails (n: i64) =
  i64.sum (map (\i -> if i % 3333 == 777 then assert (i < 0) i else i) (iota n))
