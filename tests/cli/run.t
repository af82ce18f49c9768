$ echo 'entry main (xs: []f64) = f64.sum xs' > a.fut
$ echo 'entry twice (x: i32) = 2 * x' >> a.fut
$ echo '[1.5, 2.5]' | dagaz run --interp a.fut
4f64
$ echo '21' | dagaz run --interp -e twice a.fut
42i32
$ echo '21 22' | dagaz run --interp -e twice a.fut
input, line 1, column 4: expected end of input
[1]
$ echo '[1.5, ' | dagaz run --interp a.fut
input, line 2, column 1: unexpected end of input
[1]
$ echo '1' | dagaz run --interp -e absent a.fut
No such entry point: absent
[1]
$ dagaz c a.fut && echo '[1.5, 2.5]' | ./a
4f64
$ echo '21' | ./a -e twice
42i32
$ echo '21 22' | ./a -e twice
./a: Expected EOF on stdin after reading input for "twice".
[1]
$ echo '1' | ./a -e absent
./a: No such entry point: absent
Select another with --entry-point.  Options are:
main
twice
[1]
$ XDG_CACHE_HOME=$PWD; export XDG_CACHE_HOME; echo '[1.5, 2.5]' | dagaz run a.fut && echo '[1.5, 2.5]' | dagaz run a.fut && ls dagaz/*.so | wc -l
4f64
4f64
1
