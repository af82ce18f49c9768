$ printf '%s\n' 'def f [n][m] (xss: [n][m]f64) = (\t -> t * t) (f64.sum (map (\xs -> let s = f64.exp (0.01 * f64.sum (map (\x -> x * x) xs)) in s * f64.sum (map (\x -> f64.sin x / s) xs)) xss))' 'entry main [n][m] (xss: [n][m]f64) = map (map (\x -> f64.round (x * 1e9))) (vjp f xss 1)' > a.fut
$ [ $(dagaz ir -O a.fut | grep -c 'reduce\|screma') -lt $(dagaz ir -O --recompute a.fut | grep -c 'reduce\|screma') ] && echo fewer
fewer
$ echo '[[0.5, 1.5, 2.5], [-1.0, 2.0, 0.25]]' > in; dagaz run a.fut < in > kept; dagaz run --recompute a.fut < in > again; cmp kept again && cat kept
[[4195938238f64, 338211973f64, -3830464820f64], [2583318315f64, -1989700456f64, 4632608777f64]]
$ dagaz run --interp --recompute a.fut < in
[[4195938238f64, 338211973f64, -3830464820f64], [2583318315f64, -1989700456f64, 4632608777f64]]
