-- Arrays updated in place in ways that users write: both modes agree, of `cells` also those of the
-- gradient, and the gradient is what differences say.
-- ==
-- entry: agree
-- input { [0.7, 1.3, -0.4, 0.9, 0.2, 1.1] }
-- output { [true,true,true,true,true,true,true,true,true,true,true,true,true] }
-- ==
-- entry: agree
-- input { [0.7] }
-- output { [true,true,true,true,true,true,true,true,true,true,true,true,true] }
def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)
def near (a: f64) (b: f64) : bool = f64.abs (a - b) <= 1e-6 * (1 + f64.abs a + f64.abs b)

def modes [n] (f: [n]f64 -> [n]f64) (xs: [n]f64) : bool =
  let v = map (\x -> f64.sin (3 * x)) xs
  let w = map (\i -> 0.5 + f64.i64 i / 7) (iota n)
  in near (dot w (jvp f xs v)) (dot v (vjp f xs w))

def holds [n] (f: [n]f64 -> [n]f64) (xs: [n]f64) : bool =
  let h = 1e-5
  let v = map (\x -> f64.cos (2 * x)) xs
  let square xs = dot (f xs) (f xs) / 2
  let at h = square (map2 (\x v -> x + h * v) xs v)
  let gradient xs = vjp f xs (f xs)
  in modes f xs && near (dot v (gradient xs)) ((at h - at (-h)) / (2 * h))

def twice [n] (f: [n]f64 -> [n]f64) (xs: [n]f64) : bool =
  holds f xs && modes (\xs -> vjp f xs (f xs)) xs

-- Parameters that change places; a cell read after it was overwritten.
def exchanged [n] (xs: [n]f64) : [n]f64 =
  let (a, b) = loop (a, b) = (copy xs, copy xs) for i < n do
                 (b with [i] = b[i] * 0.5, a with [n - 1 - i] = a[i] * 1.5 + a[0])
  in map2 (*) a b

def both [n] (xs: [n]f64) : [n]f64 =
  let (a, b) = loop (a, b) = (copy xs, copy xs) for i < n do
                 let t = a[i]
                 let a[i] = b[n - 1 - i] * t
                 let b[i] = t * 2 + a[i]
                 in (a, b)
  in map2 (*) a b

-- Updates in branches, one, none or several; the branch's value depends on what it overwrites.
def branches [n] (xs: [n]f64) : [n]f64 =
  loop a = copy xs for i < 2 * n do
    let k = i % n
    let b = if i % 2 == 0 then a with [k] = a[k] ** 2 else a
    in if b[k] > 0.5
       then (let b[k] = b[k] * b[0] let b[(k + 1) % n] = b[k] + b[(k + 1) % n] in b)
       else b

def maximum_so_far [n] (xs: [n]f64) : [n]f64 =
  (loop (a, m) = (copy xs, 0) for i < n do
     let t = a[i]
     in if t > m then (a with [i] = m * t + t, t) else (a, m * 0.9)).0

-- Loops of as many iterations as the data say, inside one another.
def sifted [n] (xs: [n]f64) : [n]f64 =
  (loop (a, p) = (copy xs, 0) while p < n do
     let (a, _) = loop (a, q) = (a, p) while q > 0 && a[q] < a[q - 1] do
                    let t = a[q]
                    let u = a[q - 1]
                    let a[q] = u * 0.9
                    in (a with [q - 1] = t, q - 1)
     in (a, p + 1)).0

def halved [n] (xs: [n]f64) : [n]f64 =
  (loop (a, i, c) = (copy xs, 0, 0) while i < n && c < 9 * n do
     let big = a[i] > 0.6
     in (if big then a with [i] = a[i] * a[i] * 0.5 else a, if big then i else i + 1, c + 1)).0

-- The whole array is made anew in one branch, updated in the other.
def scaled_or_set [n] (xs: [n]f64) : [n]f64 =
  loop a = copy xs for i < n do
    if a[i] > 0.5 then let t = a[i] in map (* t) a else a with [i] = a[i] * 2 + 0.1

-- A constructor says which update is next.
def by_state [n] (xs: [n]f64) : [n]f64 =
  (loop (a, state) = (copy xs, #low : #low | #high f64) for i < n do
     match state
     case #low -> let t = a[i] in (a with [i] = t * t, #high t)
     case #high v -> (a with [i] = a[i] * v, if v > 1 then #low else #high (v * 1.1))).0

-- Slices, rows and columns; scatters and histograms of a few cells; rows of an array of states.
def slices [n] (xs: [n]f64) : [n]f64 =
  loop a = copy xs for i < n - 1 do let a[i:i + 2] = [a[i] * a[i + 1], a[i + 1] + a[i]] in a

def rows [n] (xs: [n]f64) : [n]f64 =
  let a = loop a = replicate 3 (copy xs) for i < 5 do
            let a[i % 3] = map2 (*) a[(i + 1) % 3] a[(i + 2) % 3]
            let t = a[i % 3, 0]
            let a[:, 0] = map (+ t) (copy a[:, 0])
            in a
  in map2 (+) a[0] a[2]

def cells [n] (xs: [n]f64) : [n]f64 =
  loop a = copy xs for i < n do
    let s = scatter a [i, i / 2, n] [a[i] * a[0], a[i / 2] ** 2, 1]
    in reduce_by_index s (+) 0 [i, 0, -1] [s[0] * s[i] * 0.1, s[i] * 0.1, 7]

-- A copy for every element.
def copies [n] (xs: [n]f64) : [n]f64 =
  map (\i -> f64.sum (loop a = copy xs for j < 3 do
                        a with [(i + j) % n] = a[i] * 0.5 + a[(i + 2 * j) % n] ** 2)) (iota n)

-- Branches that exchange two arrays, or update one of them.
def crossed [n] (xs: [n]f64) : [n]f64 =
  let (a, b) = loop (a, b) = (copy xs, map (* 2) xs) for i < 2 * n do
                 if i % 3 == 0 then (a, b with [i / 2] = b[i / 2] * a[0])
                 else if a[i / 2] > 0.5 then let t = a[i / 2] in (a with [i / 2] = b[0] * t, b)
                 else (b with [n - 1] = a[n - 1] ** 2, a)
  in map2 (-) a b

entry agree [n] (xs: [n]f64) : []bool =
  [holds exchanged xs, holds both xs, holds branches xs, holds maximum_so_far xs, holds sifted xs,
   holds halved xs, holds scaled_or_set xs, holds by_state xs, holds slices xs, holds rows xs,
   twice cells xs, holds copies xs, holds crossed xs]

-- The loop's result is a view of two arrays that are overwritten later; only one of these is rolled back,
-- since nothing keeps the other.
def overwritten (n: i64) (xs: [4]f64) : (f64, [4]f64, [4]f64) =
  let ss = scan (\x y -> x + y + x * y) 0 xs
  let z = map f64.cos xs
  let (_, q) = loop (_p, q) = (ss, z) for _i < n do (q, ss)
  let k = f64.tanh q[0]
  let t = ss with [0] = k
  let u = z with [0] = 1
  in (k, t, u)

-- ==
-- entry: overwritten_later
-- input { 0i64 [0.1, 0.2, 0.3, 0.4] } output { true }
-- input { 3i64 [0.1, 0.2, 0.3, 0.4] } output { true }
entry overwritten_later n xs =
  let ones = replicate 4 1
  let reverse = vjp (overwritten n) xs (1, ones, ones)
  let along i = jvp (overwritten n) xs (tabulate 4 (\j -> if i == j then 1 else 0))
  let forward = tabulate 4 (\i -> let (a, b, c) = along i in a + f64.sum b + f64.sum c)
  in and (map2 near reverse forward)
