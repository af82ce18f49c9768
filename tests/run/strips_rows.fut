-- Strips whose inner loops walk along rows, which are read some steps at a time: numbers of rows around
-- the lanes of a strip, rows shorter and longer than these steps, each against a loop over columns, and
-- rows that are added up in one.  The numbers are small integers, so that sums are exact in any order.
-- ==
-- entry: sums
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- input { 7i64 1i64 } output { true }
-- input { 15i64 3i64 } output { true }
-- input { 16i64 4i64 } output { true }
-- input { 17i64 15i64 } output { true }
-- input { 31i64 16i64 } output { true }
-- input { 32i64 17i64 } output { true }
-- input { 33i64 33i64 } output { true }
-- input { 64i64 40i64 } output { true }
-- input { 67i64 100i64 } output { true }
-- ==
-- entry: several
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- input { 7i64 1i64 } output { true }
-- input { 15i64 3i64 } output { true }
-- input { 16i64 4i64 } output { true }
-- input { 17i64 15i64 } output { true }
-- input { 31i64 16i64 } output { true }
-- input { 32i64 17i64 } output { true }
-- input { 33i64 33i64 } output { true }
-- input { 64i64 40i64 } output { true }
-- input { 67i64 100i64 } output { true }
-- ==
-- entry: narrow
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- input { 7i64 1i64 } output { true }
-- input { 15i64 3i64 } output { true }
-- input { 16i64 4i64 } output { true }
-- input { 17i64 15i64 } output { true }
-- input { 31i64 16i64 } output { true }
-- input { 32i64 17i64 } output { true }
-- input { 33i64 33i64 } output { true }
-- input { 64i64 40i64 } output { true }
-- input { 67i64 100i64 } output { true }
-- ==
-- entry: whole
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- input { 7i64 1i64 } output { true }
-- input { 15i64 3i64 } output { true }
-- input { 16i64 4i64 } output { true }
-- input { 17i64 15i64 } output { true }
-- input { 31i64 16i64 } output { true }
-- input { 32i64 17i64 } output { true }
-- input { 33i64 33i64 } output { true }
-- input { 64i64 40i64 } output { true }
-- input { 67i64 100i64 } output { true }
-- ==
-- entry: branches
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- input { 7i64 1i64 } output { true }
-- input { 15i64 3i64 } output { true }
-- input { 16i64 4i64 } output { true }
-- input { 17i64 15i64 } output { true }
-- input { 31i64 16i64 } output { true }
-- input { 32i64 17i64 } output { true }
-- input { 33i64 33i64 } output { true }
-- input { 64i64 40i64 } output { true }
-- input { 67i64 100i64 } output { true }
-- ==
-- entry: written
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- input { 7i64 1i64 } output { true }
-- input { 15i64 3i64 } output { true }
-- input { 16i64 4i64 } output { true }
-- input { 17i64 15i64 } output { true }
-- input { 31i64 16i64 } output { true }
-- input { 32i64 17i64 } output { true }
-- input { 33i64 33i64 } output { true }
-- input { 64i64 40i64 } output { true }
-- input { 67i64 100i64 } output { true }
-- ==
-- entry: added
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 3i64 0i64 } output { true }
-- input { 7i64 1i64 } output { true }
-- input { 15i64 3i64 } output { true }
-- input { 16i64 4i64 } output { true }
-- input { 17i64 15i64 } output { true }
-- input { 31i64 16i64 } output { true }
-- input { 32i64 17i64 } output { true }
-- input { 33i64 33i64 } output { true }
-- input { 64i64 40i64 } output { true }
-- input { 67i64 100i64 } output { true }

def matrix (n: i64) (m: i64) (k: i64) : [n][m]f64 =
  tabulate_2d n m (\i j -> f64.i64 ((i * 7 + j * 3 + k) % 11 - 5))

def vector (m: i64) (k: i64) : [m]f64 = tabulate m (\j -> f64.i64 ((j * 5 + k) % 7 - 3))

def same [n] (a: [n]f64) (b: [n]f64) : bool = and (map2 (==) a b)

-- a x, column after column.
def product [n] [m] (a: [n][m]f64) (x: [m]f64) : [n]f64 =
  loop s = replicate n 0 for j < m do map2 (\s row -> s + row[j] * x[j]) s a

def dot [m] (a: [m]f64) (b: [m]f64) : f64 = f64.sum (map2 (*) a b)

entry sums (n: i64) (m: i64) : bool =
  let (a, x) = (matrix n m 1, vector m 2)
  in same (map (\r -> f64.max (dot r x) (-4)) a) (map (\s -> f64.max s (-4)) (product a x))

entry several (n: i64) (m: i64) : bool =
  let (a, b, x, y) = (matrix n m 1, matrix n m 4, vector m 2, vector m 3)
  let f r s = let p = dot r x in (dot s y + p) * f64.abs p
  let g p q = (q + p) * f64.abs p
  in same (map2 f a b) (map2 g (product a x) (product b y))

entry narrow (n: i64) (m: i64) : bool =
  let (a, x) = (matrix n m 1, vector m 2)
  let small = map (map f32.f64) a
  let f r = f32.abs (f32.sum (map2 (\u v -> u * f32.f64 v) r x))
  in same (map f64.f32 (map f small)) (map f64.abs (product a x))

entry whole (n: i64) (m: i64) : bool =
  let (a, x) = (matrix n m 1, vector m 2)
  let (ints, longs) = (map (map i32.f64) a, map (map i64.f64) a)
  let f r s = f64.i32 (i32.sum r) + f64.sum (map2 (\u v -> f64.i64 u * v) s x)
  in same (map2 f ints longs) (map2 (+) (product a (replicate m 1)) (product a x))

entry branches (n: i64) (m: i64) : bool =
  let (a, x) = (matrix n m 1, vector m 2)
  let f r = f64.sum (map2 (\u v -> if u < 0 then f64.abs (u * v) else u) r x)
  let bent = map (map2 (\v u -> if u < 0 then f64.abs (u * v) else u) x) a
  in same (map f a) (product bent (replicate m 1))

-- Lane by lane: rows that are only written, beside numbers that are computed for each.
entry written (n: i64) (m: i64) : bool =
  let (a, x) = (matrix n m 1, vector m 2)
  let f (r: [m]f64) (i: i64) =
    let t = f64.sin (f64.i64 i)
    let (e, g) = (f64.exp t / (1 + f64.exp (-t)), f64.log (2 + t) / (2 + f64.cos t))
    in (map2 (\u v -> u * e - v) r x, map (* g) x, e - g)
  let (rows, others, ends) = unzip3 (map2 f a (iota n))
  let zero = replicate n (replicate m 0f64)
  let (rows', others', ends') =
    loop (p, q, s) = (copy zero, copy zero, replicate n 0f64) for i < n do
      let (row, other, end) = f a[i] i
      in (p with [i] = row, q with [i] = other, s with [i] = end)
  in and (map2 same rows rows') && and (map2 same others others') && same ends ends'

-- The gradient of a function of x that is a sum over rows.
entry added (n: i64) (m: i64) : bool =
  let (a, x) = (matrix n m 1, vector m 2)
  let f x = f64.sum (map (\r -> let d = dot r x in d * d) a)
  let ds = product a x
  in same (vjp f x 1) (loop s = replicate m 0 for i < n do map2 (\s u -> s + u * 2 * ds[i]) s a[i])
