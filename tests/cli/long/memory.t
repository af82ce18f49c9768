$ printf '%s\n' 'def step [n] (xs: [n]f64) = map2 (\x y -> 0.9 * x + 0.1 * f64.sin y) xs (rotate 1 xs)' 'def run [n] (t: i64) (xs: [n]f64) = f64.sum (loop xs for _i < t do step xs)' > step.fut
$ printf '%s\n' 'import "step"' 'entry main (n: i64) (t: i64) = f64.sum (vjp (run t) (map f64.i64 (iota n)) 1)' > a.fut
$ dagaz c --memory-limit 0 a.fut
$ for limit in 0 20000000 12000000 9000000; do echo 100000i64 50i64 | ./a --memory-limit $limit -P > out$limit 2> report; peak=$(sed 's/.*peak.:\([0-9]*\).*/\1/' report); [ $limit = 0 ] && echo "$((peak / 1000000)) MB"; [ "$peak" -le $limit ] && cmp out0 out$limit && echo fits; done
43 MB
fits
fits
fits
$ echo 100000i64 50i64 | ./a --memory-limit 3700000
./a: Error: the derivative of a loop needs 3211392 bytes at least, and the memory limit leaves 2897184 bytes for it

Backtrace:
-> #0  step.fut:2:45-76
   #1  a.fut:2:40-78
[1]
$ dagaz c --memory-limit 9000000 a.fut && echo 100000i64 50i64 | ./a > out && cmp out out0 && echo the same
the same
$ echo 40i64 20i64 | dagaz run --memory-limit 1000 a.fut 2>&1 | head -3
a.fut: Error: the derivative of a loop needs 1664 bytes at least, and the memory limit leaves 616 bytes for it

Backtrace:
$ echo 40i64 20i64 | dagaz run --interp --memory-limit 10000 a.fut
4.6906125645078935f64
$ echo 40i64 20i64 | dagaz run --interp a.fut
4.6906125645078935f64
$ printf '%s\n' 'import "step"' 'def loops [n] (t: i64) (xs: [n]f64) = f64.sum (#[checkpoint(3)] loop xs for _i < t do step xs)' 'entry main (n: i64) (t: i64) = f64.sum (vjp (loops t) (map f64.i64 (iota n)) 1)' > b.fut
$ echo 40i64 20i64 | dagaz run --interp b.fut
4.6906125645078935f64
$ sed 's/checkpoint(3)/memory_limit(1_000)/' b.fut > c.fut; echo 40i64 20i64 | dagaz run --interp c.fut
4.6906125645078935f64
$ sed 's/checkpoint(3)/memory_limit(500)/' b.fut > d.fut; echo 40i64 20i64 | dagaz run --interp d.fut
Error: the derivative of a loop needs 656 bytes at least, and the memory limit leaves 500 bytes for it

Backtrace:
-> #0  d.fut:2:69-98
   #1  d.fut:3:40-80

[1]
$ printf '%s\n' 'import "step"' 'entry main (n: i64) (t: i64) = f64.sum (#[checkpoint] (vjp (run t) (map f64.i64 (iota n)) 1))' > e.fut
$ dagaz ir -p inline-all,loop-bounds e.fut | grep -c checkpoint_log.*loop; echo 40i64 20i64 | dagaz run --interp e.fut
1
4.6906125645078935f64
$ sed 's/checkpoint/stripmine(3)/' e.fut > s.fut; dagaz ir -p inline-all,loop-bounds s.fut | grep -c 'stripmine(3).*loop'; echo 40i64 20i64 | dagaz run --interp s.fut
1
4.6906125645078935f64
$ cp $DAGAZ_ROOT/tests/cli/fits.fut . && dagaz c --memory-limit 0 fits.fut && sh $DAGAZ_ROOT/tests/cli/fits.sh ./fits ring waves inner weights steps cells rows wheel long relax few swaps spread fall gathered between sums unread cases behind shared
ring 2500 keeps to it
ring 17000 keeps to it
ring 40000 keeps to it
waves 2500 keeps to it
waves 17000 keeps to it
waves 40000 keeps to it
inner 2500 keeps to it
inner 17000 keeps to it
inner 40000 keeps to it
weights 2500 keeps to it
weights 17000 keeps to it
weights 40000 keeps to it
steps 2500 keeps to it
steps 17000 keeps to it
steps 40000 keeps to it
cells 2500 keeps to it
cells 17000 keeps to it
cells 40000 keeps to it
rows 2500 keeps to it
rows 17000 keeps to it
rows 40000 keeps to it
wheel 2500 keeps to it
wheel 17000 keeps to it
wheel 40000 keeps to it
long 2500 keeps to it
long 17000 keeps to it
long 40000 keeps to it
relax 2500 keeps to it
relax 17000 keeps to it
relax 40000 keeps to it
few 2500 keeps to it
few 17000 keeps to it
few 40000 keeps to it
swaps 2500 keeps to it
swaps 17000 keeps to it
swaps 40000 keeps to it
spread 2500 keeps to it
spread 17000 keeps to it
spread 40000 keeps to it
fall 2500 keeps to it
fall 17000 keeps to it
fall 40000 keeps to it
gathered 2500 keeps to it
gathered 17000 keeps to it
gathered 40000 keeps to it
between 2500 keeps to it
between 17000 keeps to it
between 40000 keeps to it
sums 2500 keeps to it
sums 17000 keeps to it
sums 40000 keeps to it
unread 2500 keeps to it
unread 17000 keeps to it
unread 40000 keeps to it
cases 2500 keeps to it
cases 17000 keeps to it
cases 40000 keeps to it
behind 2500 keeps to it
behind 17000 keeps to it
behind 40000 keeps to it
shared 2500 keeps to it
shared 17000 keeps to it
shared 40000 keeps to it
$ printf '%s\n' 'entry main [n] (t: i64) (s: [n][8]f64) = vjp (\s -> #[checkpoint(2)] loop s for _i < t do map (\r -> let e = f64.sin (f64.sum r) in map (\x -> 0.9 * x + e) r) s) s s' > e.fut
$ dagaz ir e.fut | sed 's/#checkpoint(2)/& #memory_fraction(1)/' > e.ir; grep -c memory_fraction e.ir; dagaz ir -O e.ir > opt.ir
1
$ printf '%s\n' 'import "step"' 'import "lib/ad"' 'module ad = mk_ad f64' 'def states [n] (t: i64) (xs: [n]f64) = loop xs for _i < t do step xs' 'def data (n: i64) = map f64.i64 (iota n)' 'entry jacobian (n: i64) (t: i64) = ad.jacobian_reverse (states t) (data n)' 'entry hessian (n: i64) (t: i64) = ad.hessian (\x -> f64.sum (map (\x -> x * x) (states t x))) (data n)' > h.fut
$ dagaz c --memory-limit 0 h.fut
$ for e in jacobian hessian; do for limit in 0 400000 200000 100000; do echo 40i64 500i64 | ./h -e $e --memory-limit $limit -P > out$limit 2> report; peak=$(sed 's/.*peak.:\([0-9]*\).*/\1/' report); [ $limit = 0 ] && echo "$((peak / 1000)) KB"; [ "$peak" -le $limit ] && cmp out$limit out0 && echo fits; done; done
219 KB
fits
fits
fits
419 KB
fits
fits
fits
$ echo 50000i64 40i64 | ./fits -e e_relax --memory-limit 4000000 2>&1 | head -1 | sed 's/[0-9]* bytes/../g'
./fits: Error: the derivative of a loop needs .. at least, and the memory limit leaves .. for it
$ printf '%s\n' 'def tall (t: i64) (x: f64) = loop x for _i < t do f64.sin (x * x)' 'entry scalars (t: i64) = vjp (tall t) 0.5 1' 'entry while_ (t: i64) = vjp (\xs -> f64.sum (loop (xs, j) = (copy xs, 0) while j < t && xs[j % 100] > -2 do (xs with [j % 100] = f64.sin (xs[j % 100] * xs[(j * 7) % 100]), j + 1)).0) (map f64.i64 (iota 100)) 1 |> f64.sum' > tall.fut; dagaz c --memory-limit 0 tall.fut
$ for e in scalars while_; do for limit in 0 20000000 1000000; do if echo 1000000i64 | ./tall -e $e --memory-limit $limit -P 2> report > out$limit; then peak=$(sed 's/.*peak.:\([0-9]*\).*/\1/' report); [ $limit = 0 ] && echo "$((peak / 1000000)) MB"; [ "$peak" -le $limit ] && cmp out$limit out0 && echo fits; else sed '1s/[0-9]* bytes/../g; q' report; fi; done; done
8 MB
fits
./tall: Error: the derivative of a loop needs .. at least, and the memory limit leaves .. for it
16 MB
fits
./tall: Error: the derivative of a loop needs .. at least, and the memory limit leaves .. for it
$ printf '%s\n' 'def step [m] (x: f64) (ys: [m]f64) = map2 (\i y -> f64.sin (x * y + ys[(i + 1) % m])) (iota m) ys' 'entry whole (n: i64) = vjp (\x -> f64.sum (loop ys = replicate 1000 x for _i < n do step x ys)) 0.9 1' 'entry two (n: i64) = vjp (\x -> f64.sum (#[stripmine(2)] loop ys = replicate 1000 x for _i < n do step x ys)) 0.9 1' 'entry three (n: i64) = vjp (\x -> f64.sum (#[stripmine(3)] loop ys = replicate 1000 x for _i < n do step x ys)) 0.9 1' > strip.fut; dagaz c strip.fut
$ for e in whole two three; do for n in 1023 1024; do echo ${n}i64 | ./strip -e $e -P 2> report > $e$n; cmp $e$n whole$n && echo "$e: $(($(sed 's/.*peak.:\([0-9]*\).*/\1/' report) / 8000)) states"; done; done
whole: 1028 states
whole: 1028 states
two: 69 states
two: 69 states
three: 38 states
three: 38 states
$ printf '%s\n' 'def pull [n] (t: i64) (xs: [n]f64) = f64.sum (loop s = xs for _i < t do let e = f64.sin (f64.sum s) in map (\x -> 0.9 * x + 0.1 * e) s)' 'entry main (n: i64) (t: i64) = f64.sum (vjp (pull t) (map (\i -> 0.01 * f64.i64 i) (iota n)) 1)' > pull.fut; dagaz c --memory-limit 0 pull.fut
$ for n in 8 1000; do for limit in 0 180000 126000 70000 37000; do echo ${n}i64 20000i64 | ./pull --memory-limit $limit -P 2> report > out$limit; peak=$(sed 's/.*peak.:\([0-9]*\).*/\1/' report); [ "$peak" -le $limit ] && cmp out$limit out0 && echo fits; done; done
fits
fits
fits
fits
fits
fits
fits
fits
