entry twice [n] (xs: [n]f64) = (xs, xs)
entry overwrite [n] (xs: *[n]f64) = xs with [0] = 7
entry at [n] (xs: [n]f64) (i: i64) = xs[i]
