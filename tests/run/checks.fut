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
