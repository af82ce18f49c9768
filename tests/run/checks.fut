-- Index checks live as long as an access that relies on them.
-- The field of an element is read at an index of which nobody wants the other field.
-- ==
-- entry: field slice_field update_field
-- input { [1.0, 2.0, 3.0] 77i64 } error: out of bounds for array of shape \[3\]
-- input { [1.0, 2.0, 3.0] -1i64 } error: out of bounds for array of shape \[3\]
-- input { [1.0, 2.0, 3.0] 100000000000i64 } error: out of bounds for array of shape \[3\]
entry field [n] (a: [n]f64) (k: i64) = (zip a (reverse a))[k].1
entry slice_field [n] (a: [n]f64) (k: i64) = map (.1) (zip a (reverse a))[k:k + 2]
entry update_field [n] (a: [n]f64) (k: i64) =
  map (.1) (copy (zip a (reverse a)) with [k] = (a[0], a[0]))

-- Rows of two dimensions, of which one index is in range.
-- ==
-- entry: row_field
-- input { [[1.0, 2.0], [3.0, 4.0]] 7i64 } error: out of bounds for array of shape \[2\]\[2\]
-- input { [[1.0, 2.0], [3.0, 4.0]] 100000000000i64 } error: out of bounds for array of shape \[2\]\[2\]
entry row_field [n][m] (a: [n][m]f64) (k: i64) = (map2 zip a (map reverse a))[0, k].1

-- A guard proves an index only where its sum does not overflow.
-- ==
-- entry: next_guarded not_last
-- input { [1.0, 2.0, 3.0] 0i64 } output { 2.0 }
-- input { [1.0, 2.0, 3.0] 2i64 } output { 0.0 }
-- input { [1.0, 2.0, 3.0] 9223372036854775807i64 } error: Index \[-9223372036854775808\] out of bounds
entry next_guarded [n] (v: [n]f64) (k: i64) = if k >= 0 && k + 1 < n then v[k + 1] else 0
entry not_last [n] (v: [n]f64) (k: i64) = if 0 <= k && !(k + 1 >= n) then v[k + 1] else 0

-- Sizes that nothing is stored of.
-- ==
-- entry: joined_units joined_empty
-- input { 9223372036854775807i64 } error: out of memory: array too large
-- input { 2i64 } output { 4i64 }
entry joined_units (n: i64) = length (replicate n () ++ replicate n ())
entry joined_empty (n: i64) = let xss = replicate n ([]: [0]i32) in length (xss ++ xss)

-- ==
-- entry: flat_copies flat_units
-- input { 6148914691236517206i64 6i64 } error: out of memory: array too large
entry flat_copies (n: i64) (m: i64) = flatten (replicate n (replicate m 1u8))
entry flat_units (n: i64) (m: i64) = length (flatten (replicate n (replicate m ())))

-- Rows of a negative length fail where there is one, and cannot be a result.
-- ==
-- entry: rows table
-- input { 2i64 -1i64 } error: Range 0..1..<-1 is invalid
-- input { 0i64 -1i64 } error: Size -1 of the result is negative
entry rows (n: i64) (m: i64) = map (\x -> replicate m x) (iota n)
entry table (n: i64) (m: i64) = transpose (tabulate_2d n m (\_ _ -> 1u8))

-- A block that leaves a loop does not fail in place of the test of its size there.
-- ==
-- entry: rows_in_loop
-- input { -5i64 2i64 } error: Range 0..1..<-5 is invalid
-- input { -5i64 0i64 } output { 0i64 }
-- input { 5i64 2i64 } output { 10i64 }
entry rows_in_loop (n: i64) (k: i64) =
  loop s = 0 for i < k do
    let r = scan (+) 0 (map (+ i) (iota n))
    in s + r[0] + r[n / 2]

-- Ranges with more elements than an i64 counts.
-- ==
-- entry: ones twos
-- input { -9223372036854775808i64 9223372036854775807i64 } error: Range .* is invalid
-- input { 3i64 7i64 } output { 5i64 3i64 }
entry ones (a: i64) (b: i64) = (length (a..a + 1...b), length (a..a + 2...b))
entry twos (a: i64) (b: i64) = (length (a...b), length (a..a + 2..<b + 1))
-- ==
-- entry: all
-- input { 0i64 } error: Range .* is invalid
entry all (_: i64) = length (i64.lowest..i64.lowest + 1...i64.highest)
