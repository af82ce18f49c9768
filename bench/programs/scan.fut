-- | Sum of squares of the prefix sums, and its gradient.
entry objective [n] (xs: [n]f64) : f64 = f64.sum (map (\x -> x * x) (scan (+) 0 xs))

entry gradient [n] (xs: [n]f64) : [n]f64 = vjp objective xs 1
