-- While loops over pairs of small arrays with a gradient inside, differentiated: minimisers, particles,
-- branches that exchange results.  Both modes agree, so do the nestings of second derivatives.
-- ==
-- entry: particle_near particle_far minimum saddle_point pair_of_pairs exchanged rows updated forward line_search tuples
-- input { 0.7 } output { true }
-- input { 1.3 } output { true }
def near (a: f64) (b: f64) = f64.abs (a - b) <= 1e-9 * (1 + f64.abs b)
def first (f: f64 -> f64) (c: f64) = near (vjp f c 1) (jvp f c 1)
def both (f: f64 -> f64) (c: f64) =
  let want = jvp (\c -> vjp f c 1) c 1
  in first f c && near (vjp (\c -> vjp f c 1) c 1) want && near (vjp (\c -> jvp f c 1) c 1) want

def sq (x: f64) = x * x
def dist (p: [2]f64) (q: [2]f64) = f64.sum (map2 (\a b -> sq (a - b)) p q)
def grad f (x: [2]f64) = vjp f x 1f64
def naive_euler (accel: [2]f64 -> [2]f64) (w: f64) =
  let (x, _, _, _) = loop (x, v, t, k) = ([0, 8f64], [0.75, 0f64], 0f64, 0i64) while x[1] > 0 && k < 50 do
                       let a = accel x
                       let x' = map2 (\x v -> x + 0.1 * v) x v
                       let v' = map2 (\v a -> v - 0.1 * w * a) v a
                       in if x'[0] > x[0] then (x', v', t + 0.1, k + 1) else (v', x', t + 0.1, k + 1)
  in sq x[0]
def coulomb (w: f64) =
  let charges: [2][2]f64 = [[10, 10 - w], [10, 0]]
  let p (x: [2]f64) = f64.sum (map (\q -> 1 / f64.sqrt (dist x q)) charges)
  let (x, v, _) = loop (x, v, k) = ([0, 8f64], [0.75, 0f64], 0i64) while x[1] > 0 && k < 60 do
                    let a = grad p x
                    let x' = map2 (\x v -> x + 0.1 * v) x v
                    let v' = map2 (\v a -> v - 0.1 * a) v a
                    in (x', v', k + 1)
  let dt = -x[1] / v[1]
  in sq (x[0] + dt * v[0])
-- Descent with a step that grows and shrinks.
def argmin (f: [2]f64 -> f64) (x0: [2]f64) =
  let start = (x0, f x0, grad f x0, 0.1, 0i64)
  let (x, _, _, _, _) =
    loop (x, fx, gx, eta, i) = start
    while f64.sum (map sq gx) > 1e-6 && i < 40 do
      let x' = map2 (\x g -> x - eta * g) x gx
      let fx' = f x'
      in if fx' < fx then (x', fx', grad f x', eta * 1.1, i + 1) else (x, fx, gx, eta / 2, i + 1)
  in x
def minimise (c: f64) = f64.sum (argmin (\x -> dist x [c, 2 * c] + c * x[0] * x[0]) [1, 1])
-- A minimum inside a minimum.
def saddle (c: f64) =
  let inner (x1: [2]f64) = argmin (\x2 -> dist x1 x2 - c * f64.sum (map2 (*) x1 x2)) [0.5, 0.3]
  let f (x1: [2]f64) = let x2 = inner x1 in dist x1 [1, 1] + dist x2 x1
  let r = argmin f [1, 1]
  in r[0] + r[1]
-- Pairs that change places.
def doubled (c: f64) =
  let ((a, b), _) = loop ((a, b), k) = (([c, 1f64], [2, c]), 0i64) while k < 7 && a[0] + b[0] < 1e6 do
                      let g = grad (\a -> dist a b) a
                      let h = grad (\b -> dist a b) b
                      in if g[0] > h[0] then ((map2 (\b g -> 0.3 * (b + g)) b g, a), k + 1)
                         else ((map (* 0.9) a, map2 (\b h -> 0.2 * (b - h)) b h), k + 1)
  in a[0] * b[1] + a[1]
-- Gradients that become states.
def exchange (c: f64) =
  let (a, b, _) = loop (a, b, k) = ([c, c * c], [1f64, c], 0i64) while k < 5 do
                    let g = grad (\x -> dist x b * c) a
                    in if g[0] > 0 then (b, g, k + 1) else (g, a, k + 1)
  in a[0] + b[1]
-- Rows of one array.
def in_rows (c: f64) =
  let (ps, _) = loop (ps, k) = ([[c, 1f64], [2, c]], 0i64) while k < 6 do
                  let f (ps: [2][2]f64) = f64.sum (map (\p -> dist p [c, c]) ps) + dist ps[0] ps[1]
                  let g = vjp f ps 1
                  let qs = map2 (map2 (\p g -> p - 0.1 * g)) ps g
                  in if f qs < f ps then ([qs[1], qs[0]], k + 1) else (ps, k + 1)
  in ps[0][0] * ps[1][1]
-- An update in place.
def in_place (c: f64) =
  let (a, b, _) = loop (a, b, k) = ([c, 1f64], [2, c], 0i64) while k < 6 do
                    let g = grad (\x -> dist x b) a
                    let a' = copy a with [0] = a[0] - 0.1 * g[0]
                    in if a'[0] < b[0] then (b, a', k + 1) else (a', b, k + 1)
  in a[0] - 3 * b[1]
-- Forward mode inside.
def by_jvp (c: f64) =
  let gradf f (x: [2]f64) = [jvp f x [1, 0f64], jvp f x [0, 1f64]]
  let (a, b, _) = loop (a, b, k) = ([c, 1f64], [2, c], 0i64) while k < 6 && dist a b > 1e-9 do
                    let g = gradf (\x -> dist x b + f64.sin (x[0] * c)) a
                    in if k % 2 == 0 then (b, map2 (\a g -> a - 0.1 * g) a g, k + 1) else (map2 (\a g -> a - 0.1 * g) a g, b, k + 1)
  in a[0] - 3 * b[1]
-- A line search inside.
def searched (c: f64) =
  let f (x: [2]f64) = dist x [c, 1] + 0.1 * sq (x[0] * x[1])
  let (x, _) = loop (x, k) = ([3f64, c], 0i64) while k < 5 do
                 let g = grad f x
                 let (y, _, _) = loop (y, eta, j) = (x, 1f64, 0i64) while j < 8 && f y >= f x do
                                   (map2 (\x g -> x - eta * g) x g, eta / 2, j + 1)
                 in if f y < f x then (y, k + 1) else (x, k + 1)
  in f64.sum x
-- Tuples instead of arrays.
def of_tuples (c: f64) =
  let f (x: f64, y: f64) = sq (x - c) + sq (y - 2 * c) + x * y
  let ((x, y), _, _) = loop (p, q, k) = ((1f64, c), (c, 2f64), 0i64) while k < 8 do
                         let (gx, gy) = vjp f p 1
                         let r = (p.0 - 0.1 * gx, p.1 - 0.1 * gy)
                         in if f r < f q then (q, r, k + 1) else (r, q, k + 1)
  in x * y

entry particle_near = both (\w -> naive_euler (grad (\x -> dist x [10, 10 - w] + dist x [10, 0])) w)
entry particle_far = both coulomb
entry minimum = both minimise
entry saddle_point = first saddle
entry pair_of_pairs = both doubled
entry exchanged = both exchange
entry rows = both in_rows
entry updated = both in_place
entry forward = both by_jvp
entry line_search = both searched
entry tuples = both of_tuples
