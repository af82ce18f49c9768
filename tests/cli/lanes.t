$ for n in 10 400 1200; do awk -v n=$n 'BEGIN { print "entry main (xs: []f64) = map (\\x0 ->"; for (i = 1; i <= n; i++) print "let x" i " = x" i - 1 " * 0.5 + " i; print "in x" n ") xs" }' > l.fut; dagaz c --c-only -o l l.fut; grep -c '^DZ_SIMD$' l.c || true; done
1
1
0
