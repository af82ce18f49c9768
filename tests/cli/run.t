$ printf 'entry main (xs: []f64) = f64.sum xs
entry twice (x: i32) = 2 * x
' > a.fut
$ echo '[1.5, 2.5]' | dagaz run --interp a.fut
Aborted
[134]
$ echo '21' | dagaz run --interp -e twice a.fut
Aborted
[134]
$ echo '21 22' | dagaz run --interp -e twice a.fut
Aborted
[134]
$ echo '[1.5, ' | dagaz run --interp a.fut
Aborted
[134]
$ echo '1' | dagaz run --interp -e absent a.fut
Aborted
[134]
$ dagaz c a.fut && echo '[1.5, 2.5]' | ./a
Aborted
[134]
$ echo '21' | ./a -e twice
sh: 1: ./a: not found
[127]
$ echo '21 22' | ./a -e twice
sh: 1: ./a: not found
[127]
$ echo '1' | ./a -e absent
sh: 1: ./a: not found
[127]
