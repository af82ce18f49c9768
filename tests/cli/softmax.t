$ printf '%s\n' 'def softmax [n] (x: [n]f64) : [n]f64 =' '  let m = f64.maximum x' '  let e = map (\v -> f64.exp (v - m)) x' '  let s = f64.sum e' '  in map (/ s) e' 'def rows [k][n] (a: [k][n]f64) : [k][n]f64 = map softmax a' 'entry main [k][n] (a: [k][n]f64) (b: [k][n]f64) = vjp2 rows a b' > f.fut
$ dagaz ir -O f.fut | grep -o '= exp\|= max\|= map' | sort | uniq -c | tr -s ' '
 1 = exp
 2 = map
 1 = max
$ dagaz derive -e rows f.fut | grep -o 'f64.exp\|f64.sum u' | sort | uniq -c | tr -s ' '
 1 f64.exp
 1 f64.sum u
