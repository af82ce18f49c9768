-- Loops whose arrays change size and loops of unknown length, also within each other and within
-- maps: forward and reverse mode agree, also for second derivatives.

def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)
def near (a: f64) (b: f64) = f64.abs (a - b) <= 1e-9 * (1 + f64.abs a + f64.abs b)

-- First derivatives in direction d both ways; second ones in d and e: reverse over forward, forward
-- over reverse, reverse over reverse.
def agree [n] (f: [n]f64 -> f64) (xs: [n]f64) : bool =
  let d = map (\i -> f64.cos (f64.i64 i)) (iota n)
  let e = map (\i -> f64.sin (f64.i64 (i + 1))) (iota n)
  let gradient = \ys -> vjp f ys 1
  let first = near (dot (gradient xs) d) (jvp f xs d)
  let second = dot (vjp (\ys -> jvp f ys d) xs 1) e
  in first && near second (dot (jvp gradient xs e) d)
    && near second (dot (vjp (\ys -> dot (gradient ys) d) xs 1) e)

def data (n: i64) = map (\i -> 0.3 + 0.1 * f64.i64 (i %% 7)) (iota n)

-- Twice as long in every iteration.
def doubled [n] (k: i64) (xs: [n]f64) : f64 =
  let ys = loop ys = xs for i < k do ys ++ map (\y -> f64.sin (y * f64.i64 (i + 1))) ys
  in dot ys ys

-- Half as long, until one is left.
def tree [n] (xs: [n]f64) : f64 =
  let ys = loop ys = copy xs while length ys > 1 do
             let m = length ys / 2
             in map2 (\a b -> a * b + f64.cos a) (take m ys) (drop (length ys - m) ys :> [m]f64)
  in if length ys > 0 then ys[0] else 0

-- A length that depends on the data.
def kept [n] (xs: [n]f64) : f64 =
  let (ys, _) = loop (ys, k) = (copy xs, 0) while length ys > 2 && k < 20 do
                  let mean = f64.sum ys / f64.i64 (length ys)
                  in (map (\y -> y * mean + 0.01 * y * y) (filter (<= mean) ys), k + 1)
  in f64.sum ys

-- A loop of unknown length in one whose array grows by as much.
def nested [n] (k: i64) (xs: [n]f64) : f64 =
  let ys = loop ys = xs for i < k do
             let (s, c) = loop (s, c) = (ys[0], 0) while s < 3 && c < i + 2 do (s * 1.3 + ys[c % length ys] ** 2, c + 1)
             in map (+ 0.1 * s) ys ++ replicate c (s * ys[0])
  in f64.sum (map (\y -> y * y * y) ys) * 1e-3

-- Both dimensions.
def square [n] (k: i64) (xs: [n]f64) : f64 =
  let (_rows, _cols, a) = loop (rows, cols, a) = (1, n, [xs] :> [1][n]f64) for i < k do
                            let (r, c) = if i % 2 == 0 then (rows + 1, cols) else (rows, cols + 2)
                            in (r, c, tabulate_2d r c (\p q -> f64.sin (a[p % rows, q % cols] * f64.i64 (p + q + 1)))
                              :> [r][c]f64)
  in f64.sum (map (\row -> dot row row) a)

-- Of different length for every element of a map.
def mapped [n] (xs: [n]f64) : f64 =
  f64.sum (map2 (\i x ->
    let ys = loop ys = [x] for j < i % 4 do map (* x) ys ++ [f64.exp (x * f64.i64 j)]
    let (z, _) = loop (z, k) = (x, 0) while z < 2 && k < 9 do (z * (1 + x), k + 1)
    in z * f64.sum ys) (iota n) xs)

-- Further elements at the end: always, under conditions, by an inner loop; the result is overwritten.
def appended [n] (xs: [n]f64) : f64 =
  let ys = loop ys = [1] for i < n do
             let ys = if xs[i] > 0.5 then ys ++ [f64.sin (ys[i / 2 % length ys] * xs[i])] else ys
             in loop ys for j < 2 do ys ++ [xs[i] * ys[j] * f64.sum ys]
  let ys = ys with [0] = ys[length ys - 1] * ys[0]
  in f64.sum (map (\y -> y * y) ys) * 1e-2

-- Newton's method: as many steps as it takes.
def roots [n] (xs: [n]f64) : f64 =
  f64.sum (map (\x -> loop r = 1 while f64.abs (r * r - x) > 1e-12 do 0.5 * (r + x / r)) xs)

-- ==
-- entry: e_doubled e_tree e_kept e_nested e_square e_mapped e_appended e_roots
-- input { 1i64 } output { true }
-- input { 2i64 } output { true }
-- input { 7i64 } output { true }
-- input { 20i64 } output { true }
entry e_doubled (n: i64) = agree (doubled 4) (data n)
entry e_tree (n: i64) = agree tree (data n)
entry e_kept (n: i64) = agree kept (data n)
entry e_nested (n: i64) = agree (nested 4) (data n)
entry e_square (n: i64) = agree (square 4) (data n)
entry e_mapped (n: i64) = agree mapped (data n)
entry e_appended (n: i64) = agree appended (data (n % 6))
entry e_roots (n: i64) = agree roots (data n)

-- The square root's derivative.
-- ==
-- entry: root
-- input { 4.0 } output { 0.25 }
-- input { 0.25 } output { 1.0 }
entry root (x: f64) = vjp (\x -> roots [x]) x 1
