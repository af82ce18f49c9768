-- Maps as kernels: every type of number, functions of one and two operands, rows, a frame's arrays.
-- ==
-- entry: doubles
-- input { [1.0, 2.0, 0.5] [3.0, -1.0, 0.25] }
-- output { [1.1411200080598673, 1.1585290151921035, 0.7474039592545230] }
entry doubles [n] (xs: [n]f64) (ys: [n]f64) = map2 (\x y -> f64.sin (y) + x * if y < 0 then 1 else 1) xs ys

-- ==
-- entry: floats
-- input { [1f32, 4f32, 9f32] } output { [2f32, 4f32, 6f32] }
entry floats (xs: []f32) = map (\x -> 2 * f32.sqrt x) xs

-- ==
-- entry: narrow
-- input { [-128i8, 127i8, 5i8] [3u16, 65535u16, 7u16] }
-- output { [-43i8, 42i8, 1i8] [6u16, 65534u16, 14u16] }
entry narrow [n] (a: [n]i8) (b: [n]u16) = (map (/ 3) a, map (* 2) b)

-- ==
-- entry: wide
-- input { [9223372036854775807i64, -7i64, 0i64] [3i32, -3i32, 2147483647i32] }
-- output { [9223372036854775806i64, -8i64, -1i64] [1i32, -2i32, 1073741823i32] }
entry wide [n] (a: [n]i64) (b: [n]i32) = (map (+ -1) a, map (/ 2) b)

-- The bits of a number, and counts of them.
-- ==
-- entry: bits
-- input { [1.0f32, -2.0f32, 0f32] [1u64, 0u64, 18446744073709551615u64] }
-- output { [1065353216u32, 3221225472u32, 0u32] [63i32, 64i32, 0i32] [0i32, 64i32, 0i32] [1i32, 0i32, 64i32] }
entry bits [n] (x: [n]f32) (a: [n]u64) =
  (map f32.to_bits x, map u64.clz a, map u64.ctz a, map u64.popc a)

-- The high half of a product.
-- ==
-- entry: high
-- input { [-1i64, 9223372036854775807i64] [18446744073709551615u64, 4294967296u64] }
-- output { [-1i64, 4611686018427387903i64] [18446744073709551614u64, 1u64] }
entry high [n] (a: [n]i64) (b: [n]u64) = (map (\x -> i64.mul_hi x (i64.abs x)) a, map (\x -> u64.mul_hi x x) b)

-- 16 bits.
-- ==
-- entry: halves
-- input { [1.5f16, -0.25f16] } output { [2.25f16, 0.0625f16] }
entry halves (xs: []f16) = map (\x -> x * x) xs

-- Infinities, NaN, constants of the program.
def table = map (\i -> f64.i64 (i * i)) (iota 5)
-- ==
-- entry: special
-- input { [0i64, 1i64, 2i64, 4i64] } output { [f64.inf, f64.nan, -f64.inf, 16.0] }
entry special (is: []i64) =
  map (\i -> if i == 0 then f64.inf else if i == 1 then f64.nan else if i == 2 then -f64.inf
             else table[i]) is

-- The first iteration that fails, whichever thread is first.
-- ==
-- entry: outside
-- input { 1000i64 [5.0, 6.0] } error: Index \[2\] out of bounds for array of shape \[2\]
entry outside [m] (n: i64) (xs: [m]f64) = map (\i -> xs[i]) (iota n)

-- Rows with state in a thread's frame.
-- ==
-- entry: rows
-- input { [[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]] } output { [[3.0, 4.0, 6.0], [6.0, 11.0, 15.0]] }
entry rows [n] (a: [n][3]f64) = map (scan (+) 0) a

-- Bytes that are shared by no threads: booleans, an empty array, a slice.
-- ==
-- entry: flags
-- input { [1i64, 0i64, 3i64] } output { [true, false, true] }
-- input { empty([0]i64) } output { empty([0]bool) }
entry flags (xs: []i64) = map bool.i64 xs

-- ==
-- entry: middle
-- input { [1.0, 2.0, 3.0, 4.0] } output { [4.0, 6.0] }
entry middle (xs: []f64) = map (* 2) xs[1:3]

-- Derivatives.
-- ==
-- entry: gradients
-- input { [1.0, 2.0] } output { [2.0, 4.0] }
entry gradients (xs: []f64) = map (\x -> vjp (\y -> y * y) x 1) xs

-- A function gets a row of data that no block has.
#[noinline]
def squares [n] (xs: [n]f64) (k: i64) = map (\x -> x * f64.i64 k) xs
-- ==
-- entry: row_of_data
-- input { 1i64 } output { [4.0, 5.0, 6.0] }
-- input { 0i64 } output { [0.0, 0.0, 0.0] }
entry row_of_data (k: i64) = let t = [[1.0, 2, 3], [4, 5, 6]] in squares t[k] k
-- ==
-- entry: row_of_frame
-- input { 1i64 } output { [4.0, 5.0, 1.0] }
entry row_of_frame (k: i64) =
  let t = loop t = [[1.0, 2, 3], [4, 5, 6]] for i < k do t with [i, 0] = 9 with [1, 2] = f64.i64 k
  in squares t[k] k

-- A thread for each element of rows; the first failure in the order of one core is told.
-- ==
-- entry: points
-- input { 3i64 9i64 } output { [[0i64,1i64,2i64,3i64,4i64,5i64,6i64,7i64,8i64], [10i64,11i64,12i64,13i64,14i64,15i64,16i64,17i64,18i64], [20i64,21i64,22i64,23i64,24i64,25i64,26i64,27i64,28i64]] }
-- input { 0i64 9i64 } output { empty([0][9]i64) }
-- input { 2i64 0i64 } output { empty([2][0]i64) }
entry points (n: i64) (m: i64) = tabulate_2d n m (\i j -> 10 * i + j)
-- ==
-- entry: planes
-- input { 2i64 2i64 3i64 } output { [0i64,1i64,2i64,10i64,11i64,12i64,100i64,101i64,102i64,110i64,111i64,112i64] }
-- input { 2i64 0i64 3i64 } output { empty([0]i64) }
entry planes (n: i64) (m: i64) (k: i64) = flatten_3d (tabulate_3d n m k (\h i j -> 100 * h + 10 * i + j))
-- ==
-- entry: first_failure
-- input { [[1i64, 0i64, 2i64], [1i64, 7i64, 9i64], [8i64, 0i64, 0i64]] 9i64 }
-- error: Index \[7\] out of bounds
entry first_failure (is: [][3]i64) (k: i64) =
  let t = [1i64, 2, 3] in map (\r -> tabulate k (\j -> t[r[j % 3]])) is
