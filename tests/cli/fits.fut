-- Loops whose derivatives keep to a memory limit: fits.sh, memory.t.

def ring [n] (t: i64) (xs: [n]f64) : f64 =
  f64.sum (loop xs for _i < t do map2 (\x y -> 0.9 * x + 0.1 * f64.sin y) xs (rotate 1 xs))

def waves [n] (t: i64) (us: [n]f64) : f64 =
  let (us, vs) = loop (us, vs) = (us, map (* 0.5) us) for _i < t do
    let vs = map3 (\a b v -> v + 0.1 * f64.sin (a - b)) (rotate 1 us) us vs
    in (map2 (\u v -> u + 0.1 * v) us vs, vs)
  in f64.sum us + f64.sum vs

def inner [n] (t: i64) (xs: [n]f64) : f64 =
  f64.sum (loop xs for _i < t do
    loop ys = xs for _j < 3 do map2 (\x y -> f64.cos x * y) ys (reverse ys))

def weights [n] (t: i64) (ws: [n]f64) : f64 =
  f64.sum (loop xs = map (const 0.1) ws for _i < t do
    let sums = scan (+) 0 xs
    in map3 (\w x s -> f64.tanh (w * x + 0.001 * s)) ws xs sums)

def steps [n] (t: i64) (xs: [n]f64) : f64 =
  let (xs, _, _) = loop (xs, e, k) = (xs, 1f64, 0) while k < t && e > 0 do
    (map2 (\x y -> f64.sin (x * y)) xs (rotate 2 xs), e * 0.9, k + 1)
  in f64.sum xs

def cells [n] (t: i64) (xs: [n]f64) : f64 =
  let m = n / 8
  let step (s: [m][8]f64) =
    tabulate_2d m 8 (\i j -> 0.3 * s[i, j] + 0.7 * f64.sin (s[(i + 1) % m, j] * s[i, (j + 1) % 8]))
  in f64.sum (flatten (loop s = unflatten (xs[:m * 8] :> [m * 8]f64) for _i < t do step s))

-- Return code needs one number of each row and its neighbour.
def rows [n] (t: i64) (xs: [n]f64) =
  let m = n / 8
  let step (s: [m][8]f64) =
    map2 (\row next -> let e = 0.1 * f64.sin (f64.sum row - next[0]) in map (\x -> 0.9 * x + e) row) s
      (rotate 1 s)
  in f64.sum (flatten (loop s = unflatten (xs[:m * 8] :> [m * 8]f64) for _i < t do step s))

-- Return code needs one number of each row, read through an index that goes round.
def wheel [n] (t: i64) (xs: [n]f64) =
  let m = n / 8
  let step (s: [m][8]f64) =
    tabulate m (\i -> let e = 0.1 * f64.sin (f64.sum s[(i + 1) % m]) in map (\x -> 0.9 * x + e) s[i])
  in f64.sum (flatten (loop s = unflatten (xs[:m * 8] :> [m * 8]f64) for _i < t do step s))

-- The same beside a number that takes statements of its own.
def long [n] (t: i64) (xs: [n]f64) =
  let m = n / 8
  let step (s: [m][8]f64, w: f64) =
    (map2 (\row next -> let e = 0.1 * f64.sin (w + f64.sum row - next[0]) in map (\x -> 0.9 * x + e) row) s
       (rotate 1 s),
     #[unroll] loop w for k < 7 do 0.7 * w + 0.2 * f64.cos (w + f64.i32 k))
  in f64.sum (flatten (loop (s, w) = (unflatten (xs[:m * 8] :> [m * 8]f64), 1) for _i < t do step (s, w)).0)

-- Updates in place: all that they overwrite is kept.
def relax [n] (t: i64) (xs: [n]f64) =
  f64.sum (loop xs = copy xs for _i < t / 4 do
    loop xs for k < n - 2 do xs with [k + 1] = f64.sin (xs[k] * xs[k + 2]))

-- Few updates.
def few [n] (t: i64) (xs: [n]f64) =
  f64.sum (loop xs = copy xs for i < t * (n / 32) do xs with [i % n] = f64.sin (xs[i % n] * xs[(i * 7 + 3) % n]))

-- At places and beside numbers that data decide, some of it by branches.
def swaps [n] (t: i64) (xs: [n]f64) =
  let (xs, e) = loop (xs, e) = (copy xs, 1) for i < t * (n / 32) do
    let k = (i * 7) % n
    let j = (k + i64.f64 (f64.abs xs[k] * 100)) % n
    let (x, y) = (xs[k], xs[j])
    in if x > y then ((xs with [k] = f64.sin y * e) with [j] = x * f64.cos e, 0.9 * e + 0.01 * x)
       else (xs with [j] = f64.cos (x * y), e)
  in f64.sum xs * e

-- Rows that are scattered, of a width made in the loop.
def spread [n] (t: i64) (xs: [n]f64) =
  f64.sum (loop xs = copy xs for i < t / 4 do
    let is = map (\j -> (j * 7 + i) % n) (iota (n / 2))
    in scatter xs is (map (\k -> f64.sin (xs[k] * xs[(k + 1) % n])) is))

-- Inner loops that grow with the iteration.
def fall [n] (t: i64) (xs: [n]f64) =
  f64.sum (loop xs = copy xs for i < t / 2 do
    loop xs for k < i * (n / 16) do
      let k = k % n
      in xs with [k] = f64.sin (xs[k] * xs[(k + 2) % n]))

-- What a map reads at places of its own and at others is contributed to in two arrays.
def gathered [n] (t: i64) (xs: [n]f64) =
  f64.sum (loop ys = xs for _i < t do map2 (\i y -> f64.sin (0.9 * y + ys[(i + 1) % n])) (iota n) ys)

-- Arrays of an iteration that do not fuse, as they are read at other places.
def between [n] (t: i64) (xs: [n]f64) =
  let m = n / 2
  let turned (xs: [m]f64) (ys: [m]f64) =
    let (ps, qs) = unzip (map2 (\x y -> (f64.sin (x * y), f64.cos (x + y))) xs ys)
    in map2 (\p i -> p * qs[(i + 3) % m]) ps (iota m)
  let (xs, ys) = loop (xs, ys) = (xs[:m], map f64.cos xs[:m]) for _i < t do
    let xs' = rotate 1 xs
    in (turned xs xs', turned xs' ys)
  in f64.sum xs + f64.sum ys

-- Histograms, and what a scan that does not add wants again.
def sums [n] (t: i64) (xs: [n]f64) =
  let m = n / 2
  let (xs, ys) = loop (xs, ys) = (xs[:m], map f64.cos xs[:m]) for _i < t do
    let zs = hist (+) 0 m (map (\i -> (i * 7) % m) (iota m)) ys
    in (map f64.sin (scan f64.max (-1) zs), map2 (*) (rotate 1 zs) (reverse xs))
  in f64.sum xs + f64.sum ys

-- A result that is read in its iteration, and next time by nobody.
def unread [n] (t: i64) (xs: [n]f64) =
  let (xs, ys) = loop (xs, _) = (xs, xs) for _i < t / 2 do
    let zs = rotate 1 xs
    let most = f64.maximum zs
    in (map (\z -> f64.exp (z - most)) zs, zs)
  in f64.sum xs + f64.sum ys

-- A branch makes arrays on the way, one case more than the other.
def cases [n] (t: i64) (xs: [n]f64) =
  f64.sum (loop xs for i < t do
    let ys = if i % 2 == 0
             then let zs = scan (+) 0 (map (0.01 *) xs)
                  let ws = scan (*) 1 (map (\z -> 1 + 1e-4 * z) (reverse zs))
                  in map2 (\z w -> f64.tanh (z * w)) zs ws
             else map f64.sin xs
    in map2 (\x y -> 0.9 * x + 0.1 * y) (reverse xs) ys)

-- What comes between the sweeps of the loop takes more than its iterations; part of it stays.
def behind [n] (t: i64) (xs: [n]f64) =
  let ys = loop xs for _i < t do map2 (\x y -> 0.9 * f64.sin x + 0.1 * y) xs (rotate 1 xs)
  let zs = scan (*) 1 (map (\y -> 1 + 1e-4 * y) ys)
  let ws = scan (\p q -> p + q + 1e-3 * p * q) 0 (map2 (*) zs (reverse ys))
  in f64.sum (map3 (\w z x -> w * f64.cos (z * x)) ws zs (rotate 2 xs))

-- Two loops share the limit, beside what is between them.
def shared [n] (t: i64) (xs: [n]f64) =
  let step xs = map2 (\x y -> 0.9 * f64.sin x + 0.1 * y) xs (rotate 1 xs)
  let ys = loop xs for _i < t do step xs
  let zs = scan f64.max (-1) (map2 (\x y -> x * f64.cos y) (reverse ys) ys)
  in f64.sum (loop zs for _i < t / 2 do step zs)

def grad [n] (f: [n]f64 -> f64) : f64 = f64.sum (vjp f (map (\i -> 0.01 * f64.i64 i) (iota n)) 1)
entry e_ring (n: i64) (t: i64) = grad (ring t : [n]f64 -> f64)
entry e_waves (n: i64) (t: i64) = grad (waves t : [n]f64 -> f64)
entry e_inner (n: i64) (t: i64) = grad (inner t : [n]f64 -> f64)
entry e_weights (n: i64) (t: i64) = grad (weights t : [n]f64 -> f64)
entry e_steps (n: i64) (t: i64) = grad (steps t : [n]f64 -> f64)
entry e_cells (n: i64) (t: i64) = grad (cells t : [n]f64 -> f64)
entry e_rows (n: i64) (t: i64) = grad (rows t : [n]f64 -> f64)
entry e_wheel (n: i64) (t: i64) = grad (wheel t : [n]f64 -> f64)
entry e_long (n: i64) (t: i64) = grad (long t : [n]f64 -> f64)
entry e_relax (n: i64) (t: i64) = grad (relax t : [n]f64 -> f64)
entry e_few (n: i64) (t: i64) = grad (few t : [n]f64 -> f64)
entry e_swaps (n: i64) (t: i64) = grad (swaps t : [n]f64 -> f64)
entry e_spread (n: i64) (t: i64) = grad (spread t : [n]f64 -> f64)
entry e_fall (n: i64) (t: i64) = grad (fall t : [n]f64 -> f64)
entry e_gathered (n: i64) (t: i64) = grad (gathered t : [n]f64 -> f64)
entry e_between (n: i64) (t: i64) = grad (between t : [n]f64 -> f64)
entry e_sums (n: i64) (t: i64) = grad (sums t : [n]f64 -> f64)
entry e_unread (n: i64) (t: i64) = grad (unread t : [n]f64 -> f64)
entry e_cases (n: i64) (t: i64) = grad (cases t : [n]f64 -> f64)
entry e_behind (n: i64) (t: i64) = grad (behind t : [n]f64 -> f64)
entry e_shared (n: i64) (t: i64) = grad (shared t : [n]f64 -> f64)
