-- Several directions at once, #[unroll]: side by side, of one forward sweep.  Expected numbers are
-- those of one direction after the other, or by hand.

def e3 : [3](f64, f64, f64) = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]

def eye (n: i64) : [n][n]f64 = tabulate_2d n n (\i j -> f64.bool (i == j))

-- x y + z:  the rows of the Jacobian of (x y + z, x z)
-- ==
-- entry: product
-- input { 2.0 3.0 5.0 } output { [3.0, 2.0, 1.0] [5.0, 0.0, 2.0] [3.0, 2.0, 1.0] [5.0, 0.0, 2.0] }
entry product (x: f64) (y: f64) (z: f64) =
  let f (x: f64, y: f64, z: f64) = (x * y + z, x * z)
  let (a, b) = unzip (#[unroll] jmp f (x, y, z) e3)
  let g = #[unroll] mjp f (x, y, z) [(1, 0), (0, 1)]
  in (copy a, copy b, [g[0].0, g[0].1, g[0].2], [g[1].0, g[1].1, g[1].2])

-- Loops of scalars and updated arrays, branches, scans, products, histograms and a while loop.
def all [n] (is: [n]i64) (xs: [n]f64) : [n]f64 =
  let ys = loop ys = copy xs for i < n - 1 do
             ys with [i + 1] = ys[i + 1] + 0.5 * ys[i] * (if is[i] > 1 then ys[i] else 1)
  let ss = scan (*) 1 (map (+ 1) ys)
  let h = reduce_by_index (replicate n 1) (*) 1 is ys
  let m = reduce_by_index (replicate n (-1)) f64.max (-f64.inf) is xs
  let w = loop w = xs[0] while w < 100 do w * 2 + xs[n - 1]
  let p = f64.product xs * f64.maximum ys
  in map5 (\s h m x y -> s * h + m * p + f64.sin x * w + y) ss h m xs ys

-- ==
-- entry: forward backward
-- input { [0i64, 2i64, 2i64, 1i64, 3i64] [0.5, 1.5, -0.7, 1.1, 2.0] } output { true }
entry forward (is: [5]i64) (xs: [5]f64) =
  let a = #[unroll] jmp (all is) xs (eye 5)
  let b = map (jvp (all is) xs) (eye 5)
  in and (map2 (\r s -> and (map2 (\x y -> f64.abs (x - y) < 1e-9 * f64.max 1 (f64.abs y)) r s)) a b)

entry backward (is: [5]i64) (xs: [5]f64) =
  let a = #[unroll] mjp (all is) xs (eye 5)
  let b = map (vjp (all is) xs) (eye 5)
  in and (map2 (\r s -> and (map2 (\x y -> f64.abs (x - y) < 1e-9 * f64.max 1 (f64.abs y)) r s)) a b)

-- A few directions with scalar results are side by side by themselves: a power of x y + z, with x at
-- most 2 (two trips), by three tangents; by two seeds.
-- ==
-- entry: few
-- input { 2i64 1.0 2.0 3.0 } output { [100.0, 50.0, 50.0] [650.0, 1300.0] }
entry few (n: i64) (x: f64) (y: f64) (z: f64) =
  let f (x: f64, y: f64, z: f64) = loop p = x * y + z for _i < n do p * p
  let g (x: f64) = (loop p = x * y + z for _i < n do p * p, 2 * x)
  let h = map (\s -> vjp (\x -> let (a, b) = g x in a * b) x s) [0.4, 0.8]
  in (map (\(a, b, c) -> jvp f (x, y, z) (a, b, c) / 10) e3, map (/ 2) h)

-- Second order: rows of the Hessian of x0^2 x1 + x1^3 by directions over a gradient, and over those.
-- ==
-- entry: hessian
-- input { [2.0, 3.0] } output { [[6.0, 4.0], [4.0, 18.0]] [[6.0, 4.0], [4.0, 18.0]] }
entry hessian (x: [2]f64) =
  let f (x: [2]f64) = x[0] * x[0] * x[1] + x[1] ** 3
  let g x = (#[unroll] mjp f x [1])[0]
  in (copy (#[unroll] jmp g x (eye 2)), copy (#[unroll] mjp g x (eye 2)))

-- No direction, and a number of directions that only the run knows.
-- ==
-- entry: number
-- input { 3.0 empty([0]f64) } output { empty([0]f64) }
-- input { 3.0 [1.0, 2.0] } output { [6.0, 12.0] }
entry number [k] (x: f64) (ds: [k]f64) = copy (#[unroll] jmp (\x -> x * x) x ds)

-- ==
-- entry: none
-- input { 3.0 } output { empty([0]f64) }
entry none (x: f64) = copy (#[unroll] mjp (\x -> x * x) x ([] : [0]f64))

-- A map that is marked, of iterations that consume what is common.
-- ==
-- entry: marked
-- input { [1i64, 0i64] 2.0 } output { [[0.0, 2.0, 1.0], [2.0, 0.0, 1.0]] }
entry marked (is: [2]i64) (x: f64) =
  #[unroll] map (\i -> let a = replicate 3 0
                       let a[2] = x / 2
                       let a[i] = x
                       in a) is
