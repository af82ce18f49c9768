-- Loops with conditions at their first and last iterations are three loops (imp/passes/split_loops.c):
-- maps with every kind of such condition, of all small widths, against loops in order.
-- ==
-- entry: same
-- input { 20i64 } output { true }
def ordered (n: i64) (f: i64 -> i64) : [n]i64 =
  loop r = replicate n 0 for i < n do r with [i] = f i

def at [n] (xs: [n]i64) (i: i64) : i64 = if 0 <= i && i < n then xs[i] else 0

def agree (n: i64) : bool =
  let xs = map (\i -> i * i + 3) (iota n)
  let same (as: [n]i64) (bs: [n]i64) = and (map2 (==) as bs)
  let first i = if i == 0 then 100 else xs[i - 1]
  let last i = if i != n - 1 then xs[i + 1] else 200
  let ends i = if i < 2 || i >= n - 3 then xs[i] else xs[i - 2] * xs[i + 3]
  let inside i = if i > 0 && i < n - 1 then xs[i - 1] + xs[i] + xs[i + 1] else -xs[i]
  let late i = if i + 2 >= n then i else xs[i + 2]
  let back i = let j = n - 1 - i in if j > 0 then xs[j - 1] else 7
  let far i = (if i <= 3 then 1 else 0) + (if n - i <= 4 then 10 else 0) + (if i == 2 then 100 else 0)
  let wide i = if i >= 5 then xs[i - 5] else if i + 5 < n then xs[i + 5] else 9
  let shifted i = i64.bool (i - 1 >= 0) + 2 * i64.bool (i < n - 2) + at xs (i - 1) + 5 * at xs (i + 4)
  in same (ordered n first) (tabulate n first) && same (ordered n last) (tabulate n last)
     && same (ordered n ends) (tabulate n ends) && same (ordered n inside) (tabulate n inside)
     && same (ordered n late) (tabulate n late) && same (ordered n back) (tabulate n back)
     && same (ordered n far) (tabulate n far) && same (ordered n wide) (tabulate n wide)
     && same (ordered n shifted) (tabulate n shifted)

entry same (most: i64) : bool = and (map agree (iota most))

-- Two dimensions and their gradient, and a constant width.
-- ==
-- entry: plane
-- input { [[1.0]] } output { [[1.0]] }
-- input { [[1.0, 2.0, 4.0]] } output { [[1.0, 2.0, 4.0]] }
-- input { [[1.0, 2.0, 4.0, 8.0], [3.0, 5.0, 7.0, 9.0], [2.0, 2.0, 1.0, 1.0], [0.5, 0.25, 3.0, 2.0]] }
-- output { [[1.0, 2.0, 4.0, 8.0], [3.0, 3.5, 4.75, 9.0], [2.0, 2.0625, 3.25, 1.0], [0.5, 0.25, 3.0, 2.0]] }
-- ==
-- entry: gradient
-- input { [[1.0, 2.0, 4.0]] } output { [[1.0, 1.0, 1.0]] }
-- input { [[1.0, 2.0, 4.0, 8.0], [3.0, 5.0, 7.0, 9.0], [2.0, 2.0, 1.0, 1.0], [0.5, 0.25, 3.0, 2.0]] }
-- output { [[1.0, 1.25, 1.25, 1.0], [1.25, 0.5, 0.5, 1.25], [1.25, 0.5, 0.5, 1.25], [1.0, 1.25, 1.25, 1.0]] }
-- ==
-- entry: row
-- input { 0.5 9.5 } output { [0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 9.5] }
def mean [n][m] (a: [n][m]f64) (i: i64) (j: i64) : f64 =
  if i == 0 || j == 0 || i == n - 1 || j == m - 1 then a[i, j]
  else (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]) / 4
entry plane [n][m] (a: [n][m]f64) : [n][m]f64 = tabulate_2d n m (mean a)
entry gradient [n][m] (a: [n][m]f64) =
  vjp (\a -> f64.sum (flatten (tabulate_2d n m (mean a)))) a 1
entry row (x: f64) (y: f64) : [18]f64 =
  tabulate 18 (\i -> if i == 0 then x else if i < 17 then f64.i64 i else y)
