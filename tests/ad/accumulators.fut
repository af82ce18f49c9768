-- Adjoints that reverse mode accumulates and the optimiser turns into arrays of sums
-- (opt/accgather.c), in matrix products written every way.  Judged by <u, jvp f x v> = <vjp f x u, v>, in small whole
-- numbers, so exactly.
def m (a: i64) (n: i64) (k: i64) : [n][k]f64 =
  tabulate_2d n k (\i j -> f64.i64 ((a + 3 * i + 5 * j + i * j) %% 7 - 3))
def row (a: i64) (n: i64) : [n]f64 = (m a 1 n)[0]
def dot [n] (x: [n]f64) (y: [n]f64) = f64.sum (map2 (*) x y)
def dots [n] [k] (x: [n][k]f64) (y: [n][k]f64) = f64.sum (map2 dot x y)

def product [n] [k] [l] (a: [n][k]f64) (b: [k][l]f64) : [n][l]f64 =
  map (\r -> map (dot r) (transpose b)) a

-- ==
-- entry: products
-- input { 3i64 4i64 5i64 } output { true true true true }
-- input { 1i64 7i64 2i64 } output { true true true true }
entry products (n: i64) (k: i64) (l: i64) : (bool, bool, bool, bool) =
  let u = m 5 n l
  let check [p] [q] [r] [s] (f: ([p][q]f64, [r][s]f64) -> [n][l]f64) =
    let (x, v) = ((m 1 p q, m 2 r s), (m 3 p q, m 4 r s))
    let (da, db) = vjp f x u
    in dots u (jvp f x v) == dots da v.0 + dots db v.1
  in (check (\(a: [n][k]f64, b: [k][l]f64) -> product a b),
      check (\(a: [n][k]f64, b: [l][k]f64) -> product a (transpose b)),
      check (\(a: [k][n]f64, b: [k][l]f64) -> product (transpose a) b),
      check (\(a: [k][n]f64, b: [l][k]f64) -> product (transpose a) (transpose b)))

-- A matrix times a vector, either way, and the weights of a convolution.
-- ==
-- entry: vectors
-- input { 3i64 4i64 } output { true true true }
-- input { 9i64 1i64 } output { true true true }
entry vectors (n: i64) (k: i64) : (bool, bool, bool) =
  let u = row 5 n
  let times (a: [n][k]f64, b: [1][k]f64) = map (\r -> dot r b[0]) a
  let turned (a: [k][n]f64, b: [1][k]f64) = map (\r -> dot r b[0]) (transpose a)
  let conv (a: [n][1]f64, w: [1][k]f64) =
    tabulate n (\i -> f64.sum (tabulate k (\j -> a[(i + j) %% n, 0] * w[0, j])))
  let check [p] [q] [s] (f: ([p][q]f64, [1][s]f64) -> [n]f64) =
    let (x, v) = ((m 1 p q, m 2 1 s), (m 3 p q, m 4 1 s))
    let (da, db) = vjp f x u
    in dot u (jvp f x v) == dots da v.0 + dots db v.1
  in (check times, check turned, check conv)

-- Layers: what is added comes from a sum, so the map that computes it and the maps that add are taken
-- apart (opt/accfission.c).  In `hidden` a row is added up again where it was made; more than 32 points
-- run side by side.
def layer [n] [k] (w: [k][n]f64) (b: [k]f64) (x: [n]f64) : [k]f64 =
  map2 (\r b -> let y = dot r x + b in y * y) w b

-- ==
-- entry: layers
-- input { 3i64 4i64 5i64 } output { true true true true }
-- input { 40i64 2i64 3i64 } output { true true true true }
-- input { 35i64 18i64 17i64 } output { true true true true }
-- input { 1i64 1i64 1i64 } output { true true true true }
-- input { 0i64 2i64 3i64 } output { true true true true }
-- input { 2i64 0i64 3i64 } output { true true true true }
-- input { 2i64 3i64 0i64 } output { true true true true }
entry layers (n: i64) (k: i64) (l: i64) : (bool, bool, bool, bool) =
  let at a : ([n][k]f64, [l][k]f64, [l]f64) = (m a n k, m (a + 1) l k, row (a + 2) l)
  let pair (x: ([n][k]f64, [l][k]f64, [l]f64)) (y: ([n][k]f64, [l][k]f64, [l]f64)) =
    dots x.0 y.0 + dots x.1 y.1 + dot x.2 y.2
  let check [p] [q] (f: ([n][k]f64, [l][k]f64, [l]f64) -> [p][q]f64) =
    let u = m 5 p q
    in dots u (jvp f (at 1) (at 3)) == pair (vjp f (at 1) u) (at 3)
  let hidden (x, w, b) =
    map (\x -> let h = layer w b x in map (\c -> dot c h) (transpose w)) x
  let twice (x, w, b) =
    map (\x -> let h = layer w b x
               in map3 (\h r b -> h * b + dot r x * h) h w b) x
  let steps (x, w, b) =
    loop h = x for _i < 2 do
      map (\h -> let y = map2 (\r b -> f64.max 0 (dot r h + b)) w b
                 in map2 (\c h -> dot c y + h) (transpose w) h) h
  in (check (\(x, w, b) -> map (layer w b) x), check hidden, check twice, check steps)

-- Pairs: either point of a pair gets its share in one array, one in every iteration of the inner map,
-- the other the sum over them.
-- ==
-- entry: pairs
-- input { 40i64 } output { true }
-- input { 3i64 } output { true }
-- input { 1i64 } output { true }
-- input { 0i64 } output { true }
entry pairs (n: i64) : bool =
  let f (x: [n][3]f64) =
    f64.sum (map (\p -> f64.sum (map (\q -> let d = map2 (-) q p in dot d d * (1 + p[0])) x)) x)
  let (x, v) = (m 1 n 3, m 3 n 3)
  in jvp f x v == dots (vjp f x 1) v

-- Layers behind layers, keys with values, an iteration that counts: private sums and sums of rows.
-- ==
-- entry: blocks
-- input { 70i64 3i64 700i64 2i64 } output { true true true }
-- input { 100i64 3i64 6i64 5i64 } output { true true true }
-- input { 3i64 4i64 2i64 5i64 } output { true true true }
-- input { 1i64 1i64 1i64 1i64 } output { true true true }
-- input { 0i64 2i64 3i64 4i64 } output { true true true }
-- input { 5i64 0i64 3i64 4i64 } output { true true true }
-- input { 5i64 2i64 0i64 4i64 } output { true true true }
-- input { 5i64 2i64 3i64 0i64 } output { true true true }
entry blocks (b: i64) (n: i64) (h: i64) (k: i64) : (bool, bool, bool) =
  let at a : ([b][n]f64, [h][n]f64, [k][h]f64) = (m a b n, m (a + 1) h n, m (a + 2) k h)
  let pair (x: ([b][n]f64, [h][n]f64, [k][h]f64)) (y: ([b][n]f64, [h][n]f64, [k][h]f64)) =
    dots x.0 y.0 + dots x.1 y.1 + dots x.2 y.2
  let check [p] [q] (f: ([b][n]f64, [h][n]f64, [k][h]f64) -> [p][q]f64) =
    let u = m 5 p q
    in dots u (jvp f (at 1) (at 3)) == pair (vjp f (at 1) u) (at 3)
  let mixed (x, w, v) =
    map (\x -> let y = map (\r -> let y = dot r x in y * y) w in map (dot y) v) x
  let keys (x, w, v: [k][h]f64) =
    map (\x -> let y = map (dot x) w
               let most = f64.maximum (map (+ 1) y ++ [0])
               in map (\c -> dot (map (\y -> (y - most) * y) y) c) v) x
  let counted (x: [b][n]f64, w, v: [k][h]f64) =
    tabulate b (\i -> let y = map (\r -> let y = dot r x[i] in y * y) w
                      in map (\c -> f64.i64 (i % 3) * dot y c) v)
  in (check mixed, check keys, check counted)

-- Images through channels: the maps with a row are two deep.
-- ==
-- entry: images
-- input { 40i64 3i64 4i64 2i64 } output { true }
-- input { 2i64 1i64 3i64 5i64 } output { true }
entry images (b: i64) (n: i64) (h: i64) (k: i64) : bool =
  let f (x: [b][n]f64, w: [h][n]f64) =
    map (\x -> f64.sum (flatten (map (\r -> map (\c -> let y = dot r x * dot c x in y * y) w) w))
               + f64.i64 k) x
  let (x, v, u) = ((m 1 b n, m 2 h n), (m 3 b n, m 4 h n), row 5 b)
  let (dx, dw) = vjp f x u
  in dot u (jvp f x v) == dots dx v.0 + dots dw v.1

-- Products of rows of 32 and more go in blocks of 32 iterations (opt/accrows.c): full ones, one that is
-- not full, none; rows that fill strips, vectors, neither.
-- ==
-- entry: rows
-- input { 70i64 5i64 40i64 } output { true true }
-- input { 64i64 4i64 32i64 } output { true true }
-- input { 3i64 1i64 77i64 } output { true true }
-- input { 33i64 6i64 31i64 } output { true true }
-- input { 0i64 2i64 33i64 } output { true true }
-- input { 2i64 0i64 40i64 } output { true true }
entry rows (n: i64) (k: i64) (l: i64) : (bool, bool) =
  let at a : ([n][l]f64, [k][l]f64) = (m a n l, m (a + 1) k l)
  let pair (x: ([n][l]f64, [k][l]f64)) (y: ([n][l]f64, [k][l]f64)) = dots x.0 y.0 + dots x.1 y.1
  let check (f: ([n][l]f64, [k][l]f64) -> [n][k]f64) =
    let u = m 5 n k
    in dots u (jvp f (at 1) (at 3)) == pair (vjp f (at 1) u) (at 3)
  in (check (\(x, w) -> map (\x -> map (dot x) w) x),
      check (\(x, w) -> map (\x -> map (\r -> let y = dot x r in y * y * x[0]) w) x))
