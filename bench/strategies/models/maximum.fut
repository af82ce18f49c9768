-- The gradient of the largest of n numbers.
-- size: 1000000
entry data (n: i64) : []f64 = tabulate n (\i -> f64.sin (f64.i64 i))

entry value [n] (x: [n]f64) : f64 = f64.maximum x
entry gradient [n] (x: [n]f64) : [n]f64 = vjp f64.maximum x 1
