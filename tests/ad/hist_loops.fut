-- Histograms of few values into an array that a loop carries: what they overwrite is put back, in place
-- of states kept whole.  Equal and missing indices, sums, products, pairs, rows, branches, while loops.
def close (a: f64) (b: f64) : bool = f64.abs (a - b) <= 1e-9 * (1 + f64.abs b)

-- Reverse against forward mode, and both once more differentiated.
def holds [n] (f: [n]f64 -> [n]f64) (xs: [n]f64) : bool =
  let unit i = tabulate n (\j -> f64.bool (i == j))
  let g xs = f64.sum (map2 (*) (f xs) (map (\i -> 1 + f64.i64 i) (iota n)))
  let d xs = vjp g xs 1
  let rev = d xs
  let fwd = tabulate n (\i -> jvp g xs (unit i))
  let twice = f64.sum (map2 (*) rev (jvp d xs (unit 0)))
  let back = f64.sum (map2 (*) (vjp d xs rev) (unit 0))
  in and (map2 close rev fwd) && close twice back

def two [n] (op: f64 -> f64 -> f64) (ne: f64) (xs: [n]f64) : [n]f64 =
  loop x = copy xs for i < n do
    reduce_by_index x op ne [i * 3 % n, i / 2] [x[i] * x[0] * 0.5, x[n - 1 - i] + 0.3]

def repeated [n] (op: f64 -> f64 -> f64) (ne: f64) (xs: [n]f64) : [n]f64 =
  loop x = copy xs for i < n do
    let x = reduce_by_index x op ne [i, n, i, -1] [x[i] + 0.1, 9, x[0] * 0.7, 9]
    in reduce_by_index x op ne [0, i] [x[i] * 0.3, x[0] + 0.2]

def many [n] (op: f64 -> f64 -> f64) (ne: f64) (xs: [n]f64) : [n]f64 =
  loop x = copy xs for i < n do
    reduce_by_index x op ne (map (\j -> (i + j * j) % (n + 1)) (iota 6))
                    (map (\j -> 0.8 + 0.1 * x[(i + j) % n]) (iota 6))

def complex (a: f64, b: f64) (c: f64, d: f64) = (a * c - b * d, a * d + b * c)
def pairs [n] (xs: [n]f64) : [n]f64 =
  let zs = loop zs = zip xs (reverse xs) for i < n do
             reduce_by_index zs complex (1, 0) [i, 0] [(zs[0].1, 0.4), (0.9, zs[i].0 * 0.2)]
  in map (\(a, b) -> a + b) zs

def rows [n] (xs: [n]f64) : [n]f64 =
  let a = loop a = replicate 3 (copy xs) for i < 5 do
            reduce_by_index a (map2 (*)) (replicate n 1) [i % 3, (i + 1) % 3] [copy a[0], map (+ 0.1) a[2]]
  in map2 (+) a[0] a[1]

def plane [n] (xs: [n]f64) : [n]f64 =
  let a = loop a = replicate 2 (copy xs) for i < n do
            reduce_by_index_2d a (*) 1 [(i % 2, i), (0, 0)] [a[1, i] + 0.5, a[0, i]]
  in map2 (+) a[0] a[1]

def branching [n] (xs: [n]f64) : [n]f64 =
  loop x = copy xs for i < n do
    if x[i] > 1 then reduce_by_index x (*) 1 [i, 0] [x[0], 0.5 + x[i] * 0.1]
    else reduce_by_index (x with [i] = x[i] + x[0]) (+) 0 [0, i] [x[i] * x[i], 0.3 * x[0]]

def while_small [n] (xs: [n]f64) : [n]f64 =
  (loop (x, i) = (copy xs, 0) while i < n && x[0] < 50 do
     (reduce_by_index x f64.max (-1e9) [0, i] [x[i] * x[0], x[0] * 0.5], i + 1)).0

-- Outside loops nothing is carried.
def once [n] (xs: [n]f64) : [n]f64 =
  let ys = reduce_by_index (copy xs) (*) 1 [0, n - 1, 0] [xs[n - 1], xs[0], 0.5]
  in map2 (*) ys (reduce_by_index (copy ys) (+) 0 [0, 1] [ys[0], ys[n - 1] * ys[0]])

entry agree [n] (xs: [n]f64) : []bool =
  [holds (two (+) 0) xs, holds (two (*) 1) xs, holds (two f64.max (-f64.inf)) xs,
   holds (repeated (+) 0) xs, holds (repeated (*) 1) xs, holds (repeated f64.min f64.inf) xs,
   holds (many (+) 0) xs, holds (many (*) 1) xs, holds pairs xs, holds rows xs, holds plane xs,
   holds branching xs, holds while_small xs, holds once xs]
-- ==
-- entry: agree
-- input { [1.3, 0.7, 1.9, 0.4, 1.1] }
-- output { [true, true, true, true, true, true, true, true, true, true, true, true, true, true] }
-- input { [0.6] }
-- output { [true, true, true, true, true, true, true, true, true, true, true, true, true, true] }
