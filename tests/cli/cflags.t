$ echo 'entry main (n: i64) = map (\i -> let a = f64.i64 i / 3 in a * a - a * 7 + f64.sqrt a * a) (iota n)' > f.fut
$ export DAGAZ_PASTE=1; for f in '-O3 -march=native -fno-math-errno' '-O0' '-O1'; do CFLAGS="$f" dagaz c f.fut -o f; echo 1000 | ./f | cksum; done > sums; uniq sums | wc -l | tr -d ' '
1
$ dagaz c --c-only f.fut -o f; sed -n 2p f.c; for f in '-O3 -march=native' '-O2'; do ${CC:-cc} -w $f f.c -o f -lm; echo 1000 | ./f | cksum; done >> sums; uniq sums | wc -l | tr -d ' '
//   -O2 -march=native -fno-math-errno -fno-trapping-math -lm
1
