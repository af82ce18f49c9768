-- Nests of loops that update arrays in place: both modes agree, of the gradient, too.  Adjoint code
-- of an inner loop takes the undo log of the loops around it where that holds all it needs.
-- ==
-- entry: agree
-- input { [0.7, 1.3, -0.4, 0.9, 0.2, 1.1] }
-- output { [true,true,true,true,true,true,true,true,true,true,true,true] }
-- ==
-- entry: agree
-- input { [0.7, 0.4] }
-- output { [true,true,true,true,true,true,true,true,true,true,true,true] }
def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)
def near (a: f64) (b: f64) : bool = f64.abs (a - b) <= 1e-6 * (1 + f64.abs a + f64.abs b)

def modes [n] (f: [n]f64 -> [n]f64) (xs: [n]f64) : bool =
  let v = map (\x -> f64.sin (3 * x)) xs
  let w = map (\i -> 0.5 + f64.i64 i / 7) (iota n)
  in near (dot w (jvp f xs v)) (dot v (vjp f xs w))

def twice [n] (f: [n]f64 -> [n]f64) (xs: [n]f64) : bool =
  modes f xs && modes (\xs -> vjp f xs (f xs)) xs

def table [n] (xs: [n]f64) : *[n][n]f64 =
  tabulate_2d n n (\i j -> f64.cos (xs[i] * f64.i64 (j + 1)) + f64.bool (i == j) * 3)

-- Three loops, of which the innermost decides.
def paths [n] (xs: [n]f64) : [n]f64 =
  let d = loop d = table xs for k < n do loop d for i < n do loop d for j < n do
            if d[i, k] + d[k, j] < d[i, j] then d with [i, j] = d[i, k] + d[k, j] else d
  in map f64.sum d

-- Bounds that follow from other trip numbers; a statement before the innermost loop updates, too.
def eliminated [n] (xs: [n]f64) : [n]f64 =
  let a = loop a = table xs for k < n do loop a for i in k + 1..<n do
            let f = a[i, k] / a[k, k]
            let a[i, k] = f
            in loop a for j in k + 1..<n do a with [i, j] = a[i, j] - f * a[k, j]
  in map (\i -> a[i, i]) (iota n)

def relaxed [n] (xs: [n]f64) : [n]f64 =
  loop u = copy xs for _t < 3 do loop u for i in 1..<n do
    u with [i] = 0.5 * (u[i - 1] * u[i] + xs[i])

-- What is computed around the inner loop, from what varies.
def scaled [n] (xs: [n]f64) : [n]f64 =
  loop u = copy xs for t < n do
    let c = f64.sin xs[t] * f64.exp (xs[0] - f64.i64 t)
    let m = (t + 2) / 2
    in loop u for i < m do u with [i] = u[i] * c + u[n - 1 - i]

-- Two arrays; in the second function they change places in the inner loop.
def two [n] (xs: [n]f64) : [n]f64 =
  let (a, b) = loop (a, b) = (copy xs, map (* 2) xs) for _t < 2 do loop (a, b) for i < n do
                 let t = a[i] * b[n - 1 - i]
                 let s = t + a[i]
                 in (a with [i] = f64.sin t, b with [i] = s)
  in map2 (*) a b

def exchanged [n] (xs: [n]f64) : [n]f64 =
  let (a, b) = loop (a, b) = (copy xs, map (* 2) xs) for _t < 2 do loop (a, b) for i < n do
                 let t = a[i] * b[i]
                 in (b with [i] = a[n - 1 - i] * 0.5, a with [i] = t)
  in map2 (*) (a :> [n]f64) (b :> [n]f64)

-- A number goes round beside the array, a place depends on data, rows are written, loops end early.
def carried [n] (xs: [n]f64) : [n]f64 =
  let (u, s) = loop (u, s) = (copy xs, 1) for _t < 3 do loop (u, s) for i < n do
                 let t = f64.cos (s + u[i])
                 in (u with [i] = u[i] * s, t)
  in map (+ s) u

def placed [n] (xs: [n]f64) : [n]f64 =
  let place x = (i64.f64 (f64.floor (5 * x)) %% n + n) %% n
  in loop u = copy xs for _t < 3 do loop u for i < n do
       let k = place u[i] in u with [k] = u[i] * u[k]

def by_rows [n] (xs: [n]f64) : [n]f64 =
  let a = loop a = table xs for t < 3 do loop a for i < n do
            a with [i] = map2 (\x y -> x * y + f64.i64 t) a[i] a[n - 1 - i]
  in map f64.sum a

def scattered [n] (xs: [n]f64) : [n]f64 =
  loop u = copy xs for _t < 2 do loop u for i < n do
    scatter u [i, (i + 1) % n] [u[i] * u[0], f64.sin u[i]]

def stopped [n] (xs: [n]f64) : [n]f64 =
  loop u = copy xs for _t < 2 do
    let (u, _) = loop (u, i) = (u, 0i64) while i < n && u[i] < 1 do (u with [i] = u[i] * 1.5, i + 1)
    in u

-- The array is read after the inner loop.
def read_after [n] (xs: [n]f64) : [n]f64 =
  loop u = copy xs for t < n do
    let u = loop u for i < n do u with [i] = u[i] * u[0] + 0.1
    in u with [t] = u[t] * u[n - 1]

entry agree [n] (xs: [n]f64) : [12]bool =
  [twice paths xs, twice eliminated xs, twice relaxed xs, twice scaled xs, twice two xs,
   twice exchanged xs, twice carried xs, twice placed xs, twice by_rows xs, twice scattered xs,
   twice stopped xs, twice read_after xs]
