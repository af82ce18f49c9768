-- Loops over arrays: what the pass `loops` makes maps, reductions, accumulators and scatters of, and
-- what it must leave.
-- ==
-- entry: shifted
-- input { [1.0, 2.0, 3.0, 4.0] } output { [1.0, 1.0, 1.0, 1.0] }
entry shifted [n] (x: [n]f64): [n]f64 =
  loop y = copy x for i < n - 1 do y with [i + 1] = y[i]
-- ==
-- entry: strided
-- input { 3i64 [9, 9, 9, 9, 9, 9, 9] } output { [9, 0, 9, 1, 9, 2, 9] }
-- input { 0i64 [9] } output { [9] }
-- input { -2i64 [9] } output { [9] }
-- input { 4i64 [9, 9, 9, 9, 9, 9, 9] } error: Index \[7\] out of bounds for array of shape \[7\]
entry strided [m] (n: i64) (y: [m]i32): [m]i32 =
  loop z = copy y for i < n do z with [2 * i + 1] = i32.i64 i
-- ==
-- entry: backwards
-- input { [1, 2, 3] } output { [3, 2, 1] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry backwards [n] (x: [n]i32): [n]i32 =
  loop y = replicate n 0 for i < n do y with [n - 1 - i] = x[i]
-- ==
-- entry: guarded
-- input { [1.0, -2.0, 3.0] [7.0, 7.0] } error: out of bounds
-- input { [1.0, -2.0] [7.0, 7.0] } output { [1.0, 7.0] }
-- input { [1.0, -2.0, -3.0] [7.0, 7.0] } output { [1.0, 7.0] }
entry guarded [n] [m] (x: [n]f64) (y: [m]f64): [m]f64 =
  loop z = copy y for i < n do if x[i] > 0 then z with [i] = x[i] else z
-- ==
-- entry: argmax
-- input { [1.0, 3.0, 3.0, f64.nan, 2.0] } output { 3.0 1i64 }
-- input { empty([0]f64) } output { 0.5 -1i64 }
-- input { [f64.nan, -1.0] } output { 0.5 -1i64 }
entry argmax [n] (x: [n]f64): (f64, i64) =
  loop (m, k) = (0.5, -1) for i < n do if x[i] > m then (x[i], i) else (m, k)
-- ==
-- entry: triangle
-- input { 3i64 [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] } output { [0.0, 1.0, 32.0] }
entry triangle [d] (n: i64) (l: []f64) (x: [d]f64): [d]f64 =
  let (y, _) =
    loop (y, k) = (replicate d 0, 0) for i < n do
      loop (y, k) for j < n - 1 - i do
        (y with [i + 1 + j] = y[i + 1 + j] + l[k] * x[i], k + 1)
  in y
-- ==
-- entry: row_major
-- input { 2i64 3i64 [1, 2, 3, 4, 5, 6] } output { [10, 20, 30, 40, 50, 60] 21 }
entry row_major [k] (n: i64) (m: i64) (x: [k]i32): ([k]i32, i32) =
  loop (y, s) = (replicate k 0, 0) for i < n do
    loop (y, s) for j < m do (y with [i * m + j] = x[i * m + j] * 10, s + x[i * m + j])
-- ==
-- entry: last_wins
-- input { [0i64, 2i64, 0i64] [1, 2, 3] } output { [3, 0, 2] }
-- input { [3i64] [1] } error: Index \[3\] out of bounds for array of shape \[3\]
entry last_wins [n] (e: [n]i64) (v: [n]i32): [3]i32 =
  loop y = replicate 3 0 for i < n do y with [e[i]] = v[i]
-- ==
-- entry: bins
-- input { [0i64, 2i64, 0i64] [1, 2, 3] } output { [4, 0, 2] }
-- input { [0i64, -1i64] [1, 2] } error: Index \[-1\] out of bounds for array of shape \[3\]
entry bins [n] (e: [n]i64) (v: [n]i32): [3]i32 =
  loop y = replicate 3 0 for i < n do
    let k = e[i] in y with [k] = y[k] + v[i]
-- ==
-- entry: workspace
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [5.0, 25.0] [[20.0, 40.0], [300.0, 400.0]] }
def squares [n] [m] (x: [n][m]f64): [n]f64 =
  let (s, _) =
    loop (s, t) = (replicate n 0, replicate m 0) for i < n do
      let t = loop t for j < m do t with [j] = x[i, j] * x[i, j]
      in (s with [i] = loop q = 0 for j < m do q + t[j], t)
  in s
entry workspace [n] [m] (x: [n][m]f64): ([n]f64, [n][m]f64) =
  (squares x, vjp (\x -> f64.sum (map (\s -> s * s) (squares x))) x 1)
