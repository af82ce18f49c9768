$ echo 'def f (n: i64) (x: f64) : f64 = if n <= 0 then x * x else vjp (f (n - 1)) x 1' > a.fut
$ echo 'entry main (x: f64) = f 1 x' >> a.fut
$ echo '2.0' | dagaz run --interp a.fut
Error at a.fut:1:59-78:
unsupported: differentiating a function that differentiates itself
    1 | def f (n: i64) (x: f64) : f64 = if n <= 0 then x * x else vjp (f (n - 1)) x 1
      |                                                           ^^^^^^^^^^^^^^^^^^^ [unsupported]
[3]
$ printf '%s\n' 'entry main (x: f64) = vjp (\y -> vjp (\w -> vjp (\z -> vjp f64.lgamma z 1) w 1) y 1) x 1' > b.fut
$ echo '2.0' | dagaz run --interp b.fut
0.49393940226682914f64
$ printf '%s\n' 'entry main (x: f64) = vjp (\x -> let y = x * f64.log x in if x > 0 then y else f64.sqrt (x * x)) x 1' > s.fut
$ echo '0.0' | dagaz run --interp s.fut; echo '0.0' | dagaz run --interp --strict-ieee s.fut
0f64
f64.nan
$ # Three directions side by side: one loop, and no map.  Not arrays, nor more than four.
$ printf '%s\n' 'def f (n: i64) (x: f64) = loop p = x for _i < n do f64.sin p' 'def g [n] (xs: [n]f64) = map f64.sin xs' 'entry few (n: i64) (x: f64) (ds: [3]f64) = copy (jmp (f n) x ds)' 'entry many (n: i64) (x: f64) (ds: [5]f64) = copy (jmp (f n) x ds)' 'entry arrays [n] (xs: [n]f64) (ds: [3][n]f64) = copy (jmp g xs ds)' > d.fut
$ for e in few many arrays; do dagaz ir -O d.fut | sed -n "/^fn $e/,/^}/p" | grep -o '= loop\|= map [0-9n]*' | sort | uniq -c | tr -s ' '; done
 1 = loop
 1 = loop
 1 = map 5
 1 = map 3
 1 = map n
