-- Scans with declared-associative operators against loops, at sizes around the lengths of vectors;
-- small whole numbers, so that every order of additions gives the same bits.
-- ==
-- entry: sums
-- input { } output { true }
-- ==
-- entry: products
-- input { } output { true }
-- ==
-- entry: extremes
-- input { } output { true }
-- ==
-- entry: mixed
-- input { } output { true }
-- ==
-- entry: rows
-- input { } output { true }
-- ==
-- entry: backwards
-- input { } output { true }
-- ==
-- entry: singles
-- input { } output { true }
-- ==
-- entry: edges
-- input { [1f64, 2f64, -3f64] } output { [1f64, 3f64, 0f64] [5f64, 5f64, 5f64] [0f64, -1f64, -3f64] }
-- input { empty([0]f64) } output { empty([0]f64) empty([0]f64) empty([0]f64) }

def sizes = [0i64, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 200]

def pattern (i: i64) = f64.i64 ((i * 37 + 11) % 19 - 9)

def slow [n] (op: f64 -> f64 -> f64) (ne: f64) (xs: [n]f64) : [n]f64 =
  (loop (acc, ys) = (ne, replicate n 0) for i < n do
     let acc = op acc xs[i] in (acc, ys with [i] = acc)).1

def same [n] (xs: [n]f64) (ys: [n]f64) : bool = and (map2 (==) xs ys)

def everywhere (f: (n: i64) -> bool) : bool = loop ok = true for n in sizes do ok && f n

entry sums = everywhere (\n ->
  let xs = tabulate n pattern
  in same (scan (+) 0 xs) (slow (+) 0 xs) && same (scan (+) 3 xs) (slow (+) 3 xs))

-- Factors of one, minus one and two: exact.
entry products = everywhere (\n ->
  let xs = tabulate n (\i -> if i % 5 == 0 then 2 else if i % 3 == 0 then -1 else 1)
  in same (scan (*) 1 xs) (slow (*) 1 xs))

entry extremes = everywhere (\n ->
  let xs = tabulate n pattern
  in same (scan f64.max (-f64.inf) xs) (slow f64.max (-f64.inf) xs)
     && same (scan f64.min 4 xs) (slow f64.min 4 xs))

-- Two scans, a reduction and maps before and behind, in one loop.
entry mixed = everywhere (\n ->
  let xs = tabulate n pattern
  let ys = map (\x -> 2 * x + 1) xs
  let (s, m) = unzip (map2 (\a b -> (a - b, a + b)) (scan (+) 0 ys) (scan f64.max (-100) xs))
  let total = f64.sum ys
  let a = slow (+) 0 ys
  let b = slow f64.max (-100) xs
  in same s (map2 (-) a b) && same m (map2 (+) a b) && total == (if n == 0 then 0 else a[n - 1]))

-- Each lane has a scan of its own.
entry rows = everywhere (\n ->
  let xss = tabulate_2d n 5 (\i j -> pattern (i * 5 + j))
  let a = map (\xs -> f64.sum (map (\x -> f64.abs x) (scan (+) 0 xs))) xss
  let b = map (\xs -> f64.sum (map (\x -> f64.abs x) (slow (+) 0 xs))) xss
  in same a b)

-- Read and written back to front.
entry backwards = everywhere (\n ->
  let xs = tabulate n pattern
  let a = reverse (scan (+) 0 (reverse xs))
  let b = reverse (slow (+) 0 (reverse xs))
  let c = reverse (map (\x -> x * x) (scan (+) 1 xs))
  let state = loop ys = xs for _i < 3 do reverse (map (+ 1) (scan f64.min 100 ys))
  let slowly = loop ys = xs for _i < 3 do reverse (map (+ 1) (slow f64.min 100 ys))
  in same a b && same c (reverse (map (\x -> x * x) (slow (+) 1 xs))) && same state slowly)

entry singles = everywhere (\n ->
  let xs = tabulate n (\i -> f32.f64 (pattern i))
  let ys = scan (+) 0 xs
  let zs = (loop (acc, zs) = (0, replicate n 0) for i < n do
              let acc = acc + xs[i] in (acc, zs with [i] = acc)).1
  in and (map2 (==) ys zs))

entry edges [n] (xs: [n]f64) : ([n]f64, [n]f64, [n]f64) =
  (scan (+) 0 xs, scan f64.max 5 xs, reverse (scan (+) 0 (reverse xs)))

-- Whole numbers run in lanes, too, and wrap around as they do one by one.
-- ==
-- entry: whole
-- input { } output { true }

def slowly [n] 't (op: t -> t -> t) (ne: t) (xs: [n]t) : [n]t =
  (loop (acc, ys) = (ne, replicate n ne) for i < n do
     let acc = op acc xs[i] in (acc, ys with [i] = acc)).1

entry whole = everywhere (\n ->
  let xs = tabulate n (\i -> i32.i64 i * 1588635695 - 77)
  let ls = map (\x -> i64.i32 x * 4611686018427387) xs
  let flags = map (\x -> x % 3 == 0) xs
  let counts = scan (+) 0i64 (map i64.bool flags)
  in and (map2 (==) (scan (+) 5 xs) (slowly (+) 5 xs))
     && and (map2 (==) (scan (+) 0 ls) (slowly (+) 0 ls))
     && and (map2 (==) (scan (*) 3 ls) (slowly (*) 3 ls))
     && and (map2 (==) (scan (*) 1 (map (| 1) xs)) (slowly (*) 1 (map (| 1) xs)))
     && and (map2 (==) (scan i32.max i32.lowest xs) (slowly i32.max i32.lowest xs))
     && and (map2 (==) (scan i64.min 9 ls) (slowly i64.min 9 ls))
     && and (map2 (==) counts (slowly (+) 0 (map i64.bool flags)))
     && and (map2 (==) (map (\f -> if f then 1 else 0i64) flags) (map i64.bool flags)))
