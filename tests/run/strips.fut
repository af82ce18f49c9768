-- Loops that run as strips, at lengths around the lanes of a vector (1, 2, 4 or 8), of a strip (two
-- or four vectors), and of several: bodies long enough to end in a strip that is not full, each
-- against the same function in a sequential loop.
-- ==
-- entry: mapped
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 2i64 5i64 } output { true }
-- input { 7i64 5i64 } output { true }
-- input { 8i64 5i64 } output { true }
-- input { 9i64 5i64 } output { true }
-- input { 31i64 5i64 } output { true }
-- input { 32i64 5i64 } output { true }
-- input { 33i64 5i64 } output { true }
-- input { 64i64 5i64 } output { true }
-- input { 127i64 5i64 } output { true }
-- input { 129i64 5i64 } output { true }
-- ==
-- entry: summed
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 2i64 5i64 } output { true }
-- input { 7i64 5i64 } output { true }
-- input { 8i64 5i64 } output { true }
-- input { 9i64 5i64 } output { true }
-- input { 31i64 5i64 } output { true }
-- input { 32i64 5i64 } output { true }
-- input { 33i64 5i64 } output { true }
-- input { 64i64 5i64 } output { true }
-- input { 127i64 5i64 } output { true }
-- input { 129i64 5i64 } output { true }
-- ==
-- entry: scanned
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 2i64 5i64 } output { true }
-- input { 7i64 5i64 } output { true }
-- input { 8i64 5i64 } output { true }
-- input { 9i64 5i64 } output { true }
-- input { 31i64 5i64 } output { true }
-- input { 32i64 5i64 } output { true }
-- input { 33i64 5i64 } output { true }
-- input { 64i64 5i64 } output { true }
-- input { 127i64 5i64 } output { true }
-- input { 129i64 5i64 } output { true }
-- ==
-- entry: in_place
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 2i64 5i64 } output { true }
-- input { 7i64 5i64 } output { true }
-- input { 8i64 5i64 } output { true }
-- input { 9i64 5i64 } output { true }
-- input { 31i64 5i64 } output { true }
-- input { 32i64 5i64 } output { true }
-- input { 33i64 5i64 } output { true }
-- input { 64i64 5i64 } output { true }
-- input { 127i64 5i64 } output { true }
-- input { 129i64 5i64 } output { true }
-- ==
-- entry: reversed
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 2i64 5i64 } output { true }
-- input { 7i64 5i64 } output { true }
-- input { 8i64 5i64 } output { true }
-- input { 9i64 5i64 } output { true }
-- input { 31i64 5i64 } output { true }
-- input { 32i64 5i64 } output { true }
-- input { 33i64 5i64 } output { true }
-- input { 64i64 5i64 } output { true }
-- input { 127i64 5i64 } output { true }
-- input { 129i64 5i64 } output { true }
-- ==
-- entry: chosen
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 2i64 5i64 } output { true }
-- input { 7i64 5i64 } output { true }
-- input { 8i64 5i64 } output { true }
-- input { 9i64 5i64 } output { true }
-- input { 31i64 5i64 } output { true }
-- input { 32i64 5i64 } output { true }
-- input { 33i64 5i64 } output { true }
-- input { 64i64 5i64 } output { true }
-- input { 127i64 5i64 } output { true }
-- input { 129i64 5i64 } output { true }
-- ==
-- entry: divided
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 2i64 5i64 } output { true }
-- input { 7i64 5i64 } output { true }
-- input { 8i64 5i64 } output { true }
-- input { 9i64 5i64 } output { true }
-- input { 31i64 5i64 } output { true }
-- input { 32i64 5i64 } output { true }
-- input { 33i64 5i64 } output { true }
-- input { 64i64 5i64 } output { true }
-- input { 127i64 5i64 } output { true }
-- input { 129i64 5i64 } output { true }
-- ==
-- entry: gradient
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 2i64 5i64 } output { true }
-- input { 7i64 5i64 } output { true }
-- input { 8i64 5i64 } output { true }
-- input { 9i64 5i64 } output { true }
-- input { 31i64 5i64 } output { true }
-- input { 32i64 5i64 } output { true }
-- input { 33i64 5i64 } output { true }
-- input { 64i64 5i64 } output { true }
-- input { 127i64 5i64 } output { true }
-- input { 129i64 5i64 } output { true }
-- ==
-- entry: single
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 2i64 5i64 } output { true }
-- input { 7i64 5i64 } output { true }
-- input { 8i64 5i64 } output { true }
-- input { 9i64 5i64 } output { true }
-- input { 31i64 5i64 } output { true }
-- input { 32i64 5i64 } output { true }
-- input { 33i64 5i64 } output { true }
-- input { 64i64 5i64 } output { true }
-- input { 127i64 5i64 } output { true }
-- input { 129i64 5i64 } output { true }
-- ==
-- entry: flags
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 2i64 5i64 } output { true }
-- input { 7i64 5i64 } output { true }
-- input { 8i64 5i64 } output { true }
-- input { 9i64 5i64 } output { true }
-- input { 31i64 5i64 } output { true }
-- input { 32i64 5i64 } output { true }
-- input { 33i64 5i64 } output { true }
-- input { 64i64 5i64 } output { true }
-- input { 127i64 5i64 } output { true }
-- input { 129i64 5i64 } output { true }

def weights (n: i64) : [n]f64 = tabulate n (\i -> f64.i64 (i * 37 % 11) / 8 - 0.55)
def points (n: i64) (d: i64) : [n][d]f64 =
  tabulate_2d n d (\i j -> f64.i64 ((i * 7 + j * 3) % 13) / 4 - 1)
def matrix (d: i64) : [d][d]f64 = tabulate_2d d d (\i j -> f64.i64 (i * d + j) / 16 - 0.5)

def near (x: f64) (y: f64) = f64.abs (x - y) <= 1e-9 * (1 + f64.abs y) || (x != x && y != y)
def all_near [n] (xs: [n]f64) (ys: [n]f64) = and (map2 near xs ys)

-- A long body: two matrix products, a softmax, a norm.
def dot [d] (xs: [d]f64) (ys: [d]f64) = f64.sum (map2 (*) xs ys)
def body [d] (a: [d][d]f64) (p: [d]f64) (w: f64) : f64 =
  let y = map (dot p) a
  let z = map (\r -> dot r y + w) a
  let m = f64.maximum z
  let e = map (\v -> f64.exp (v - m)) z
  let s = f64.sum e
  in f64.log s + m * w + f64.sum (map2 (\u v -> u * v / s) e y)

-- What the parallel version must give: f i for each i, one after the other.
def one_by_one (n: i64) (f: i64 -> f64) : [n]f64 =
  loop out = replicate n 0 for i < n do out with [i] = f i

entry mapped (n: i64) (d: i64) : bool =
  let ps = points n d
  let ws = weights n
  let a = matrix d
  in all_near (map2 (body a) ps ws) (one_by_one n (\i -> body a ps[i] ws[i]))

entry summed (n: i64) (d: i64) : bool =
  let ps = points n d
  let ws = weights n
  let a = matrix d
  let vs = map2 (body a) ps ws
  let (s, m, c) =
    (f64.sum vs, reduce f64.max (-10) vs, i64.sum (map (\v -> if v > 1 then 1 else 0) vs))
  let (s', m', c') =
    loop (s, m, c) = (0, -10, 0i64) for i < n do
      let v = body a ps[i] ws[i]
      in (s + v, f64.max m v, c + if v > 1 then 1 else 0)
  in near s s' && near m m' && c == c'

entry scanned (n: i64) (d: i64) : bool =
  let ps = points n d
  let ws = weights n
  let a = matrix d
  let (sums, _) =
    loop (out, acc) = (replicate n 0, 0) for i < n do
      let acc = acc + body a ps[i] ws[i]
      in (out with [i] = acc, acc)
  in all_near (scan (+) 0 (map2 (body a) ps ws)) sums

entry in_place (n: i64) (d: i64) : bool =
  let ps = points n d
  let a = matrix d
  let par = loop ws = weights n for _k < 3 do map2 (\p w -> body a p (w / 4)) ps ws
  let seq =
    loop ws = weights n for _k < 3 do
      loop ws for i < n do ws with [i] = body a (copy ps[i]) (ws[i] / 4)
  in all_near par seq

entry reversed (n: i64) (d: i64) : bool =
  let ps = points n d
  let ws = reverse (weights n)
  let a = matrix d
  in all_near (reverse (map2 (body a) (reverse ps) ws))
              (one_by_one n (\i -> body a ps[i] ws[n - 1 - i]))

-- Branches that differ between lanes, rows that go out, a table read anywhere.
def branching [d] (a: [d][d]f64) (table: [7]f64) (k: i64) (p: [d]f64) (w: f64) : [d]f64 =
  let v = body a p w
  let t = #[unsafe] table[k]
  let c = if w > 0 then f64.exp (v / 8) + t else if w < -0.25 then v else t
  in map (\u -> if u > v then c * u else c - u * w) p

def indices (n: i64) : [n]i64 = tabulate n (\i -> i * i % 6 + 1)
entry chosen (n: i64) (d: i64) : bool =
  let ps = points n d
  let ws = weights n
  let ks = indices n
  let a = matrix d
  let table = map (\k -> f64.i64 (k + d)) (iota 7)
  let par = map3 (branching a table) ks ps ws
  let seq =
    loop out = replicate n (replicate d 0) for i < n do
      out with [i] = branching a table ks[i] ps[i] ws[i]
  in and (map2 all_near par seq)

-- Divisors that are zero nowhere, but would be in lanes that are not there.
def quotient [d] (a: [d][d]f64) (p: [d]f64) (w: f64) (k: i64) : f64 =
  let v = body a p w
  let (q, r) = #[unsafe] (1000 / k, 77 % k)
  in v * f64.i64 q + body a (map (* f64.i64 r) p) (1 / w)
entry divided (n: i64) (d: i64) : bool =
  let ps = points n d
  let ws = weights n
  let ks = indices n
  let a = matrix d
  in all_near (map3 (quotient a) ps ws ks)
              (one_by_one n (\i -> quotient a (copy ps[i]) ws[i] ks[i]))

-- Many iterations add to the same places.
def total [n] [d] (ps: [n][d]f64) (ws: [n]f64) (a: [d][d]f64) : f64 =
  f64.sum (map2 (body a) ps ws)
def total' [n] [d] (ps: [n][d]f64) (ws: [n]f64) (a: [d][d]f64) : f64 =
  loop s = 0 for i < n do s + body a ps[i] ws[i]
entry gradient (n: i64) (d: i64) : bool =
  let ps = points n d
  let ws = weights n
  let a = matrix d
  let g = vjp (total ps ws) a 1
  let g' = vjp (total' ps ws) a 1
  let h = vjp (\ws -> total ps ws a) ws 1
  let h' = vjp (\ws -> total' ps ws a) ws 1
  in and (map2 all_near g g') && all_near h h'

-- Small numbers: f32, i32.
def dot32 [d] (xs: [d]f32) (ys: [d]f32) = f32.sum (map2 (*) xs ys)
def body32 [d] (a: [d][d]f32) (p: [d]f32) (k: i32) : f32 =
  let y = map (dot32 p) a
  let z = map (\r -> dot32 r y + f32.i32 k) a
  let m = f32.maximum z
  let q = f32.i32 (#[unsafe] (17 / k))
  in m + f32.sum (map (\v -> if v < m then v / 2 else v * q) z)
entry single (n: i64) (d: i64) : bool =
  let ps = map (map f32.f64) (points n d)
  let ks = map i32.i64 (indices n)
  let a = map (map f32.f64) (matrix d)
  let near32 x y = f32.abs (x - y) <= 1e-4 * (1 + f32.abs y)
  let par = map2 (body32 a) ps ks
  in and (tabulate n (\i -> near32 par[i] (body32 a ps[i] ks[i])))
     && near32 (f32.sum (map2 (body32 a) ps ks)) (loop s = 0 for i < n do s + body32 a ps[i] ks[i])

-- Truth values in and out.
def judge [d] (a: [d][d]f64) (p: [d]f64) (b: bool) (w: f64) : (bool, f64) =
  let v = body a p w
  let y = map (dot p) a
  let c = f64.sum (map (\u -> if b then u else v) y) > 0
  in (c != b, if c then v else dot y p)
entry flags (n: i64) (d: i64) : bool =
  let ps = points n d
  let ws = weights n
  let bs = map (\w -> w > 0) ws
  let a = matrix d
  let (cs, vs) = unzip (map3 (judge a) ps bs ws)
  let (all, any) = (and cs, or cs)
  let (all', any') =
    loop (all, any) = (true, false) for i < n do
      let (c, _) = judge a ps[i] bs[i] ws[i]
      in (all && c, any || c)
  in all == all' && any == any'
     && all_near vs (one_by_one n (\i -> (judge a ps[i] bs[i] ws[i]).1))

-- The same inside a loop, where what is left over runs as strips of a single vector.
-- ==
-- entry: again
-- input { 0i64 5i64 } output { true }
-- input { 1i64 5i64 } output { true }
-- input { 7i64 5i64 } output { true }
-- input { 8i64 5i64 } output { true }
-- input { 9i64 5i64 } output { true }
-- input { 31i64 5i64 } output { true }
-- input { 33i64 5i64 } output { true }
-- input { 50i64 5i64 } output { true }
-- input { 64i64 5i64 } output { true }
-- input { 127i64 5i64 } output { true }
entry again (n: i64) (d: i64) : bool =
  let ps = points n d
  let a = matrix d
  let ks = indices n
  let table = map (\k -> f64.i64 (k + d)) (iota 7)
  in loop ok = true for k < 3 do
       let ws = map (\w -> w + f64.i64 k / 4) (weights n)
       let vs = map2 (body a) ps ws
       let vs' = one_by_one n (\i -> body a ps[i] ws[i])
       let (s, m) = (f64.sum vs, reduce f64.max (-10) vs)
       let (s', m') = loop (s, m) = (0, -10) for v in vs' do (s + v, f64.max m v)
       let par = map3 (branching a table) ks ps ws
       let seq =
         loop out = replicate n (replicate d 0) for i < n do
           out with [i] = branching a table ks[i] ps[i] ws[i]
       let g = vjp (total ps ws) a 1
       let g' = vjp (total' ps ws) a 1
       in ok && all_near vs vs' && near s s' && near m m' && and (map2 all_near par seq)
          && and (map2 all_near g g')
