$ printf '%s\n' 'entry main [n] [m] (xs: [n][m]f64) : [n][m]f64 =' '  map (\(x: [m]f64) -> loop (x: [m]f64) = x for k < 3 do' '    map (\i -> let a = x[(i + k) % m] let b = x[(i + 2 * k + 1) % m] let c = x[(i * 3) % m]' '      in (a * 0.5 + f64.sqrt b - c * a) * b + f64.sqrt (a * c) / (1 + b * b)) (iota m)) xs' > s.fut
$ dagaz c --c-only -o s s.fut; grep -c '_loop1(DzCtx' s.c; dagaz c -o s s.fut
1
$ for n in 1 40; do for k in 1 2; do seq $n | awk '{ printf "%s[%d.5f64, 2.25f64, 0.5f64]", NR == 1 ? "[" : ", ", $1 } END { print "]" }' > d; case $k in 1) ./s < d;; 2) dagaz run --interp s.fut < d;; esac | tr ' ' '\n' | cksum; done | uniq | wc -l | tr -d ' '; done
1
1
