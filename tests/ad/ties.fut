-- Equal operands of min and max share equally, in both modes and in every form; where min or max is
-- the operator of a reduction, scan or histogram the first of equal elements gets all.
def unit [n] (_: [n]f64) (i: i64) : [n]f64 = tabulate n (\j -> f64.bool (i == j))
def both [n] (f: [n]f64 -> f64) (xs: [n]f64) : ([n]f64, [n]f64) =
  (vjp f xs 1, tabulate n (\i -> jvp f xs (unit xs i)))

-- log-add-exp is smooth: whatever its max does at ties, the whole must come out right.
-- ==
-- entry: lae_reduce lae_columns lae_loop lae_scan lae_bins
-- input { [0.0, 0.0, 0.0, 0.0] } output { [0.25, 0.25, 0.25, 0.25] [0.25, 0.25, 0.25, 0.25] }
-- input { [2.0, 2.0] } output { [0.5, 0.5] [0.5, 0.5] }
def lae (a: f64) (b: f64) = f64.max a b + f64.log1p (f64.exp (-(f64.abs (a - b))))
entry lae_reduce [n] (xs: [n]f64) = both (reduce lae (-1e300)) xs
entry lae_columns [n] (xs: [n]f64) =
  both (\xs -> (reduce (map2 lae) [-1e300, 0] (map (\x -> [x, 1]) xs))[0]) xs
entry lae_loop [n] (xs: [n]f64) = both (\xs -> loop s = xs[0] for i in 1..<n do lae s xs[i]) xs
entry lae_scan [n] (xs: [n]f64) = both (\xs -> last (scan lae (-1e300) xs)) xs
entry lae_bins [n] (xs: [n]f64) =
  both (\xs -> (reduce_by_index [-1e300] lae (-1e300) (replicate n 0) xs)[0]) xs

-- ==
-- entry: first_reduce first_columns first_one_column first_scan first_bins first_rows first_beside first_least
-- input { [3.0, 5.0, 5.0, 1.0, 5.0] }
-- output { [0.0, 1.0, 0.0, 0.0, 0.0] [0.0, 1.0, 0.0, 0.0, 0.0] }
entry first_reduce [n] (xs: [n]f64) = both f64.maximum xs
entry first_columns [n] (xs: [n]f64) =
  both (\xs -> (reduce (map2 f64.max) [-f64.inf, 0] (map (\x -> [x, 1]) xs))[0]) xs
entry first_one_column [n] (xs: [n]f64) =
  both (\xs -> (reduce (map2 f64.max) [-f64.inf] (map (\x -> [x]) xs))[0]) xs
entry first_scan [n] (xs: [n]f64) = both (\xs -> last (scan f64.max (-f64.inf) xs)) xs
entry first_bins [n] (xs: [n]f64) =
  both (\xs -> (reduce_by_index [-f64.inf] f64.max (-f64.inf) (replicate n 0) xs)[0]) xs
entry first_rows [n] (xs: [n]f64) =
  let bins = [[-f64.inf, 0]]
  in both (\xs -> (reduce_by_index (copy bins) (map2 f64.max) [-f64.inf, 0] (replicate n 0)
                                   (map (\x -> [x, 1]) xs))[0, 0]) xs
entry first_beside [n] (xs: [n]f64) =
  both (\xs -> (reduce (\(a, b) (c, d) -> (f64.max a c, b + d * a)) (-f64.inf, 0)
                       (map (\x -> (x, 0)) xs)).0) xs
entry first_least [n] (xs: [n]f64) = both (\xs -> f64.minimum (map f64.neg xs) |> f64.neg) xs

-- A histogram in a loop is taken apart before it is differentiated; the bin itself comes first.
-- ==
-- entry: first_in_loop
-- input { [3.0, 5.0, 5.0, 1.0, 5.0] }
-- output { [0.0, 1.0, 0.0, 0.0, 0.0] [0.0, 1.0, 0.0, 0.0, 0.0] }
entry first_in_loop [n] (xs: [n]f64) =
  let f (xs: [n]f64) = (loop bins = [-f64.inf, 0] for x in xs do
                          reduce_by_index bins f64.max (-f64.inf) [0, 0] [x, 0.5 * x])[0]
  in both f xs

-- ==
-- entry: fold
-- input { [3.0, 5.0, 5.0, 5.0] } output { [0.0, 0.25, 0.25, 0.5] [0.0, 0.25, 0.25, 0.5] }
entry fold [n] (xs: [n]f64) = both (\xs -> loop s = xs[0] for i in 1..<n do f64.max s xs[i]) xs

-- Several directions at once.
-- ==
-- entry: vectors
-- input { [2.0, 2.0] } output { [[0.5, 1.0], [0.5, 0.0]] [[0.5, 0.5], [1.0, 0.0]] }
entry vectors (xs: [2]f64) =
  let f (xs: [2]f64) = [f64.max xs[0] xs[1], f64.maximum xs]
  in (jmp f xs [[1, 0], [0, 1]], mjp f xs [[1, 0], [0, 1]])

-- Other types; of equal integers the first has all.
-- ==
-- entry: types
-- input { 3i32 } output { 0.5f32 0.5f32 0.5f32 1i32 0i32 }
entry types (k: i32) =
  let h = f16.i32 k
  let s = f32.i32 k
  in (f32.f16 (vjp (f16.max h) h 1), jvp (\s -> f32.min s 3) s 1, vjp (\s -> f32.min s 3) s 1,
      vjp (\k -> i32.max k 3) k 1, vjp (i32.max 3) k 1)

-- The shares are constants: all nestings of second derivatives of max(x, y) * x * y.
-- ==
-- entry: second
-- input { 2.0 2.0 }
-- output { [[2.0, 4.0], [4.0, 2.0]] [[2.0, 4.0], [4.0, 2.0]]
--          [[2.0, 4.0], [4.0, 2.0]] [[2.0, 4.0], [4.0, 2.0]] }
-- input { 3.0 2.0 }
-- output { [[4.0, 6.0], [6.0, 0.0]] [[4.0, 6.0], [6.0, 0.0]]
--          [[4.0, 6.0], [6.0, 0.0]] [[4.0, 6.0], [6.0, 0.0]] }
def hessians (f: (f64, f64) -> f64) (p: (f64, f64)) =
  let rows (g: (f64, f64) -> (f64, f64)) : [2][2]f64 =
    let (a, b) = g (1, 0)
    let (c, d) = g (0, 1)
    in [[a, b], [c, d]]
  let grad p = vjp f p 1
  let along p d = jvp f p d
  in (rows (\d -> jvp grad p d), rows (\d -> vjp grad p d), rows (\d -> vjp (\p -> along p d) p 1),
      rows (\d -> (jvp (\p -> along p d) p (1, 0), jvp (\p -> along p d) p (0, 1))))
entry second (x: f64) (y: f64) = hessians (\(x, y) -> f64.max x y * x * y) (x, y)

-- x ** y for x <= 0, where y has no derivative: none of any order.  atan2 at the origin likewise.
-- ==
-- entry: powers_second
-- input { -1.0 2.0 } output { [[2.0, 0.0], [0.0, 0.0]] true }
-- input { 0.0 1.0 } output { [[0.0, 0.0], [0.0, 0.0]] true }
-- input { 0.0 2.0 } output { [[2.0, 0.0], [0.0, 0.0]] true }
-- input { 2.0 0.0 } output { [[0.0, 0.5], [0.5, 0.4804530139182014]] true }
-- input { -2.0 3.0 } output { [[-12.0, 0.0], [0.0, 0.0]] true }
-- ==
-- entry: angles_second
-- input { 0.0 0.0 } output { [[0.0, 0.0], [0.0, 0.0]] true }
-- input { 0.0 2.0 } output { [[0.0, -0.25], [-0.25, 0.0]] true }
def agreed f p : ([2][2]f64, bool) =
  let (a, b, c, d) = hessians f p
  let same (x: [2][2]f64) = f64.maximum (map2 (\x y -> f64.abs (x - y)) (flatten a) (flatten x)) < 1e-14
  in (a, same b && same c && same d)
entry powers_second (x: f64) (y: f64) = agreed (\(x, y) -> x ** y) (x, y)
entry angles_second (x: f64) (y: f64) = agreed (\(x, y) -> f64.atan2 x y) (x, y)

-- The third derivative of x ** y where y varies too, and that of integers.
-- ==
-- entry: powers_third
-- input { -2.0 3.0 } output { [6.0, 0.0, 0.0, 0.0] }
-- input { 0.0 3.0 } output { [6.0, 0.0, 0.0, 0.0] }
-- input { 1.0 2.0 } output { [0.0, 3.0, 0.0, 0.0] }
-- ==
-- entry: powers_integers
-- input { 3i32 2i32 } output { [2i32, 0i32, 0i32] }
entry powers_third (x: f64) (y: f64) =
  let d (i: i64) (f: (f64, f64) -> f64) p = jvp f p (if i == 0 then (1, 0) else (0, 1))
  let f (x, y) = x ** y
  in [d 0 (d 0 (d 0 f)) (x, y), d 0 (d 0 (d 1 f)) (x, y), d 0 (d 1 (d 1 f)) (x, y),
      d 1 (d 1 (d 1 f)) (x, y)]
entry powers_integers (x: i32) (y: i32) =
  let f (x, y) : i32 = x ** y
  in [jvp (\p -> (vjp f p 1).0) (x, y) (1, 0), jvp (\p -> (vjp f p 1).0) (x, y) (0, 1),
      (vjp (\p -> jvp f p (1, 0)) (x, y) 1).1]

-- Smooth functions written with max and abs have their derivatives where the two meet; so logistic
-- regression starts from zero weights with the right gradient.
-- ==
-- entry: softplus_met
-- input { 0.0 } output { [0.5, 0.5, 0.5, 0.5] }
-- input { 1.0 }
-- output { [0.7310585786300049, 0.7310585786300049, 0.7310585786300049, 0.7310585786300049] }
-- ==
-- entry: logistic_start
-- input { [[1.0, 2.0], [3.0, -1.0]] [1.0, 0.0] [0.0, 0.0] } output { [1.0, -1.5] [1.0, -1.5] }
-- ==
-- entry: nothing_larger
-- input { [-f64.inf, -f64.inf] } output { [0.0, 0.0] [0.0, 0.0] }
def softplus (x: f64) = f64.max x 0 + f64.log1p (f64.exp (-(f64.abs x)))
def softplus_min (x: f64) = f64.log1p (f64.exp (-(f64.abs x))) - f64.min 0 (-x)
entry softplus_met (x: f64) =
  [vjp softplus x 1, jvp softplus x 1, vjp softplus_min x 1, jvp softplus_min x 1]
entry logistic_start [n] [d] (a: [n][d]f64) (y: [n]f64) (w: [d]f64) =
  both (\w -> f64.sum (map2 (\r y -> let z = f64.sum (map2 (*) r w) in softplus z - y * z) a y)) w
entry nothing_larger [n] (xs: [n]f64) = both f64.maximum xs
