$ echo 'def fact (n: i64) (x: f64) : f64 = if n <= 0 then 1 else x * fact (n - 1) x' > a.fut
$ printf '%s\n' 'entry main (x: f64) = vjp (\x -> fact 3 x) x 1' >> a.fut
$ echo '2.0' | dagaz run --interp a.fut
Error at a.fut:2:34-42:
unsupported: differentiating a recursive function
    2 | entry main (x: f64) = vjp (\x -> fact 3 x) x 1
      |                                  ^^^^^^^^ [unsupported]
[3]
$ printf '%s\n' 'entry main (x: f64) = vjp (\y -> vjp (\w -> vjp (\z -> vjp f64.lgamma z 1) w 1) y 1) x 1' > b.fut
$ echo '2.0' | dagaz run --interp b.fut
0.49393940226682914f64
$ printf '%s\n' 'entry main (x: f64) = vjp (\x -> let y = x * f64.log x in if x > 0 then y else f64.sqrt (x * x)) x 1' > s.fut
$ echo '0.0' | dagaz run --interp s.fut; echo '0.0' | dagaz run --interp --strict-ieee s.fut
0f64
f64.nan
