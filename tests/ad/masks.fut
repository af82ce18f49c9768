-- What masks keep out behind sums, loops and updates: both modes are what they are without it.
def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)
def unit (n: i64) (m: i64) (i: i64) (j: i64) : [n][m]f64 =
  tabulate_2d n m (\a b -> f64.bool (a == i && b == j))

-- Energies of particles within a distance; those that pad the array are nowhere.
def pairs [n] (p: [n][3]f64) (term: [3]f64 -> [3]f64 -> f64) =
  f64.sum (map (\i -> f64.sum (map (\j -> if i == j then 0 else term p[i] p[j]) (iota n))) (iota n))
def near (r2: f64) = if r2 < 6.25 then 1 / r2 else 0

def squares p = pairs p (\a b -> near (f64.sum (map2 (\x y -> (x - y) * (x - y)) a b)))
def dots p = pairs p (\a b -> let d = map2 (-) a b in near (dot d d))
def powers p = pairs p (\a b -> near (f64.sum (map2 (\x y -> (x - y) ** 2) a b)))
def roots p = pairs p (\a b -> let d = map2 (-) a b
                               let r = f64.sqrt (dot d d)
                               in if r < 2.5 then f64.exp (-r) / r else 0)
def in_loop p = pairs p (\a b -> near (loop s = 0 for k < 3 do s + (a[k] - b[k]) * (a[k] - b[k])))
def by_scan p = pairs p (\a b -> near (last (scan (+) 0 (map2 (\x y -> (x - y) * (x - y)) a b))))
def updated p = pairs p (\a b -> let d = map2 (-) a b
                                 let s = loop s = [1.0, 0] for k < 3 do s with [1] = s[1] + d[k] * d[k]
                                 in near s[1])
def clipped p = pairs p (\a b -> let d = map2 (-) a b in f64.max (-1) (f64.min 0 (dot d d - 6.25)))
def forces [n] (p: [n][3]f64) =
  let force i j = let d = map2 (-) p[i] p[j]
                  let r2 = dot d d
                  in map (\x -> if r2 > 0 && r2 < 6.25 then x / r2 else 0) d
  let sums = map (\i -> reduce (map2 (+)) [0, 0, 0] (map (force i) (iota n))) (iota n)
  in f64.sum (map (\v -> dot v v) sums)

-- ==
-- entry: padded
-- input { f64.inf } output { [true, true, true, true, true, true, true, true, true] }
-- input { f64.nan } output { [true, true, true, true, true, true, true, true, true] }
-- input { 1e200 } output { [true, true, true, true, true, true, true, true, true] }
def agrees (where: f64) (f: (n: i64) -> [n][3]f64 -> f64) =
  let p: [3][3]f64 = [[0, 0, 0], [1, 0.5, 0.25], [-1, 0.5, 0.5]]
  let padded: [4][3]f64 = [p[0], p[1], [where, where, where], p[2]]
  let alone = vjp (f 3) p 1
  let reverse = vjp (f 4) padded 1
  let forward = tabulate_2d 4 3 (\i k -> jvp (f 4) padded (unit 4 3 i k))
  let want = [alone[0], alone[1], [0, 0, 0], alone[2]]
  let same [n] (a: [n][3]f64) (b: [n][3]f64) =
    and (map2 (\x y -> f64.abs (x - y) <= 1e-12) (flatten a) (flatten b))
  in same reverse want && (same forward want || f64.isnan where)
entry padded (where: f64) =
  let at = agrees where
  in [at (\n (p: [n][3]f64) -> squares p), at (\n (p: [n][3]f64) -> dots p), at (\n (p: [n][3]f64) -> powers p),
      at (\n (p: [n][3]f64) -> roots p), at (\n (p: [n][3]f64) -> in_loop p), at (\n (p: [n][3]f64) -> by_scan p),
      at (\n (p: [n][3]f64) -> updated p), at (\n (p: [n][3]f64) -> clipped p), at (\n (p: [n][3]f64) -> forces p)]

-- Rejected steps of an adaptive solver overflow.
-- ==
-- entry: rejected
-- input { [1e160, 1e160] 0.5 } output { true }
-- input { [2.0, 1.0] 1e300 } output { true }
def slope (y: [2]f64) : [2]f64 = [y[1], -y[0] * y[0] * y[0]]
def solve (y0: [2]f64) (h0: f64) =
  let along (h: f64) (x: [2]f64) (y: [2]f64) = map2 (\x y -> y + h * x) x y
  let step (y: [2]f64, t, h: f64, k) =
    let h = f64.min h (1 - t)
    let k1 = slope y
    let k2 = slope (along h k1 y)
    let next = along (h / 2) (map2 (+) k1 k2) y
    let err = f64.sqrt (f64.sum (map2 (\a b -> (a - b) * (a - b) * h * h) k1 k2))
    in if err < 1e-3 then (next, t + h, h * 1.5, k + 1) else (y, t, h / 2, k + 1)
  let (y, _, _, _) = iterate_while (\(_, t, _, k) -> t < 1 && k < 3000i64) step (y0, 0, h0, 0)
  in y[0]
entry rejected (y0: [2]f64) (h0: f64) =
  let f y = solve y h0
  let near (a: f64) (b: f64) = f64.abs (a - b) <= 1e-9 * (1 + f64.abs b)
  in and (map2 near (vjp f y0 1) [jvp f y0 [1, 0], jvp f y0 [0, 1]])

-- A branch keeps out what an operator that is no sum makes of an infinite number.
-- ==
-- entry: kept_out_fold kept_out_product kept_out_bins
-- input { f64.inf 1.0 [1.0, 2.0, 3.0] } output { 1.0 [0.0, 0.0, 0.0] [0.0, 0.0, 0.0] }
-- input { f64.nan 1.0 [1.0, 2.0, 3.0] } output { 1.0 [0.0, 0.0, 0.0] [0.0, 0.0, 0.0] }
def kept_out [n] (fold: f64 -> [n]f64 -> f64) (c: f64) (a: f64) (ys: [n]f64) =
  let f ys = let r = fold c ys in if a > 0 then a else r
  in (f ys, vjp f ys 1, tabulate n (\i -> jvp f ys (tabulate n (\j -> f64.bool (i == j)))))
entry kept_out_fold [n] (c: f64) (a: f64) (ys: [n]f64) =
  kept_out (\c ys -> reduce (\x y -> x + y + c * x * y) 0 ys) c a ys
entry kept_out_product [n] (c: f64) (a: f64) (ys: [n]f64) =
  kept_out (\c ys -> reduce (\x y -> x * y * c) 1 ys) c a ys
entry kept_out_bins [n] (c: f64) (a: f64) (ys: [n]f64) =
  kept_out (\c ys -> (reduce_by_index [0] (\x y -> x + y + c * x * y) 0 (map (const 0) ys) ys)[0]) c a ys
