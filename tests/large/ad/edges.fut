-- The edges of every rule: empty and single, equal and missing, ties, zeros, aliases, what is not
-- there at all.  `holds`: rows of the Jacobian by reverse mode are the columns by forward mode, and
-- both are differences; `agree`: the former alone, at kinks.  Where a choice was made the numbers
-- stand here.

def near (eps: f64) (a: f64) (b: f64) = f64.abs (a - b) <= eps * (1 + f64.abs a + f64.abs b)
def all_near [n] [m] (eps: f64) (a: [n][m]f64) (b: [n][m]f64) =
  and (map2 (\r s -> and (map2 (near eps) r s)) a b)
def unit (n: i64) (i: i64) : [n]f64 = tabulate n (\j -> f64.bool (i == j))
def columns [n] [m] (f: [n]f64 -> [m]f64) (xs: [n]f64) : [n][m]f64 = tabulate n (\i -> jvp f xs (unit n i))
def rows [n] [m] (f: [n]f64 -> [m]f64) (xs: [n]f64) : [m][n]f64 = tabulate m (\i -> vjp f xs (unit m i))
def agree [n] [m] (f: [n]f64 -> [m]f64) (xs: [n]f64) : bool =
  all_near 1e-10 (columns f xs) (transpose (rows f xs))
def holds [n] [m] (f: [n]f64 -> [m]f64) (xs: [n]f64) : bool =
  let h = 1e-6
  let moved i s = map2 (\x d -> x + s * h * d) xs (unit n i)
  let difference i = map2 (\a b -> (a - b) / (2 * h)) (f (moved i 1)) (f (moved i (-1)))
  in agree f xs && all_near 1e-6 (columns f xs) (tabulate n difference)
def total [n] (xs: [n]f64) : [1]f64 = [f64.sum (map2 (\i x -> (1 + f64.i64 i) * x) (iota n) xs)]

-- ---- scalars: denormal and infinite numbers (a seed of 0 from data, zero, times an argument that is
-- infinite is as IEEE says), -0, roundings of f16; a quotient whose divisor's square is 0 in wrapping arithmetic
-- ==
-- entry: scalars
-- input { 5e-324 0.0 } output { [5e-324, 1.0, 1.0] [5e-324, 1.0, 1.0] }
-- input { -0.0 0.0 } output { [0.0, 1.0, 1.0] [0.0, 1.0, 1.0] }
-- input { f64.inf 0.0 } output { [f64.inf, 1.0, 1.0] [f64.inf, f64.nan, 1.0] }
entry scalars (x: f64) (zero: f64) =
  let f x = [0.5 * x * x, x - 1, f64.abs x + f64.max 0 (-x) * 2]
  let g d = [d f x 0, d f x 1, 1]
  in (g (\f x i -> (jvp f x 1)[i]), g (\f x i -> vjp f x (map (+ zero) (unit 3 i))))

-- ==
-- entry: half
-- input { 1.1f16 3f16 } output { 3.63f16 3.63f16 }
entry half (x: f16) (y: f16) = (jvp (\x -> x * x * x) x (y / 3), vjp (\x -> x * x * x) x (y / 3))

-- ==
-- entry: wrapped
-- input { 3 65536 } output { [0, 0] [0, 0] }
entry wrapped (x: i32) (y: i32) =
  let f (x, y) = x / y
  let (a, b) = vjp f (x, y) 1
  in ([jvp f (x, y) (1, 0), jvp f (x, y) (0, 1)], [a, b])

-- ---- indices and slices: nothing, backwards, the same element twice
-- ==
-- entry: slices
-- input { [1.0, 2.0, 3.0, 4.0] } output { [true, true, true, true] }
-- input { [1.0] } output { [true, true, true, true] }
entry slices [n] (xs: [n]f64) =
  let nothing (xs: [n]f64) = [f64.sum (xs[0:0] :> [0]f64) + xs[n - 1]]
  let backwards (xs: [n]f64) = total (map2 (*) (reverse xs) (xs[::-1] :> [n]f64))
  let twice (xs: [n]f64) = [xs[0] * xs[0] * xs[n / 2], xs[n - 1] * xs[0]]
  let strided (xs: [n]f64) = [f64.sum (map f64.sin xs[::2]) * f64.sum (map f64.cos xs[n - 1::-2])]
  in [holds nothing xs, holds backwards xs, holds twice xs, holds strided xs]

-- An index made from a number that has a derivative carries none.
-- ==
-- entry: index_active
-- input { 2i64 [5.0, 6.0, 7.0] } output { [14.0, 4.0, 14.0, 4.0] }
entry index_active (i: i64) (xs: [3]f64) =
  let f (i: i64, xs: [3]f64) = f64.i64 i * xs[i]
  let (_, a) = vjp f (i, xs) 1
  let d = jvp f (i, xs) (0, [0, 0, 1])
  in [f (i, xs), 2 * a[2], 7 * d, a[2] + d]

-- ---- updates: what is overwritten was used; the value comes from the same array; nothing is written
-- ==
-- entry: updates
-- input { [1.5, -0.5, 2.0, 0.7] } output { [true, true, true, true, true, true, true] }
entry updates (xs: [4]f64) =
  let used (xs: [4]f64) = let a = xs[1] * xs[2] let ys = copy xs with [1] = a in map2 (*) ys xs
  let itself (xs: [4]f64) = let ys = copy xs with [2] = xs[2] * xs[2] in ys with [0] = ys[2] * ys[0]
  let same (xs: [4]f64) = let ys = copy xs in let a = ys[3] in ys with [3] = a
  let whole (xs: [4]f64) = let ys = copy xs in let zs = map f64.sin ys in ys with [:] = zs
  let empty (xs: [4]f64) = let ys = copy xs in ys with [2:2] = []
  let cell_twice (xs: [4]f64) =
    let ys = copy xs with [1] = xs[0] * xs[3]
    let a = ys[1] * ys[2]
    in ys with [1] = a
  let shifted (xs: [4]f64) = let ys = copy xs in let zs = copy ys[0:3] in ys with [1:4] = map (* 2) zs
  in [holds used xs, holds itself xs, holds same xs, holds whole xs, holds empty xs,
      holds cell_twice xs, holds shifted xs]

-- ---- consumption: in one branch, in both (of different sizes), in branches, loops, maps; of rows, of
-- what is also the result, through a transposition
-- ==
-- entry: consumption
-- input { [1.5, -0.5, 2.0, 0.7] } output { [true, true, true, true, true, true, true] }
-- input { [-1.5, 0.5, 2.0, 0.7] } output { [true, true, true, true, true, true, true] }
entry consumption (xs: [4]f64) =
  let one (xs: [4]f64) =
    let ys = map (* 2) xs
    in if xs[0] > 0 then (let a = ys[0] * ys[1] in ys with [1] = a) else map f64.sin ys
  let both (xs: [4]f64) =
    let ys = map (* 2) xs
    in if xs[0] > 0 then (let a = ys[0] * ys[1] in ys with [1] = a)
       else (let a = map (* xs[3]) ys[0:3] in ys with [1:4] = a)
  let inner (xs: [4]f64) =
    let ys = copy xs
    in if xs[0] > 0
       then (if xs[1] > 0 then ys with [0] = 1 else (let a = ys[2] * ys[3] in ys with [2] = a))
       else (let ys[1] = ys[0] * ys[3] in if xs[1] < 0 then ys with [0] = 2 else ys)
  let in_loop (xs: [4]f64) =
    loop ys = copy xs for i < 3 do
      if ys[i] > 0 then (let a = ys[i] * ys[i + 1] in ys with [i + 1] = a) else ys with [i] = ys[i] * 2
  let in_map (xs: [4]f64) =
    total (flatten (map (\x -> let ys = copy xs
                               in if x > 0 then (loop ys for i < 3 do ys with [i + 1] = ys[i] * x + ys[i + 1])
                                  else ys with [0] = x) xs))
  let row_of_map (xs: [4]f64) =
    total (flatten (map (\r -> let a = r[0] * r[1] let r = copy r in r with [0] = a)
                        (map (\x -> [x, x * x]) xs)))
  let transposed (xs: [4]f64) =
    let m = map (\x -> [x, f64.sin x]) xs
    let t = transpose m
    let t = copy t with [1, 2] = t[0, 2] * t[1, 3]
    in total (flatten t)
  in [holds one xs, holds both xs, holds inner xs, holds in_loop xs, holds in_map xs,
      holds row_of_map xs, holds transposed xs]

-- ---- constructors whose numbers have other places; arrays crosswise; a branch that is constant
type shape = #circle f64 | #box f64 f64 | #none
-- ==
-- entry: matches
-- input { [1.5, -0.5, 2.0] } output { [true, true, true] }
-- input { [-1.5, 0.5, 2.0] } output { [true, true, true] }
entry matches (xs: [3]f64) =
  let area (s: shape) = match s case #circle r -> 3 * r * r case #box a b -> a * b case #none -> 7
  let shapes (xs: [3]f64) =
    let s : shape = if xs[0] > 0 then #box xs[1] xs[2] else if xs[1] > 0 then #circle xs[2] else #none
    let t : shape = match s case #box a b -> #circle (a * b) case #circle r -> #box r xs[0] case #none -> s
    in [area s, area t]
  let crossed (xs: [3]f64) =
    let a = map f64.sin xs
    let b = map f64.cos xs
    let (c, d) = if xs[0] > 0 then (a, b) else (b, a)
    in total (map2 (\x y -> x * x * y) c d)
  let constant (xs: [3]f64) = if xs[0] > 0 then xs else [1, 2, 3]
  in [holds shapes xs, holds crossed xs, holds constant xs]

-- ---- maps: of none and one, results that are free, constant or inputs, inputs that are free too
-- ==
-- entry: maps
-- input { [1.5, -0.5, 2.0] } output { [true, true, true, true, true] }
-- input { [0.5] } output { [true, true, true, true, true] }
-- input { empty([0]f64) } output { [true, true, true, true, true] }
entry maps [n] (xs: [n]f64) =
  let free (xs: [n]f64) = let s = f64.sum xs in total (map (\_ -> s) xs)
  let constant (xs: [n]f64) = let (a, b) = unzip (map (\x -> (x, 3)) xs) in total (map2 (*) a b)
  let both (xs: [n]f64) = map (\x -> f64.sum (map (* x) xs)) xs
  let deep (xs: [n]f64) =
    total (map (\x -> f64.sum (map (\y -> f64.sum (map (\z -> x * y * f64.sin z) xs)) xs)) xs)
  let nothing_inside (xs: [n]f64) = map (\x -> x * x + f64.sum (map (* x) (take 0 xs))) xs
  in [holds free xs, holds constant xs, holds both xs, holds deep xs, holds nothing_inside xs]

-- ---- reductions: of none and one, of units, of products with zeros and numbers too small
-- ==
-- entry: reductions
-- input { [1.5, -0.5, 2.0] } output { [true, true, true, true, true, true] }
-- input { [0.5] } output { [true, true, true, true, true, true] }
-- input { empty([0]f64) } output { [true, true, true, true, true, true] }
-- input { [1.0, 1.0, 1.0] } output { [true, true, true, true, true, true] }
-- input { [0.0, 2.0, 3.0] } output { [true, true, true, true, true, true] }
-- input { [0.0, 2.0, 0.0] } output { [true, true, true, true, true, true] }
-- input { [0.0, 0.0, 0.0] } output { [true, true, true, true, true, true] }
entry reductions [n] (xs: [n]f64) =
  let products (xs: [n]f64) = [f64.product xs]
  let general (xs: [n]f64) = [reduce (\x y -> x + y + x * y) 0 xs]
  let pairs (xs: [n]f64) =
    let (a, b) = reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs (map (+ 1) xs)) in [a, b]
  let parts (xs: [n]f64) =
    let (a, b, c) = reduce (\(a, b, c) (x, y, z) -> (a + x, b * y, c + z)) (0, 1, 0) (zip3 xs xs (map f64.sin xs))
    in [a, b, c]
  let by_free (xs: [n]f64) =
    let k = f64.sum (map (* 0.1) xs) in [reduce (\x y -> x + y + k * x * y) 0 xs]
  let times (a: [2][2]f64) (b: [2][2]f64) : [2][2]f64 =
    map (\r -> map (\c -> r[0] * c[0] + r[1] * c[1]) (transpose b)) a
  let matrices (xs: [n]f64) =
    flatten (reduce times [[1, 0], [0, 1]] (map (\x -> [[x, 1], [0.1, x]]) xs))
  in [holds products xs, holds general xs, holds pairs xs, holds parts xs, holds by_free xs,
      holds matrices xs]

-- Ties go to the first, at the ends too; a product of -0 and of numbers that vanish.
-- ==
-- entry: ties
-- input { [7.0, 3.0, 7.0] } output { [1.0, 0.0, 0.0] [0.0, 1.0, 0.0] }
-- input { [3.0, 3.0, 3.0] } output { [1.0, 0.0, 0.0] [1.0, 0.0, 0.0] }
-- input { [1.0, 7.0, 7.0] } output { [0.0, 1.0, 0.0] [1.0, 0.0, 0.0] }
entry ties [n] (xs: [n]f64) = (vjp f64.maximum xs 1, vjp f64.minimum xs 1)
-- ==
-- entry: products
-- input { [1e-300, 1e-300, 1.0] } output { [1e-300, 1e-300, 0.0] }
-- input { [-0.0, 2.0, 3.0] } output { [6.0, 0.0, 0.0] }
entry products [n] (xs: [n]f64) = vjp f64.product xs 1

-- ---- scans: the same, and seeds at one place only
-- ==
-- entry: scans
-- input { [1.5, -0.5, 2.0] } output { [true, true, true, true, true, true, true] }
-- input { [0.5, 2.0] } output { [true, true, true, true, true, true, true] }
-- input { [0.5] } output { [true, true, true, true, true, true, true] }
-- input { empty([0]f64) } output { [true, true, true, true, true, true, true] }
-- input { [0.0, 2.0, 0.0] } output { [true, true, true, true, true, true, true] }
entry scans [n] (xs: [n]f64) =
  let sums (xs: [n]f64) = scan (+) 0 xs
  let products (xs: [n]f64) = scan (*) 1 xs
  let general (xs: [n]f64) = scan (\x y -> x + y + x * y) 0 xs
  let by_free (xs: [n]f64) =
    let k = f64.sum (map (* 0.1) xs) in scan (\x y -> x + y + k * x * y) 0 xs
  let linear (xs: [n]f64) =
    let (a, b) = unzip (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs (map (+ 1) xs)))
    in map2 (+) a b
  -- Two recurrences of one matrix, and of two.
  let equal (xs: [n]f64) =
    let s = scan (\(a, b, c) (d, e, f) -> (a * d, b * d + e, c * d + f)) (1, 0, 0) (zip3 xs (reverse xs) xs)
    in map (\(a, b, c) -> a + b * c) s
  let unequal (xs: [n]f64) =
    let s = scan (\(a, b, c, d) (e, f, g, h) -> (a * e, b * e + f, c * g, d * g + h)) (1, 0, 1, 0)
                 (map2 (\x y -> (x, y, y, x)) xs (reverse xs))
    in map (\(a, b, c, d) -> a * b + c * d) s
  in [holds sums xs, holds products xs, holds general xs, holds by_free xs, holds linear xs,
      holds equal xs, holds unequal xs]

-- ---- histograms: no bins, no values, all out of range, negative, one bin, empty bins, zeros in a bin
-- ==
-- entry: histograms
-- input { 3i64 [0i64, 2i64, 0i64, 7i64, -1i64] [1.0, 2.0, 3.0, 4.0, 5.0] } output { [true, true, true, true, true, true] }
-- input { 3i64 [9i64, 9i64, -3i64] [1.0, 2.0, 3.0] } output { [true, true, true, true, true, true] }
-- input { 1i64 [0i64, 0i64, 0i64] [1.0, 2.0, 3.0] } output { [true, true, true, true, true, true] }
-- input { 0i64 [0i64, 1i64] [1.0, 2.0] } output { [true, true, true, true, true, true] }
-- input { 2i64 empty([0]i64) empty([0]f64) } output { [true, true, true, true, true, true] }
-- input { 2i64 [0i64, 0i64, 1i64, 1i64] [0.0, 0.0, 0.0, 5.0] } output { [true, true, true, true, true, true] }
entry histograms [n] (k: i64) (is: [n]i64) (vs: [n]f64) =
  let dst (vs: [n]f64) : *[k]f64 = tabulate k (\i -> 2.5 + f64.i64 i + f64.sum vs)
  let sums (vs: [n]f64) = reduce_by_index (dst vs) (+) 0 is (map f64.sin vs)
  let products (vs: [n]f64) = reduce_by_index (dst vs) (*) 1 is vs
  let largest (vs: [n]f64) = reduce_by_index (dst vs) f64.max (-f64.inf) is vs
  let general (vs: [n]f64) = reduce_by_index (dst vs) (\x y -> x + y + 0.1 * x * y) 0 is vs
  let vectors (vs: [n]f64) =
    flatten (reduce_by_index (map (\x -> [x, 1]) (dst vs)) (map2 (+)) [0, 0] is (map (\v -> [v, v * v]) vs))
  -- The destination is used before and afterwards.
  let used (vs: [n]f64) =
    let d = dst vs
    let h = reduce_by_index (copy d) (+) 0 is vs
    in map2 (*) h d
  in [holds sums vs, holds products vs, holds largest vs, holds general vs, holds vectors vs, holds used vs]

-- Two dimensions of bins; several operators over the same values; the destination wins ties.
-- ==
-- entry: histograms_more
-- input { [0i64, 1i64, 1i64, 5i64] [2i64, 0i64, 0i64, 0i64] [1.5, 2.0, -3.0, 4.0] } output { [true, true] [1.0, 0.0, 0.0] [0.0, 1.0, 0.0] }
entry histograms_more [n] (is: [n]i64) (js: [n]i64) (vs: [n]f64) =
  let plane (vs: [n]f64) =
    flatten (reduce_by_index_2d (replicate 2 (replicate 3 (f64.sum vs))) (+) 0 (zip is js) (map f64.sin vs))
  let several (vs: [n]f64) =
    let h = reduce_by_index (replicate 2 (1, 1)) (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) is (zip vs vs)
    in map (\(a, b) -> a * b) h
  let most (d: [1]f64, vs: [2]f64) = (reduce_by_index (copy d) f64.max (-f64.inf) [0i64, 0] vs)[0]
  let at d = let (a, b) = vjp most ([d], [3, 3]) 1 in [a[0], b[0], b[1]]
  in ([holds plane vs, holds several vs], at 3, at 0)

-- ---- scatters: out of range, negative, equal places with equal and other values, more values than
-- places, rows, into a replicate, consumed again
-- ==
-- entry: scatters
-- input { [3i64, -1i64, 1i64, 9i64] [1.5, 2.0, -3.0, 4.0] } output { [true, true, true, true] }
-- input { [1i64, 1i64, 1i64, 0i64] [1.5, 2.0, -3.0, 4.0] } output { [true, true, true, true] }
-- input { [1i64, 1i64, 1i64, 0i64] [2.0, 2.0, 2.0, 2.0] } output { [true, true, true, true] }
entry scatters [n] (is: [n]i64) (vs: [n]f64) =
  let plain (vs: [n]f64) = scatter (map (* 2) vs) is (map f64.sin vs)
  let few (vs: [n]f64) = scatter (replicate 2 (f64.sum vs)) is vs
  let of_rows (vs: [n]f64) =
    flatten (scatter (replicate 3 (replicate 2 vs[0])) is (map (\v -> [v, v * v]) vs))
  let again (vs: [n]f64) =
    let a = scatter (replicate 4 0) is vs
    let b = map (* 3) a
    in map2 (+) b (scatter a (map (\i -> (i + 1) %% 4) is) (map f64.cos vs))
  in [holds plain vs, holds few vs, holds of_rows vs, holds again vs]

-- ---- loops: no and one iteration, parameters that change places, are never used or stay, begin
-- alike, end as constants; counters of other types; what only the last iteration reads
-- ==
-- entry: loops
-- input { 0i64 [1.5, -0.5, 2.0] } output { [true, true, true, true, true, true, true] }
-- input { 1i64 [1.5, -0.5, 2.0] } output { [true, true, true, true, true, true, true] }
-- input { 3i64 [1.5, -0.5, 2.0] } output { [true, true, true, true, true, true, true] }
entry loops (n: i64) (xs: [3]f64) =
  let swapped (xs: [3]f64) =
    let (a, b) = loop (a, b) = (xs[0], xs[1]) for _i < n do (b, a * xs[2]) in [a, b]
  let unused (xs: [3]f64) =
    let (a, _, c) = loop (a, b, c) = (xs[0], xs[1], xs[2]) for _i < n do (a * a, b + 1, c) in [a, c]
  let alike (xs: [3]f64) =
    let (a, b) = loop (a, b) = (copy xs, copy xs) for i < n do
      (let v = a[0] * b[i % 3] in a with [i % 3] = v, let w = b[1] + 1 in b with [1] = w)
    in map2 (*) a b
  let constant (xs: [3]f64) = let (a, b) = loop (a, b) = (xs[0], xs[1]) for _i < n do (1, a * b) in [a, b]
  let nested (xs: [3]f64) =
    [loop a = xs[0] for i < n do (loop b = a for j < i do b * xs[j % 3] + 0.1 * a)]
  let counters (xs: [3]f64) =
    let a = loop a = xs[0] for i < i8.i64 n do a * xs[1] + f64.i8 i
    let b = loop b = a for i < u16.i64 n do b * xs[2] + f64.u16 i
    in [loop c = b for i < i32.i64 n do c * xs[0] + f64.i32 i]
  let last (xs: [3]f64) = [loop a = xs[0] for i < n do if i == n - 1 then a * xs[2] else a + 1]
  in [holds swapped xs, holds unused xs, holds alike xs, holds constant xs, holds nested xs,
      holds counters xs, holds last xs]

-- The bound is a number that has a derivative; it gets none.
-- ==
-- entry: bound_active
-- input { 3i64 2.0 } output { 12.0 0.0 12.0 }
entry bound_active (n: i64) (x: f64) =
  let f (n: i64, x: f64) = loop a = 1 for _i < n do a * x
  let (m, d) = vjp f (n, x) 1
  in (d, f64.i64 m, jvp f (n, x) (1, 1))

-- ---- while: never entered, by a number that has a derivative; with bounds that are exact, large, or
-- too small, which is no error here: trips are counted
-- ==
-- entry: whiles
-- input { [1.5, 2.5] } output { [true, true, true, true] }
-- input { [200.0, 2.5] } output { [true, true, true, true] }
entry whiles (xs: [2]f64) =
  let plain (xs: [2]f64) = [loop a = xs[0] while a < 100 do a * xs[1]]
  let exact (xs: [2]f64) = [(#[bound(3)] loop (a, i) = (xs[0], 0i64) while i < 3 do (a * xs[1], i + 1)).0]
  let large (xs: [2]f64) = [#[bound(50)] loop a = xs[0] while a < 100 do a * xs[1]]
  let small (xs: [2]f64) = [#[bound(1)] loop a = xs[0] while a < 100 do a * xs[1]]
  in [holds plain xs, holds exact xs, holds large xs, holds small xs]

-- ---- arrays whose size loops change: to nothing, growing, one and the other
-- ==
-- entry: shapes
-- input { [1.5, -0.5, 2.0, 0.7] } output { [true, true, true] }
entry shapes (xs: [4]f64) =
  let shrinking (xs: [4]f64) =
    let (_, s) = loop (ys: []f64, s) = (copy xs, 0) for _i < 4i64 do
      (map (* xs[0]) (drop 1 ys), s + f64.sum ys * ys[0])
    in [s]
  let growing (xs: [4]f64) =
    let ys = loop (ys: []f64) = copy xs for i < 3i64 do ys ++ [ys[i] * ys[length ys - 1]]
    in [f64.sum (map f64.sin ys)]
  let alternating (xs: [4]f64) =
    let ys = loop (ys: []f64) = copy xs for i < 4i64 do
      if i % 2 == 0 then map (* ys[0]) ys ++ [xs[i]] else drop 2 ys
    in [f64.sum (map f64.sin ys)]
  in [holds shrinking xs, holds growing xs, holds alternating xs]

-- ---- accumulators: no update, out of range, of rows, overwritten and then read; twice differentiated
-- ==
-- entry: accumulators
-- input { [0i64, 2i64, 2i64, 7i64] [1.5, -0.5, 2.0, 0.7] } output { [true, true, true] }
-- input { [-1i64, 9i64, 9i64, 7i64] [1.5, -0.5, 2.0, 0.7] } output { [true, true, true] }
entry accumulators (is: [4]i64) (vs: [4]f64) =
  let gathered (vs: [4]f64) = map (\i -> if i >= 0 && i < 4 then vs[i] * vs[0] else vs[1]) is
  let of_rows (vs: [4]f64) =
    let m = map (\v -> [v, v * v]) vs
    in flatten (map (\i -> if i >= 0 && i < 4 then m[i] else [1, 2]) is)
  let again (vs: [4]f64) = vjp gathered vs (map f64.sin vs)
  in [holds gathered vs, holds of_rows vs, holds again vs]

-- ---- integers and bool: functions of integers alone, bool in and out, i64 to f64 and back
-- ==
-- entry: integers
-- input { 3i64 5i64 } output { [11i64, 3i64] [11i64, 3i64] [false, false] 6i64 }
entry integers (x: i64) (y: i64) =
  let f (x, y) = x * y + x * x
  let (a, b) = vjp f (x, y) 1
  let positive (x: f64, c: bool) = c && x > 0
  let (_, c) = vjp positive (2.0, true) false
  let there (x: i64) = i64.f64 (f64.i64 x * f64.i64 x)
  in ([jvp f (x, y) (1, 0), jvp f (x, y) (0, 1)], [a, b],
      [c, jvp positive (2.0, true) (1.0, false)], vjp there x 1)

-- ---- rules of the user's: in maps, loops, under several seeds, one in another; no derivative outside
-- ==
-- entry: rules
-- input { [1.5, 0.5, 2.0] } output { [true, true, true, true] [3.375, 0.125, 8.0] }
entry rules (xs: [3]f64) =
  let cube x = with_vjp (\x -> x * x * x) (\_ g -> 3 * x * x * g) x
  let taped x = (with_vjp (\x -> (x * x * x, x)) (\(_, x) (g, _) -> 3 * x * x * g) x).0
  let inner x = with_vjp (\x -> cube x * x) (\_ g -> 4 * cube x * g) x
  let in_loop (xs: [3]f64) = [loop a = xs[0] for i < 3 do cube a * xs[i]]
  in ([holds (map taped) xs, holds in_loop xs, holds (map inner) xs,
       all_near 1e-9 (copy (mjp (map taped) xs (tabulate 3 (unit 3)))) (rows (map (\x -> x * x * x)) xs)],
      map cube xs)

-- ---- what is not a number, or infinite, stays where it is used
-- ==
-- entry: not_numbers
-- input { [1.0, f64.nan, 3.0] } output { [3.0, 0.0, 1.0] [3.0, 0.0, 1.0] }
-- input { [1.0, f64.inf, 3.0] } output { [3.0, 0.0, 1.0] [3.0, 0.0, 1.0] }
entry not_numbers (xs: [3]f64) =
  let f (xs: [3]f64) =
    let ys = map (\x -> if x < 10 then x else 1) xs
    let ys[1] = 1
    in ys[0] * ys[1] * ys[2]
  in (vjp f xs 1, tabulate 3 (\i -> jvp f xs (unit 3 i)))

-- ---- one variable as two results; adjoints that two arrays share, one of which is updated; what is
-- consumed and was read before; a result that is an argument
-- ==
-- entry: shared
-- input { [1.5, -0.5, 2.0] } output { [true, true, true, true] }
entry shared (xs: [3]f64) =
  let twice (xs: [3]f64) = let ys = map f64.sin xs in (ys, ys)
  let results (xs: [3]f64) = let (a, b) = twice xs in a ++ b
  let updated (xs: [3]f64) =
    let ys = map f64.sin xs
    let zs = copy ys with [1] = ys[0] * ys[2]
    in map2 (*) ys xs ++ zs
  let read (xs: [3]f64) =
    let ys = map f64.sin xs
    let s = f64.sum (map2 (*) ys xs)
    let zs = loop ys for i < 2 do ys with [i + 1] = ys[i] * ys[i + 1] * s
    in zs ++ [s]
  in [holds results xs, holds updated xs, holds read xs, holds (\xs -> xs) xs]

-- ---- gradients of every special rule, differentiated again, at zeros too
def gradient [n] [m] (f: [n]f64 -> [m]f64) (xs: [n]f64) : [n]f64 = vjp f xs (tabulate m (\i -> 1 + f64.i64 i))
-- ==
-- entry: second
-- input { [1.5, -0.5, 2.0] } output { [true, true, true, true, true, true, true, true] }
-- input { [1.5, 0.0, 2.0] } output { [true, true, true, true, true, true, true, true] }
-- input { [0.0, 0.0, 2.0] } output { [true, true, true, true, true, true, true, true] }
entry second [n] (xs: [n]f64) =
  let products (xs: [n]f64) = [f64.product xs]
  let largest (xs: [n]f64) = [f64.maximum (map (\x -> x * x * x) xs)]
  let general (xs: [n]f64) = [reduce (\x y -> x + y + x * y) 0 xs]
  let bins op ne (xs: [n]f64) =
    reduce_by_index (replicate 2 2) op ne (map (% 2) (iota n)) (map2 (*) xs (reverse xs))
  let scanned (xs: [n]f64) = scan (*) 1 (map f64.sin xs)
  let updates (xs: [n]f64) =
    loop ys = copy xs for i < 4 do
      if ys[i % 3] > 0.1 then (let v = ys[(i + 1) % 3] * xs[i % 3] in ys with [i % 3] = v) else ys
  let whiles (xs: [n]f64) = [loop a = xs[2] while a < 50 do a * a * (1 + xs[0])]
  in [holds (gradient products) xs, holds (gradient largest) xs, holds (gradient general) xs,
      holds (gradient (bins (*) 1)) xs, holds (gradient (bins (\x y -> x + y + x * y) 0)) xs,
      holds (gradient scanned) xs, holds (gradient updates) xs, holds (gradient whiles) xs]
