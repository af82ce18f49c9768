-- Gradients that were dear once: NAME_B_grad costs at most B times what NAME_B costs, at 32 and 64,
-- before any optimisation and after all.  Judged by tests/unit/test_ad_cost.c with the
-- interpreter's counts.
def some (n: i64) : [n]f64 = tabulate n (\i -> 1 + f64.i64 (i %% 7) / 10)
def table (n: i64) : [n][n]f64 = tabulate_2d n n (\i j -> 1 + f64.i64 ((i * 5 + j * 3) %% 11) / 10)
def heavy (n: i64) : [n][n]f64 =
  tabulate_2d n n (\i j -> if i == j then f64.i64 (2 * n) else 1 / f64.i64 (1 + i + j))
def grad 'a (f: a -> f64) (x: a) : a = vjp f x 1
def dot [n] (x: [n]f64) (y: [n]f64) = f64.sum (map2 (*) x y)

-- Calls that read an array: binary search, one after the other, each kept as a function.
def look [n] (x: [n]f64) (q: f64) (lo: i64) (hi: i64) : f64 =
  if hi - lo <= 1 then x[lo] * q
  else let m = (lo + hi) / 2 in if x[m] > q then look x q lo m else look x q m hi
def looks [n] (x: [n]f64) : f64 = f64.sum (map (\i -> look x (f64.i64 i) 0 n) (iota n))
entry search_6 (n: i64) = looks (tabulate n f64.i64)
entry search_6_grad (n: i64) = grad looks (tabulate n f64.i64)

def down [n] (a: [n]f64) (i: i64) (s: f64) : f64 =
  if i == n then s else down a (i + 1) (f64.sin (s + a[i]))
entry calls_in_a_row_4 (n: i64) = down (some n) 0 0
entry calls_in_a_row_4_grad (n: i64) = grad (\a -> down a 0 0) (some n)

#[noinline]
def kept [n] (x: [n]f64) (i: i64) = x[i] * f64.sin x[i * 7 % n]
def kept_all [n] (x: [n]f64) = f64.sum (map (kept x) (iota n))
entry calls_of_kept_3 (n: i64) = kept_all (some n)
entry calls_of_kept_3_grad (n: i64) = grad kept_all (some n)

-- A call that consumes copies nothing: against a loop, of a function that is one or is none.
def fill [n] (a: *[n]f64) (i: i64) : *[n]f64 =
  if i == n then a else fill (a with [i] = a[i] + 1) (i + 1)
def fill_parts [n] (a: *[n]f64) (lo: i64) (hi: i64) : *[n]f64 =
  if hi - lo <= 1 then a with [lo] = a[lo] + 1
  else let m = (lo + hi) / 2 in fill_parts (fill_parts a lo m) m hi
def fill_loop (n: i64) = f64.sum (loop a = some n for i < n do a with [i] = a[i] + 1)
entry consumed_2 = fill_loop
entry consumed_2_grad (n: i64) = f64.sum (fill (copy (some n)) 0)
entry consumed_in_parts_3 = fill_loop
entry consumed_in_parts_3_grad (n: i64) = f64.sum (fill_parts (copy (some n)) 0 n)
entry consumed_backwards_4 = fill_loop
entry consumed_backwards_4_grad (n: i64) = grad (\x -> f64.sum (fill (copy x) 0)) (some n)

-- Cells updated under conditions, in nested loops.
def paths [n] (x: [n]f64) : f64 =
  let d = tabulate_2d n n (\i j -> if i == j then 0 else f64.abs (x[i] - x[j] * 2) + 0.1)
  let d = loop d for k < n do loop d for i < n do loop d for j < n do
            if d[i, k] + d[k, j] < d[i, j] then d with [i, j] = d[i, k] + d[k, j] else d
  in f64.sum (flatten d)
entry floyd_warshall_8 (n: i64) = paths (some n)
entry floyd_warshall_8_grad (n: i64) = grad paths (some n)

def relaxed [n] (x: [n]f64) : f64 =
  f64.sum (loop a = copy x for _k < n do loop a for i in 1..<n do
             if a[i - 1] * 1.01 < a[i] then a with [i] = a[i - 1] * 1.01 else a)
entry bellman_ford_7 (n: i64) = relaxed (some n)
entry bellman_ford_7_grad (n: i64) = grad relaxed (some n)

def appends [n] (x: [n]f64) : f64 = f64.sum (loop r = [] for i < n do r ++ [x[i] * x[i]])
entry appended_2 (n: i64) = appends (some n)
entry appended_2_grad (n: i64) = grad appends (some n)

-- A column of a matrix in every iteration of a loop; a plane of a block.
def columns [n] [m] (a: [n][m]f64) : f64 =
  loop s = 0 for j < m do s + f64.sum (map (\i -> a[i, j] * a[i, j]) (iota n))
entry columns_3 (n: i64) = columns (table n)
entry columns_3_grad (n: i64) = grad columns (table n)

def rows_read [n] [m] (a: [n][m]f64) : f64 =
  loop s = 0 for j < m do s + f64.sum (map (\r -> r[j] * r[(j + 1) % m]) a)
entry columns_of_rows_3 (n: i64) = rows_read (table n)
entry columns_of_rows_3_grad (n: i64) = grad rows_read (table n)

def weather [n] [k] (a: [n][n][k]f64) : f64 =
  (loop (x, s) = (tabulate_2d n n (\_ _ -> 0), 0) for t < k do
     let x = tabulate_2d n n (\i j -> 0.5 * x[i, j] + a[i, j, t] * a[i, j, t])
     in (x, s + f64.sum (flatten x))).1
def block (n: i64) = tabulate_3d 8 8 n (\i j k -> f64.i64 (i + j + k))
entry planes_3 (n: i64) = weather (block n)
entry planes_3_grad (n: i64) = grad weather (block n)

-- The return sweep of nested loops undoes the updates once; products of parts of rows.
def filled [n] (a: [n][n]f64) : f64 =
  f64.sum (flatten (loop b = copy a for i < n do loop b for j < n do
                      b with [i, j] = b[i, j] + dot b[j, :i] a[i, :i]))
entry rows_of_rows_5 (n: i64) = filled (table n)
entry rows_of_rows_5_grad (n: i64) = grad filled (table n)

def halves [n] (a: [n][n]f64) : f64 =
  f64.sum (flatten (loop b = copy a for i in 1..<n do b with [i] = map2 (*) b[i - 1] a[i]))
entry rows_from_rows_3 (n: i64) = halves (table n)
entry rows_from_rows_3_grad (n: i64) = grad halves (table n)

def updated [n] (c: [n][n]f64) (v: [n]f64) : f64 =
  f64.sum (flatten (loop c = copy c for i < n do loop c for k < 8 do
                      let row = map2 (\x y -> x + y * f64.i64 k) c[i] v in c with [i] = row))
entry rows_in_place_2 (n: i64) = updated (table n) (some n)
entry rows_in_place_2_grad (n: i64) = grad (\c -> updated c c[0]) (table n)

def solved [n] (l: [n][n]f64) : f64 =
  let b = some n
  in f64.sum (loop x = copy b for i < n do x with [i] = (b[i] - dot l[i, :i] x[:i]) / l[i, i])
entry triangle_3 (n: i64) = solved (heavy n)
entry triangle_3_grad (n: i64) = grad solved (heavy n)

def cholesky [n] (a: [n][n]f64) : f64 =
  let l = loop a = copy a for i < n do
            let a = loop a for j < i do a with [i, j] = (a[i, j] - dot a[i, :j] a[j, :j]) / a[j, j]
            in a with [i, i] = f64.sqrt (a[i, i] - dot a[i, :i] a[i, :i])
  in f64.sum (map (\i -> f64.log l[i, i]) (iota n))
entry cholesky_8 (n: i64) = cholesky (heavy n)
entry cholesky_8_grad (n: i64) = grad cholesky (heavy n)

def eliminated [n] (a: [n][n]f64) : f64 =
  f64.sum (flatten (loop a for k < n - 1 do
    tabulate_2d n n (\i j -> if i > k then a[i, j] - a[i, k] / a[k, k] * a[k, j] else a[i, j])))
entry elimination_6 (n: i64) = eliminated (heavy n)
entry elimination_6_grad (n: i64) = grad eliminated (heavy n)

-- Two products of a matrix, with rows and with columns; a number that all cells share.
def both_ways [n] (a: [n][n]f64) : f64 =
  f64.sum (map (dot a[0]) a) + f64.sum (map (dot a[1]) (transpose a))
entry products_2 (n: i64) = both_ways (table n)
entry products_2_grad (n: i64) = grad both_ways (table n)

def traced [n] (a: [n][n]f64) : f64 =
  let t = f64.sum (map (\i -> f64.tanh a[i, i]) (iota n)) in f64.sum (flatten (map (map (+ t)) a))
entry shared_2 (n: i64) = traced (table n)
entry shared_2_grad (n: i64) = grad traced (table n)
