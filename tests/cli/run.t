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
Cannot read input #0 of type "[]f64".  It is the parameter "xs".
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
$ XDG_CACHE_HOME=$PWD CFLAGS=-O0; export XDG_CACHE_HOME CFLAGS; echo '[1.5, 2.5]' | dagaz run a.fut && echo '[1.5, 2.5]' | dagaz run a.fut && ls dagaz/*/*.so | wc -l
4f64
4f64
1
$ printf '%s\n' 'entry mk (n: i64) = (n, iota n)' 'entry work ((n, arr): (i64, []i64)) = i64.sum arr + n' 'entry eat (t: *(i64, [2]i64)) (x: i64) = (t.1 with [0] = x + t.0)' 'entry rec (r: {a: i32}) = r.a' > tuples.fut
$ echo 5 | dagaz run -e mk tuples.fut | dagaz run -e work tuples.fut
15i64
$ echo 5 | dagaz run --interp -e mk tuples.fut | dagaz run --interp -e work tuples.fut
15i64
$ dagaz c tuples.fut -o tuples && echo '5 [1, 2] 7' | ./tuples -e eat -r 2; echo '5 [1, x] 7' | ./tuples -e eat; echo 1 | ./tuples -e rec
[12i64, 2i64]
./tuples: Cannot read input #0 of type "(i64, []i64)".  It is the parameter "t".
./tuples: Error: line 1, column 7: expected a value of type i64, found "x"
./tuples: Cannot read input #0 of type "{a: i32}".  It is the parameter "r".
./tuples: Error: line 1, column 1: expected '{'
[1]
$ printf '%s\n' 'entry main (n: i64) (xs: []i32) = length (xs :> [2 * n]i32)' > sized.fut; echo '2 [1]' | dagaz run sized.fut
sized.fut: Error: Value of (desugared) shape [1] cannot match shape of type "[4]i32".

Backtrace:
-> #0  sized.fut:1:42-60
[1]
$ echo 'entry main = 1i32' > none.fut; echo 7 | dagaz run --interp none.fut; echo | dagaz run --interp none.fut
input, line 1, column 1: expected end of input
1i32
$ # Numbers that are none, too large or negative.
$ for limit in -1 99999999999999999999 1e9 ""; do echo '[1.5]' | dagaz run --memory-limit="$limit" a.fut; done
dagaz: option --memory-limit=-1 wants no negative number, not '-1'
dagaz: option --memory-limit=99999999999999999999 wants a smaller number, not '99999999999999999999'
dagaz: option --memory-limit=1e9 wants an integer, not '1e9'
dagaz: option --memory-limit= wants an integer, not ''
[1]
$ dagaz gradcheck --points -3 a.fut
dagaz: option --points wants no negative number, not '-3'
[1]
$ printf 'entry main [n] (xs: [n]f64) (ys: [n]f64) = f64.sum (map2 (*) xs ys)\nentry square [n] (a: [n][n]f64) = a[0,0]\nentry three (xs: [3]f64) = xs[0]\nentry inferred xs ys = f64.sum (map2 (*) xs ys)\n' > dot.fut
$ for how in "" --interp; do echo '[1.0,2.0] [1.0]' | dagaz run $how dot.fut; echo '[[1.0,2.0]]' | dagaz run $how dot.fut -e square; echo '[1.0]' | dagaz run $how dot.fut -e three; echo '[1.0,2.0] [1.0]' | dagaz run $how -e inferred dot.fut; done 2>&1 | grep Error
dot.fut: Error: entry point arguments have invalid sizes: n is 2 for xs and 1 for ys.
dot.fut: Error: entry point arguments have invalid sizes: n is 2 for a and 1 for a.
dot.fut: Error: entry point arguments have invalid sizes: 1 for xs, not 3.
dot.fut: Error: entry point arguments have invalid sizes: 2 for xs and 1 for ys.
Error: entry point arguments have invalid sizes: n is 2 for xs and 1 for ys.
Error: entry point arguments have invalid sizes: n is 2 for a and 1 for a.
Error: entry point arguments have invalid sizes: 1 for xs, not 3.
Error: entry point arguments have invalid sizes: 2 for xs and 1 for ys.
$ for how in "" --interp; do echo '[1.0,2.0]' | dagaz run $how dot.fut; done
dot.fut: Cannot read input #1 of type "[]f64".  It is the parameter "ys".
dot.fut: Error: line 2, column 1: unexpected end of input
Cannot read input #1 of type "[]f64".  It is the parameter "ys".
input, line 2, column 1: unexpected end of input
[1]
$ printf '%s\n' 'type s = #some i64 (i32, bool) | #wrap (#l i8 | #r) | #none' 'entry main (n: i64) = {result = f64.i64 n, rows = [1i32, 2]}' 'entry rows (n: i64) = map (\i -> {a = i, b = [i, i]}) (iota n)' 'entry mixed (n: i64) : (i64, s, s, [1][2](i64, f32)) = (n, #some n (1, true), #wrap (#l 3), [[(n, 1), (2, 3)]])' > records.fut; for e in main rows mixed; do echo 2 | CFLAGS=-O0 dagaz run -e $e records.fut > c.out; echo 2 | dagaz run --interp -e $e records.fut | cmp - c.out; cat c.out; echo 2 | CFLAGS=-O0 dagaz run -b -e $e records.fut > c.out; echo 2 | dagaz run -b --interp -e $e records.fut | cmp - c.out; done; echo 0 | CFLAGS=-O0 dagaz run -e rows records.fut
{result = 2f64, rows = [1i32, 2i32]}
[{a = 0i64, b = [0i64, 0i64]}, {a = 1i64, b = [1i64, 1i64]}]
2i64
#some 2i64 (1i32, true)
#wrap (#l 3i8)
[[(2i64, 1f32), (2i64, 3f32)]]
empty([0]{a: i64, b: []i64})
$ # Code that only other entry points reach is left out: the object is the same when it changes.
$ rm -rf dagaz; XDG_CACHE_HOME=$PWD CFLAGS=-O0; export XDG_CACHE_HOME CFLAGS; for factor in 2 3; do printf 'def sq (x: f64) = x * x\nentry main x = sq x\nentry root x = f64.sqrt x\nentry slope (x: f64) = vjp (\\x -> %s * sq x) x 1\n' $factor > several.fut; for e in main root; do echo 4 | dagaz run -e $e several.fut; done; done; ls dagaz/*/program.so | wc -l
16f64
2f64
16f64
2f64
2
$ echo 4 | dagaz run -e absent several.fut
several.fut: No such entry point: absent
Select another with --entry-point.  Options are:
main
root
slope
[1]
