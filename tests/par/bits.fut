-- One entry point for each thing that runs on all cores; tests/cli/multicore.t compares the bits of
-- their results on one core and on several threads.
-- ==
-- entry: sums rows gradient bins centres mixed few
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

entry bins (n: i64) =
  let is = map (\i -> i * i % 37) (iota n)
  in (hist (+) 0 37 is (map (\i -> 1 / f64.i64 (i + 1)) (iota n)),
      hist (f64.max) (-f64.inf) 37 is (map (\i -> f64.sin (f64.i64 i)) (iota n)),
      hist (+) 0 37 is (iota n))

-- The distance to the nearest of five centres: which one gets a contribution, data decide.
def cost (n: i64) (cs: [5][2]f64) =
  let point (i: i64) = [f64.sin (f64.i64 i), f64.cos (f64.i64 (3 * i))]
  let dist a b = f64.sum (map2 (\x y -> (x - y) * (x - y)) a b)
  in f64.sum (map (\i -> f64.minimum (map (dist (point i)) cs)) (iota n))

entry centres (n: i64) = vjp (cost n) (tabulate_2d 5 2 (\i j -> f64.i64 (i - j) / 3)) 1

-- Sums, sums of places and rows in one loop.
entry mixed (n: i64) =
  let f (w: [3]f64) = f64.sum (map (\i -> f64.exp (w[i % 3] * f64.i64 i / f64.i64 n) + w[0]) (iota n))
  in (f [1, 2, 3], vjp f [1, 2, 3] 1)

-- Three iterations, each long: the loops inside run on all cores.
entry few (n: i64) =
  let g (k: i64) = map (\i -> f64.exp (f64.sin (f64.i64 (k * i)))) (iota n)
  in (map g (iota (n % 5)), map g (iota 3))
