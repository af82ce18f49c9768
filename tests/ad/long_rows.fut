-- Maps over rows run in lanes side by side where rows are short, along the rows where these are long:
-- the loop is there twice.  Gradients of sqrt (1 + |r|^2), of <r, w>^2 and, in f32, of (sum r)^2.
def norms [n] [d] (x: [n][d]f64) = f64.sum (map (\r -> f64.sqrt (1 + f64.sum (map (\v -> v * v) r))) x)

def products [n] [d] (x: [n][d]f64) (w: [d]f64) =
  f64.sum (map (\r -> let s = f64.sum (map2 (*) r w) in s * s) x)

def singles [n] [d] (x: [n][d]f32) = f32.sum (map (\r -> let s = f32.sum r in s * s) x)

def near (a: f64) (b: f64) = f64.abs (a - b) <= 1e-12 * (1 + f64.abs b)

def point (i: i64) (j: i64) = f64.cos (f64.i64 (7 * i + 3 * j))

def rows (n: i64) (d: i64) = opaque (tabulate_2d n d point)

-- ==
-- entry: norms_agree products_agree singles_agree
-- input { 5i64 0i64 } output { true }
-- input { 70i64 3i64 } output { true }
-- input { 70i64 63i64 } output { true }
-- input { 70i64 64i64 } output { true }
-- input { 3i64 70i64 } output { true }
-- input { 70i64 201i64 } output { true }
entry norms_agree (n: i64) (d: i64) : bool =
  let x = rows n d
  let of_row [d] (r: [d]f64) =
    let s = loop s = 1 for v in r do s + v * v
    in map (/ f64.sqrt s) r
  in and (map2 near (flatten (vjp norms x 1)) (flatten (map of_row x)))

entry products_agree (n: i64) (d: i64) : bool =
  let x = rows n d
  let w = opaque (map (point n) (iota d))
  let (xB, wB) = vjp (\(x, w) -> products x w) (x, w) 1
  let s = map (\r -> loop s = 0 for j < d do s + r[j] * w[j]) x
  let of_column j = loop a = 0 for i < n do a + 2 * s[i] * x[i, j]
  in and (map2 near (flatten xB) (flatten (map (\s -> map (\w -> 2 * s * w) w) s)))
    && and (map2 near wB (map of_column (iota d)))

entry singles_agree (n: i64) (d: i64) : bool =
  let x = opaque (map (map (\v -> f32.round (f32.f64 (10 * v)))) (rows n d))
  let s = map (\r -> loop s = 0 for j < d do s + r[j]) x
  in and (map2 (==) (flatten (vjp singles x 1)) (flatten (map (\s -> replicate d (2 * s)) s)))
