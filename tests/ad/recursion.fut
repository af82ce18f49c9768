-- Functions that are called in derivatives: recursive ones, and ones that are not to be inlined.

def power (x: f64) (n: i64) : f64 = if n == 0 then 1 else x * power x (n - 1)

-- ==
-- entry: power_vjp power_jvp power_vector
-- input { 2.0 5i64 } output { 80.0 }
-- input { 3.0 0i64 } output { 0.0 }
entry power_vjp x n = vjp (\x -> power x n) x 1f64
entry power_jvp x n = jvp (\x -> power x n) x 1f64
entry power_vector x n = f64.sum (map (vjp (\x -> power x n) x) [0.5f64, 0.25, 0.25])

-- Every nesting of order two.
-- ==
-- entry: power_second
-- input { 2.0 5i64 } output { 160.0 160.0 160.0 160.0 }
entry power_second x n =
  (jvp (\x -> jvp (\x -> power x n) x 1f64) x 1,
   jvp (\x -> vjp (\x -> power x n) x 1f64) x 1,
   vjp (\x -> jvp (\x -> power x n) x 1f64) x 1,
   vjp (\x -> vjp (\x -> power x n) x 1f64) x 1)

-- The last thing a function does: no value of the primal is computed again.
def tail (acc: f64) (n: i64) (x: f64) : f64 =
  if n == 0 then acc else tail (acc * x + 1) (n - 1) x

-- ==
-- entry: tail_modes
-- input { 2.0 3i64 } output { 17.0 17.0 8.0 }
entry tail_modes x n =
  (vjp (tail 1 n) x 1f64, jvp (tail 1 n) x 1f64, vjp (\a -> tail a n x) 1 1f64)

-- A tree over an array.
def tree [n] (xs: [n]f64) (lo: i64) (hi: i64) : f64 =
  if hi - lo <= 1 then xs[lo]
  else let mid = (lo + hi) / 2
       in tree xs lo mid * tree xs mid hi

-- ==
-- entry: tree_modes
-- input { [2.0,3.0,4.0,5.0] } output { [60.0,40.0,30.0,24.0] [60.0,40.0,30.0,24.0] }
-- input { [2.0] } output { [1.0] [1.0] }
entry tree_modes [n] (xs: [n]f64) =
  (vjp (\xs -> tree xs 0 n) xs 1,
   map (\i -> jvp (\xs -> tree xs 0 n) xs (tabulate n (\j -> f64.bool (i == j)))) (iota n))

-- Arrays that are updated on the way down, of a size that is only known at run time on the way up.
def fill [n] (xs: *[n]f64) (i: i64) (x: f64) : *[n]f64 =
  if i == n then xs
  else let last = if i == 0 then x else xs[i - 1]
       in fill (xs with [i] = last * xs[i]) (i + 1) x

def grown (n: i64) (x: f64) : []f64 =
  if n == 0 then [x] else let ys = grown (n - 1) (x * 2) in ys ++ [x * ys[0]]

-- ==
-- entry: arrays
-- input { [3.0,4.0,5.0] 2.0 } output { [40.0,30.0,24.0] 60.0 60.0 52.0 52.0 }
entry arrays [n] (xs: [n]f64) (x: f64) =
  let f xs x = (fill (copy xs) 0 x)[n - 1]
  let g x = f64.sum (grown 2 x)
  let (dxs, dx) = vjp (\(xs, x) -> f xs x) (xs, x) 1
  in (dxs, dx, jvp (f xs) x 1, vjp g x 1, jvp g x 1)

-- Two functions of which each calls the other, several results, constants of the program.
def table = map f64.i64 (iota 4)

#[noinline]
def pair (x: f64) (y: f64) : (f64, f64) = (x * y, x + table[2] * y)

def cross (n: i64) (x: f64) (y: f64) : (f64, f64) =
  let (a, b) = pair x y
  in if n == 0 then (a, b) else cross (n - 1) b a

-- ==
-- entry: several
-- input { 2.0 3.0 } output { 30.0 28.0 30.0 28.0 }
entry several (x: f64) (y: f64) =
  let f x y = (cross 1 x y).0
  let (dx, dy) = vjp (\(x, y) -> f x y) (x, y) 1
  in (dx, dy, jvp (\x -> f x y) x 1, jvp (\y -> f x y) y 1)

-- A custom rule in a function, which an outer operator uses too.
#[noinline]
def custom (x: f64) : f64 = with_vjp (\x -> x * x) (\_ s -> 10 * s) x

-- ==
-- entry: rules
-- input { 3.0 } output { 10.0 10.0 9.0 0.0 }
entry rules (x: f64) =
  (vjp custom x 1, jvp custom x 1, custom x, vjp (vjp custom x) 1 0 + jvp (vjp custom x) 1 0)

-- An operator in a function that is differentiated, and in one that is not.
#[noinline]
def slope (x: f64) : f64 = vjp (\x -> power x 3) x 1

-- ==
-- entry: inside
-- input { 2.0 } output { 12.0 12.0 12.0 6.0 }
entry inside (x: f64) = (slope x, vjp slope x 1, jvp slope x 1, vjp (vjp slope x) 1 0 + jvp (\x -> jvp slope x 1) x 1)

-- Branches that call functions of two arrays, in which both have a part.
def crossing [n] (xs: [n]f64) (ys: [n]f64) (k: i64) : ([n]f64, [n]f64) =
  if k <= 0 then (map2 (*) xs ys, ys) else crossing (map (* 2) ys) xs (k - 1)

#[noinline]
def either [n] (xs: [n]f64) (ys: [n]f64) (k: i64) : ([n]f64, [n]f64) =
  if k <= 0 then (ys, xs) else (map2 (*) xs ys, ys)

-- ==
-- entry: branch_calls
-- input { [1.0,2.0] 3i64 true } output { [32.0,128.0] [16.0,64.0] [1.0,4.0] [2.0,8.0] }
-- input { [1.0,2.0] 3i64 false } output { [1.0,2.0] [1.0,2.0] [1.0,2.0] [1.0,2.0] }
-- input { empty([0]f64) 3i64 true }
-- output { empty([0]f64) empty([0]f64) empty([0]f64) empty([0]f64) }
entry branch_calls [n] (x: [n]f64) (k: i64) (c: bool) =
  let product (a: [n]f64, b: [n]f64) = f64.sum (map2 (*) a b)
  let f (x, y) = product (if c then crossing x y k else (y, x))
  let g (x, y) = product (if c then either x y k else either y x 0)
  let ((a, b), (d, e)) = (vjp f (x, x) 1, vjp g (x, x) 1)
  in (a, b, d, e)
