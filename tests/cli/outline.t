$ printf '%s\n' 'entry main [n] [m] (xs: [n][m]f64) : [n][m]f64 =' '  map (\(x: [m]f64) -> loop (x: [m]f64) = x for k < 3 do' '    map (\i -> let a = x[(i + k) % m] let b = x[(i + 2 * k + 1) % m] let c = x[(i * 3) % m]' '      in (a * 0.5 + f64.sqrt b - c * a) * b + f64.sqrt (a * c) / (1 + b * b)) (iota m)) xs' > s.fut
$ dagaz c --c-only -o s s.fut; grep -c '_loop1(DzCtx' s.c; dagaz c -o s s.fut
1
$ for n in 1 40; do for k in 1 2; do seq $n | awk '{ printf "%s[%d.5f64, 2.25f64, 0.5f64]", NR == 1 ? "[" : ", ", $1 } END { print "]" }' > d; case $k in 1) ./s < d;; 2) dagaz run --interp s.fut < d;; esac | tr ' ' '\n' | cksum; done | uniq | wc -l | tr -d ' '; done
1
1
$ printf '%s\n' 'def f [n] [m] (l: i64) (xs: [n][m]f64) : [n][m]f64 =' '  map (\(x: [m]f64) -> loop (x: [m]f64) = x for k < 3 do' '    map (\i -> let a = x[(i + k) % l] let b = x[(i + 2 * k + 1) % m] let c = x[(i * 3) % m]' '      in (a * 0.5 + f64.abs b - c * a) * b + f64.abs (a * c) / (1 + b * b)) (iota m)) xs' 'entry main [n] [m] [p] (k: i64) (l: i64) (xs: [n][m]f64) (ys: [p][m]f64) =' '  (f k xs, f l ys)' > t.fut
$ dagaz c --c-only -o t t.fut; grep -c '_loop[0-9](DzCtx' t.c; grep -c 'err = f_main_0_loop1(ctx' t.c; dagaz c -o t t.fut
1
2
$ for k in '3 3' '4 3' '3 4'; do echo "$k [[1f64,2,3]] [[2f64,1,3]]" > d; ./t < d > o 2>&1; dagaz run --interp t.fut < d > p 2>&1; sed 's/^.*Error/Error/' o | grep . > q; grep . p | cmp - q && grep -v '#[12]' q; done
[[275.0150374738497f64, 70935.992255560835f64, 20431.702318709278f64]]
[[-104.2568f64, 0f64, 259.77840000000009f64]]
Error: Index [3] out of bounds for array of shape [3].
Backtrace:
-> #0  t.fut:3:24-38
   #3  t.fut:6:4-10
Error: Index [3] out of bounds for array of shape [3].
Backtrace:
-> #0  t.fut:3:24-38
   #3  t.fut:6:12-18
