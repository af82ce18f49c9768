-- Sizes that ":>" made equal: `dagaz derive` writes the coercions again (tests/derive).
-- ==
-- entry: added
-- input { [1.0, 2.0, 3.0] } output { 14.0 [2.0, 4.0, 6.0] }
def places : [3]i64 = [0, 3, 1]
entry added [n] (x: [n]f64) : (f64, [n]f64) =
  let cols = copy places
  in vjp2 (\x -> f64.sum (reduce_by_index (replicate 4 0) (+) 0 (cols :> [n]i64) (map (\v -> v * v) x))) x 1
