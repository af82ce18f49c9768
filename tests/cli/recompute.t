$ printf '%s\n' 'def f [n][m] (xss: [n][m]f64) = f64.sum (map (\xs -> let s = f64.exp (0.01 * f64.sum (map (\x -> x * x) xs)) in s * f64.sum (map (\x -> f64.sin x / s) xs)) xss)' 'entry main [n][m] (xss: [n][m]f64) = map (map (\x -> f64.round (x * 1e9))) (vjp f xss 1)' > a.fut
$ dagaz ir -O a.fut | grep -c 'reduce\|screma'
3
$ dagaz ir -O --recompute a.fut | grep -c 'reduce\|screma'
3
$ echo '[[0.5, 1.5, 2.5], [-1.0, 2.0, 0.25]]' > in; dagaz run a.fut < in > kept; dagaz run --recompute a.fut < in > again; cmp kept again && cat kept
[[877582562f64, 70737202f64, -801143616f64], [540302306f64, -416146837f64, 968912422f64]]
$ dagaz run --interp --recompute a.fut < in
[[877582562f64, 70737202f64, -801143616f64], [540302306f64, -416146837f64, 968912422f64]]
