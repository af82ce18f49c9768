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
