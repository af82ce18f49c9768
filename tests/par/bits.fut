-- One entry point for each thing that runs on all cores; tests/cli/multicore.t compares the bits of
-- their results on one core and on several threads.
-- ==
-- entry: sums rows gradient
-- input { 1000i64 } auto output
-- input { 1i64 } auto output
-- input { 0i64 } auto output
-- ==
-- entry: fails
-- input { 100000i64 } error: i < 0
-- ==
-- entry: divides
-- input { 300000i64 } error: division by zero

entry sums (n: i64) =
  let xs = map (\i -> f64.sin (f64.i64 i)) (iota n)
  in (f64.sum xs, f64.product (map (\x -> 1 + x / 1000) xs), f64.maximum xs,
      i64.sum (map (\i -> i * i) (iota n)))

entry rows (n: i64) =
  map (\i -> f64.sum (map (\j -> f64.cos (f64.i64 (i * j))) (iota 30))) (iota n)

entry gradient (n: i64) =
  let xs = map (\i -> f64.i64 (i % 1000) / 1000) (iota n)
  in vjp (\ys -> f64.sum (map2 (\y x -> f64.exp (y * x)) ys xs)) xs 1

entry fails (n: i64) =
  map (\i -> if i % 100003 == 77777 then assert (i < 0) i else i) (iota n)

entry divides (n: i64) = map (\i -> n / (i - 250000)) (iota n)
