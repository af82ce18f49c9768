-- Loops whose return code needs one number of every row: taped for all iterations, or for blocks of
-- them between the states held.  The derivatives agree bit by bit.
-- ==
-- entry: same
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 2i64 } output { true }
-- input { 7i64 } output { true }
-- input { 20i64 } output { true }
-- input { 61i64 } output { true }

def step [m] (s: [m][8]f64) : [m][8]f64 =
  map2 (\row next -> let e = 0.1 * f64.sin (f64.sum row - next[0]) in map (\x -> 0.9 * x + e) row)
       s (rotate 1 s)

def all [m] (t: i64) (s: [m][8]f64) = loop s for _i < t do step s
def one [m] (t: i64) (s: [m][8]f64) = #[checkpoint(1)] loop s for _i < t do step s
def two [m] (t: i64) (s: [m][8]f64) = #[checkpoint(2)] loop s for _i < t do step s
def three [m] (t: i64) (s: [m][8]f64) = #[checkpoint(3)] loop s for _i < t do step s
def five [m] (t: i64) (s: [m][8]f64) = #[checkpoint(5)] loop s for _i < t do step s
def log [m] (t: i64) (s: [m][8]f64) = #[checkpoint] loop s for _i < t do step s

-- A counter, a scalar and a vector beside the rows.
def more [m] (t: i64) (s: [m][8]f64) =
  let (s, q, w, _) = #[checkpoint(3)] loop (s, q, w, k) = (s, map (\r -> r[0]) s, 0.5, 0) for _i < t do
    let (s, q) = unzip (map2 (\row u -> let e = f64.sin (f64.sum row) * u * w
                                        in (map (\x -> 0.5 * x + e + f64.i64 k) row, e)) s q)
    in (s, q, f64.cos w, k + 2)
  in map2 (\row u -> map (+ u * w) row) s q
def more_all [m] (t: i64) (s: [m][8]f64) =
  let (s, q, w, _) = loop (s, q, w, k) = (s, map (\r -> r[0]) s, 0.5, 0) for _i < t do
    let (s, q) = unzip (map2 (\row u -> let e = f64.sin (f64.sum row) * u * w
                                        in (map (\x -> 0.5 * x + e + f64.i64 k) row, e)) s q)
    in (s, q, f64.cos w, k + 2)
  in map2 (\row u -> map (+ u * w) row) s q

entry same (t: i64) : bool =
  let s = tabulate_2d 3 8 (\i j -> 0.1 * f64.i64 (i * 8 + j))
  let seed = map (map f64.sin) s
  let equal a b = and (map2 (==) (flatten a) (flatten b))
  let want = vjp (all t) s seed
  in equal want (vjp (one t) s seed) && equal want (vjp (two t) s seed)
     && equal want (vjp (three t) s seed) && equal want (vjp (five t) s seed)
     && equal want (vjp (log t) s seed) && equal (vjp (more_all t) s seed) (vjp (more t) s seed)
