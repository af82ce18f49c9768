$ # A product of the program's own by a matrix with zeros: only --finite-math may leave the zeros out.
$ printf '%s\n' 'entry main [n] (v: [n]f64) : [n]f64 =' '  let eye = tabulate_2d n n (\i j -> f64.bool (i == j))' '  in tabulate n (\i -> f64.sum (map2 (*) v eye[:, i]))' > eye.fut
$ echo '[1.0, f64.inf, 3.0]' | dagaz run --interp eye.fut
[f64.nan, f64.inf, f64.nan]
$ dagaz ir -O eye.fut | grep -c screma; dagaz ir -O --finite-math eye.fut
1
level 1
fn main entry (n_1 : i64, v_2 : [n_1]f64) -> (result_3 : [n_1]f64) { in (v_2) }
$ # Guards of derivatives go; `explain` says so.
$ printf '%s\n' 'entry main (x: f64) = vjp (\x -> if x > 0 then f64.sqrt x / x else 1) x 1' > root.fut
$ dagaz ir -O root.fut | grep -c guard; dagaz ir -O --finite-math root.fut | grep -c guard
2
0
[1]
$ dagaz explain --finite-math root.fut | grep assumed; dagaz explain root.fut | grep -c assumed
  assumed     no number is infinite or NaN (--finite-math): in 2 products a zero decides, 3 guards dropped
0
[1]
$ echo 0.0 | dagaz run --interp root.fut; echo 4.0 | dagaz run --interp --finite-math root.fut
0f64
-0.0625f64
