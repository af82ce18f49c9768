-- Floating point functions and special values.
-- ==
-- entry: functions
-- input { 2.0 } output { 1.4142135623730951 7.38905609893065 0.6931471805599453 0.9092974268256817 0.0 }
-- ==
-- entry: special
-- input { 0.0 } output { f64.inf f64.nan true }
-- ==
-- entry: rounding
-- input { [0.5, 1.5, 2.5, -0.5] } output { [0.0, 2.0, 2.0, -0.0] [0.0, 1.0, 2.0, -1.0] [1.0, 2.0, 3.0, -0.0] }
-- ==
-- entry: small
-- input { 1.0f16 3.0f16 } output { 0.33325195f16 }

entry functions (x: f64) = (f64.sqrt x, f64.exp x, f64.log x, f64.sin x, f64.lgamma x)
entry special (x: f64) = (1 / x, x / x, f64.isnan (x / x))
entry rounding (xs: []f64) = (map f64.round xs, map f64.floor xs, map f64.ceil xs)
entry small (x: f16) (y: f16) = x / y
