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
