-- The value of a loss and its gradient: the map of the gradient gives the value's summands, too.
-- ==
-- entry: means chosen rows
-- input { 1000i64 97i64 } auto output
-- input { 2011i64 1i64 } auto output
-- input { 0i64 7i64 } auto output
-- ==
-- entry: agree
-- input { 700i64 13i64 } output { true }
-- ==
-- entry: fails
-- input { 1000i64 50i64 } error: out of bounds for array

def data (n: i64) = map (\i -> f64.sin (f64.i64 (i * i % 10007))) (iota n)
def keys (n: i64) (m: i64) = map (\i -> (i * i * 7919 + i * 31) % m) (iota n)
def points (n: i64) = tabulate_2d n 3 (\i j -> f64.cos (f64.i64 (3 * i + j)))

def cost (cs: [][3]f64) (ps: [][3]f64) =
  f64.sum (map (\p -> f64.minimum (map (\c -> f64.sum (map2 (\x y -> (x - y) ** 2) c p)) cs)) ps)
entry means (n: i64) (m: i64) = vjp2 (\cs -> cost cs (points n)) (points m) 1

def loss [m] (ys: [m]f64) (ks: []i64) (xs: []f64) =
  f64.sum (map2 (\k x -> f64.log1p (f64.exp (f64.tanh (x * ys[k]) + ys[0]))) ks xs)
entry chosen (n: i64) (m: i64) = vjp2 (\ys -> loss ys (keys n m) (data n)) (data m) 1

-- Several values of a row; what follows from them.
entry rows (n: i64) (m: i64) =
  vjp2 (\ys -> let (as, bs) = unzip (map2 (\k x -> (f64.exp (f64.sin (x + ys[k])),
                                                    f64.tanh (f64.exp ys[k] + x)))
                                          (keys n m) (data n))
               in (f64.sum as, f64.maximum (map f64.abs bs), f64.sum bs))
       (data m) (1, 0, 2)

entry agree (n: i64) (m: i64) =
  let f ys = loss ys (keys n m) (data n)
  let (y, g) = vjp2 f (data m) 1
  in f64.abs (y - f (data m)) < 1e-9 && and (map2 (\a b -> f64.abs (a - b) < 1e-12) g (vjp f (data m) 1))

entry fails (n: i64) (m: i64) = vjp2 (\ys -> loss ys (keys n (m + 3)) (data n)) (data m) 1

-- The values that a kernel reads have the names of the source, v too.
-- ==
-- entry: knapsack
-- input { [1.5, 2.5, 3.0] [1i64, 2i64, 3i64] 4i64 } output { 4.5 }
entry knapsack [n] (values: [n]f64) (weights: [n]i64) (capacity: i64) : f64 =
  let best =
    loop best = replicate (capacity + 1) 0 for (v, w) in zip values weights do
      map (\c -> if c >= w then f64.max best[c] (best[c - w] + v) else best[c])
          (iota (capacity + 1))
  in best[capacity]
