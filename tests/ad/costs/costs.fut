-- Programs whose derivative must cost a constant times what they cost, at every size: each entry f
-- has an entry f_grad.  Judged by tests/unit/test_ad_cost.c with the interpreter's counts.
def some (n: i64) : [n]f64 = tabulate n (\i -> 1 + f64.i64 (i %% 7) / 10)
def indices_of (n: i64) : [n]i64 = tabulate n (\i -> (i * 5 + 1) %% n)
def grad 'a (f: a -> f64) (x: a) : a = vjp f x 1

def nested [n] (xs: [n]f64) = f64.sum (map (\x -> f64.sum (map (\y -> x * y * y) (take 8 xs))) xs)
entry map_nest (n: i64) = nested (some n)
entry map_nest_grad (n: i64) = grad nested (some n)

def flat [n] (xs: [n]f64) = f64.sum (map (\x -> x * f64.sin x) xs)
entry map_flat (n: i64) = flat (some n)
entry map_flat_grad (n: i64) = grad flat (some n)

def deep [n] (xs: [n]f64) =
  f64.sum (map (\x -> f64.sum (map (\y -> f64.sum (map (\z -> x * y * f64.sin z) (take 4 xs)))
                                   (take 4 xs))) xs)
entry map_deep (n: i64) = deep (some n)
entry map_deep_grad (n: i64) = grad deep (some n)

def square [n] (xs: [n]f64) =
  let a = tabulate_2d 8 n (\i j -> xs[j] + f64.i64 i)
  in f64.sum (map (\r -> f64.sum (map (\c -> f64.sum (map2 (*) r c)) a)) a)
entry matmul (n: i64) = square (some n)
entry matmul_grad (n: i64) = grad square (some n)

entry product (n: i64) = f64.product (some n)
entry product_grad (n: i64) = grad f64.product (some n)

def argmax [n] (xs: [n]f64) =
  (reduce (\(v, p) (w, q) -> if w > v then (w, q) else (v, p)) (-f64.inf, 0) (zip xs (reverse xs))).1
entry selection (n: i64) = argmax (some n)
entry selection_grad (n: i64) = grad argmax (some n)

def recurrence [n] (xs: [n]f64) =
  f64.sum (map (.1) (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs xs)))
entry linear_scan (n: i64) = recurrence (some n)
entry linear_scan_grad (n: i64) = grad recurrence (some n)

def columns [n] (xs: [n]f64) =
  let rows = tabulate_2d n 4 (\i j -> xs[i] * f64.i64 (j + 1))
  in f64.sum (reduce (map2 f64.max) (replicate 4 (-f64.inf)) rows)
entry vector_max (n: i64) = columns (some n)
entry vector_max_grad (n: i64) = grad columns (some n)

def prefixes [n] (xs: [n]f64) = f64.sum (map (\x -> x * x) (scan (+) 0 xs))
entry scan_sum (n: i64) = prefixes (some n)
entry scan_sum_grad (n: i64) = grad prefixes (some n)

-- x + y + c x y: neither a sum nor a product; of pairs, not independent.
def mixed [n] (xs: [n]f64) = reduce (\x y -> x + y + 0.01 * x * y) 0 xs
entry reduce_general (n: i64) = mixed (some n)
entry reduce_general_grad (n: i64) = grad mixed (some n)

def running [n] (xs: [n]f64) = f64.sum (scan (\x y -> x + y + 0.001 * x * y) 0 xs)
entry scan_general (n: i64) = running (some n)
entry scan_general_grad (n: i64) = grad running (some n)

def bins [n] (xs: [n]f64) =
  f64.sum (map (\x -> x * x) (reduce_by_index (replicate 16 1) (+) 0 (map (%% 16) (indices_of n)) xs))
entry hist_sum (n: i64) = bins (some n)
entry hist_sum_grad (n: i64) = grad bins (some n)

def picked [n] (xs: [n]f64) = f64.sum (map (\i -> xs[i] * xs[i]) (indices_of n))
entry gather (n: i64) = picked (some n)
entry gather_grad (n: i64) = grad picked (some n)

def histogram [n] (xs: [n]f64) =
  f64.sum (reduce_by_index (replicate 16 1) (\x y -> x + y + x * y) 0
                           (map (%% 16) (indices_of n)) (map (/ 100) xs))
entry hist_general (n: i64) = histogram (some n)
entry hist_general_grad (n: i64) = grad histogram (some n)

-- Few values into a large array: the return sweep must not walk all of it every time.
def scatters [n] (xs: [n]f64) =
  let ys = loop ys = copy xs for i < n do scatter ys [i, i + 1] [ys[i] * ys[i], xs[i]]
  in f64.sum ys
entry scatter_few (n: i64) = scatters (some n)
entry scatter_few_grad (n: i64) = grad scatters (some n)

def binned [n] (op: f64 -> f64 -> f64) (ne: f64) (xs: [n]f64) =
  let ys = loop ys = copy xs for i < n - 1 do
             reduce_by_index ys op ne [i, i + 1] [ys[i] * ys[i], xs[i]]
  in f64.sum ys
entry hist_few_sum (n: i64) = binned (+) 0 (some n)
entry hist_few_sum_grad (n: i64) = grad (binned (+) 0) (some n)
entry hist_few_max (n: i64) = binned f64.max 0 (some n)
entry hist_few_max_grad (n: i64) = grad (binned f64.max 0) (some n)

def in_place [n] (xs: [n]f64) =
  (loop ys = copy xs for i < n - 1 do ys with [i + 1] = ys[i + 1] + 0.1 * ys[i] * ys[i])[n - 1]
entry recurrence_in_place (n: i64) = in_place (some n)
entry recurrence_in_place_grad (n: i64) = grad in_place (some n)

def overwriting [n] (xs: [n]f64) =
  f64.sum (loop ys = copy xs for i < n - 1 do
             let ys[i] = f64.sin ys[i + 1]
             in ys with [i + 1] = ys[i] * ys[i])
entry overwritten (n: i64) = overwriting (some n)
entry overwritten_grad (n: i64) = grad overwriting (some n)

def in_branch [n] (xs: [n]f64) =
  f64.sum (loop ys = copy xs for i < n - 1 do
             if ys[i] > 1.3 then ys with [i] = ys[i] * ys[i + 1] else ys)
entry branch_once (n: i64) = in_branch (some n)
entry branch_once_grad (n: i64) = grad in_branch (some n)

def in_branches [n] (xs: [n]f64) =
  f64.sum (loop ys = copy xs for i < n - 1 do
             if ys[i] > 1.3
             then let ys[i] = ys[i] * ys[i + 1]
                  in ys with [i + 1] = f64.cos ys[i]
             else if ys[i] > 1.1
             then loop ys for k < 2 do ys with [(i + k) %% n] = f64.sin ys[i]
             else ys)
entry branch_many (n: i64) = in_branches (some n)
entry branch_many_grad (n: i64) = grad in_branches (some n)

def triangle [n] (xs: [n]f64) =
  f64.sum (loop ys = copy xs for i < 16 do
             loop ys for j < i do ys with [j] = ys[j] + 0.1 * ys[i] * ys[j])
entry triangular (n: i64) = triangle (some n)
entry triangular_grad (n: i64) = grad triangle (some n)

def first_of_rows [n] (xs: [n]f64) =
  let rows = tabulate_2d n 8 (\i j -> xs[i] + f64.i64 j)
  in f64.sum (map (\row -> row[0] * row[0]) rows)
entry row_heads (n: i64) = first_of_rows (some n)
entry row_heads_grad (n: i64) = grad first_of_rows (some n)

def smallest [n] (xs: [n]f64) = f64.minimum (map (\x -> f64.exp (f64.sin x)) xs)
entry min_of_map (n: i64) = smallest (some n)
entry min_of_map_grad (n: i64) = grad smallest (some n)

-- Loops of unknown length that write in place, in a loop: what counts their trips writes in place, too.
def inserting [n] (xs: [n]f64) =
  let ys = loop ys = copy xs for i in 1..<n do
    let y = copy ys[i]
    let (ys, j) = loop (ys, j) = (ys, i) while j > 0 && ys[j - 1] > y do
      (ys with [j] = copy ys[j - 1], j - 1)
    in ys with [j] = y
  in f64.sum (map2 (\i y -> f64.i64 i * y * y) (iota n) ys)
entry insertion_sort (n: i64) = inserting (some n)
entry insertion_sort_grad (n: i64) = grad inserting (some n)

-- Few trips each: what is counted must not copy the array, neither for the value nor on the way back.
def heaps [n] (xs: [n]f64) =
  let h = loop h = replicate (2 * n + 2) f64.inf for i < n do
    let h[i + 1] = f64.sin (xs[i] * f64.i64 i)
    let (h, _) = loop (h, j) = (h, i + 1) while j > 1 && h[j] < h[j / 2] do
      let t = h[j]
      let h[j] = copy h[j / 2]
      let h[j / 2] = t
      in (h, j / 2)
    in h
  let (_, s) = loop (h, s) = (h, 0) for i < n do
    let top = h[1]
    let h[1] = copy h[n - i]
    let h[n - i] = f64.inf
    let (h, _) = loop (h, j) = (h, 1) while j <= n && f64.min h[2 * j] h[2 * j + 1] < h[j] do
      let c = if h[2 * j + 1] < h[2 * j] then 2 * j + 1 else 2 * j
      let t = h[j]
      let h[j] = copy h[c]
      let h[c] = t
      in (h, c)
    in (h, s + top * top * f64.i64 i)
  in s
entry heap_sort (n: i64) = heaps (some n)
entry heap_sort_grad (n: i64) = grad heaps (some n)

-- Ranges of the array on a stack, swapped in a branch of a loop in a branch.
def quick [n] (xs: [n]f64) =
  let stack = replicate (2 * n + 2) (0i64, 0i64) with [0] = (0, n)
  let ys = map2 (\i x -> f64.sin (x * f64.i64 i)) (iota n) xs
  let (ys, _, _) = loop (ys, stack, top) = (ys, stack, 1) while top > 0 do
    let (lo, hi) = stack[top - 1]
    in if hi - lo < 2 then (ys, stack, top - 1) else
       let p = ys[hi - 1]
       let (ys, k) = loop (ys, k) = (ys, lo) for i in lo..<hi - 1 do
         if ys[i] < p then
           let t = ys[i]
           let ys[i] = copy ys[k]
           let ys[k] = t
           in (ys, k + 1)
         else (ys, k)
       let t = copy ys[k]
       let ys[k] = p
       let ys[hi - 1] = t
       let stack[top - 1] = (lo, k)
       let stack[top] = (k + 1, hi)
       in (ys, stack, top + 1)
  in f64.sum (map2 (\i y -> f64.i64 i * y * y) (iota n) ys)
entry quick_sort (n: i64) = quick (some n)
entry quick_sort_grad (n: i64) = grad quick (some n)

-- Functions that are called read arrays: their adjoints go through the calls.
def calls_search [n] (x: [n]f64) (q: f64) (lo: i64) (hi: i64) : f64 =
  if hi - lo <= 1 then x[lo] * q
  else let m = (lo + hi) / 2 in if x[m] > q then calls_search x q lo m else calls_search x q m hi
def calls_searches [n] (x: [n]f64) : f64 =
  f64.sum (map (\i -> calls_search x (f64.i64 i) 0 n) (iota n))
entry calls_search_all (n: i64) = calls_searches (tabulate n f64.i64)
entry calls_search_all_grad (n: i64) = vjp calls_searches (tabulate n f64.i64) 1

def calls_total [n] (x: [n]f64) (i: i64) : f64 =
  if i == n then 0 else x[i] * x[i] + calls_total x (i + 1)
entry calls_down (n: i64) = calls_total (tabulate n f64.i64) 0
entry calls_down_grad (n: i64) = vjp (\x -> calls_total x 0) (tabulate n f64.i64) 1

def calls_near [n] (x: [n]f64) (q: f64) (lo: i64) (hi: i64) : f64 =
  if hi - lo <= 1 then (x[lo] - q) * (x[lo] - q)
  else let m = (lo + hi) / 2
       in if x[m] > q + 1 then calls_near x q lo m
          else if x[m] < q - 1 then calls_near x q m hi
          else calls_near x q lo m + calls_near x q m hi
def calls_nears [n] (x: [n]f64) : f64 =
  f64.sum (map (\i -> calls_near x (f64.i64 i) 0 n) (iota n))
entry calls_tree (n: i64) = calls_nears (tabulate n f64.i64)
entry calls_tree_grad (n: i64) = vjp calls_nears (tabulate n f64.i64) 1

#[noinline]
def calls_two [n] (x: [n]f64) (i: i64) : f64 = x[i] * f64.sin x[i * 7 % n]
def calls_gather [n] (x: [n]f64) : f64 = f64.sum (map (calls_two x) (iota n))
entry calls_kept (n: i64) = calls_gather (tabulate n f64.i64)
entry calls_kept_grad (n: i64) = vjp calls_gather (tabulate n f64.i64) 1

-- Loops over maps that read parts of their rows: a column, two, a window, of a view, of rows of rows.
def table (n: i64) : [8][n]f64 = tabulate_2d 8 n (\i j -> 1 + f64.i64 ((i + j) %% 7) / 10)
def tables (n: i64) : [4][8][n]f64 = tabulate_3d 4 8 n (\k i j -> 1 + f64.i64 ((i + j + k) %% 7) / 10)

def column_sum [n][m] (a: [n][m]f64) =
  loop s = 0 for j < m do s + f64.sum (map (\i -> a[i, j] * a[i, j]) (iota n))
entry column (n: i64) = column_sum (table n)
entry column_grad (n: i64) = grad column_sum (table n)

def column_pairs [n][m] (a: [n][m]f64) =
  loop s = 0 for j < m do s + f64.sum (map (\r -> r[j] * r[(j + 1) % m]) a)
entry columns_two (n: i64) = column_pairs (table n)
entry columns_two_grad (n: i64) = grad column_pairs (table n)

def column_states [n][m] (a: [n][m]f64) =
  f64.sum (loop x = replicate n 0 for j < m do map2 (\r x -> 0.5 * x + f64.sin r[j]) a x)
entry columns_states (n: i64) = column_states (table n)
entry columns_states_grad (n: i64) = grad column_states (table n)

def column_windows [n][m] (w: i64) (a: [n][m]f64) =
  loop s = 0 for j < m - w do
    s + f64.sum (map (\r -> f64.product r[j:j + w] + f64.sum (map (\k -> r[j + k] * r[j]) (iota w))
                            + (loop t = 1 for k < w do t * r[j + k])) a)
entry columns_windows (n: i64) = column_windows (i64.min n 3) (table n)
entry columns_windows_grad (n: i64) = grad (column_windows (i64.min n 3)) (table n)

def column_written [n][m] (a: [n][m]f64) =
  let a = loop a = copy a for j < m - 1 do a with [:, j + 1] = map (\r -> 0.5 * r[j] * r[j + 1]) a
  in f64.sum (flatten a)
entry columns_written (n: i64) = column_written (table n)
entry columns_written_grad (n: i64) = grad column_written (table n)

def column_chosen [n][m] (is: [n]i64) (a: [n][m]f64) =
  loop s = 0 for j < m do
    s + f64.sum (map2 (\r i -> if i > j then r[(i + j) % m] * r[j] else 0) a is)
entry columns_chosen (n: i64) = column_chosen [5, 1, 4, n / 2, 1, 3, n - 1, 8] (table n)
entry columns_chosen_grad (n: i64) =
  grad (column_chosen [5, 1, 4, n / 2, 1, 3, n - 1, 8]) (table n)

def column_views [l][n][m] (a: [l][n][m]f64) =
  loop s = 0 for k < l do loop s for j < m do s + f64.sum (map (\r -> r[j] * r[j]) a[k])
entry columns_views (n: i64) = column_views (tables n)
entry columns_views_grad (n: i64) = grad column_views (tables n)

def column_blocks [l][n][m] (a: [l][n][m]f64) =
  let (_, s) = loop (x, s) = (tabulate_2d l n (\_ _ -> 0), 0) for t < m do
    let x = tabulate_2d l n (\i j -> 0.5 * x[i, j] + a[i, j, t] * a[i, j, t])
    in (x, s + f64.sum (flatten x))
  in s
entry columns_blocks (n: i64) = column_blocks (tables n)
entry columns_blocks_grad (n: i64) = grad column_blocks (tables n)

-- Cells updated under conditions: all pairs of shortest paths, two arrays, conditions in conditions.
def paths [n] (x: [n]f64) =
  let d = tabulate_2d 8 8 (\i j -> if i == j then 0 else f64.abs (x[i] - x[j] * 2) + 0.1)
  let d = loop d for k < n do loop d for i < 8 do loop d for j < 8 do
    if d[i, k %% 8] + d[k %% 8, j] < d[i, j] then d with [i, j] = d[i, k %% 8] + d[k %% 8, j] else d
  in f64.sum (flatten d)
entry paths_in_place (n: i64) = paths (some n)
entry paths_in_place_grad (n: i64) = grad paths (some n)

def conditions [n] (x: [n]f64) =
  let (a, b) = loop (a, b) = (copy x, copy x) for i < n do
    if i > 0
    then if a[i - 1] > a[i]
         then let c = a[i] in (a with [i] = c * 0.9 * a[i - 1], b with [i] = b[i] * c)
         else if a[i] > 1.5 then (a with [i - 1] = a[i] * a[i], b) else (a, b)
    else (a, b)
  in f64.sum a + f64.sum b
entry conditions_in_place (n: i64) = conditions (some n)
entry conditions_in_place_grad (n: i64) = grad conditions (some n)
