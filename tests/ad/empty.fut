-- Gradients where there is nothing: sums of no terms, whose sizes are differences.
-- ==
-- entry: gathered_sums
-- input { 0i64 2.0 } output { 0.0 }
-- input { 1i64 2.0 } output { 1.0 }

entry gathered_sums (n: i64) (a: f64) =
  let f = \a ->
    let k = tabulate_2d n n (\_ _ -> a)
    let cell i = \j l -> #[unsafe] k[j, i + l]
    in f64.sum (tabulate n (\i -> f64.sum (tabulate n (\j -> f64.sum (tabulate n (cell i j))))))
  in vjp f a 1
