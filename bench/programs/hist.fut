-- | Sum of squares of a weighted histogram, and its gradient in the weights.
entry objective [n] (bins: i64) (is: [n]i64) (vs: [n]f64) : f64 =
  f64.sum (map (\x -> x * x) (reduce_by_index (replicate bins 0) (+) 0 is vs))

entry gradient [n] (bins: i64) (is: [n]i64) (vs: [n]f64) : [n]f64 =
  vjp (objective bins is) vs 1
