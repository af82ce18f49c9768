$ printf 'def x = 1i32\n' > b.fut; printf -- '-- a comment\nimport "b"\ndef f (y: i32) = x + y\nentry main (y: i32) = f y\ntype t = {a: i32, b: [2]f64}\nentry mk (n: i64) : t = {a = i32.i64 n, b = [1, 2]}\nentry two (y: i32) (z: i32) = (y, z)\nentry total (v: []f64) = f64.sum v\nentry gradient (v: []f64) = vjp total v 1\n' > a.fut; mkdir -p sub; printf 'import "../a"\nimport "lib/ad"\n' > sub/c.fut; dagaz imports a.fut; dagaz imports sub/c.fut
b.fut
a.fut
b.fut
a.fut
sub/c.fut
$ dagaz imports none.fut; dagaz hash; dagaz hash none.fut
Error:
Could not read file "none.fut": No such file or directory.
usage: dagaz hash FILE.fut  (dagaz help hash says more)
Error:
Could not read file "none.fut": No such file or directory.
[2]
$ sed 's/(y: i32)/( y   :i32 )/; s/a comment/another/' a.fut > layout.fut; echo '-- end' >> layout.fut; sed 's/x + y/x - y/' a.fut > other.fut; [ $(dagaz hash a.fut) = $(dagaz hash layout.fut) ] && echo same; [ $(dagaz hash a.fut) = $(dagaz hash other.fut) ] || echo different; echo 'def x = 2i32' > b.fut; [ $(dagaz hash a.fut) = $(dagaz hash layout.fut) ] && echo same; dagaz hash layout.fut | wc -c
same
different
same
33
$ dagaz eval '1 + 2' 'map (+1) [1, 2]' '(1, {a = true})' 'iota 0' 'vjp (\x -> x * x) 3f64 1'
3i32
[2i32, 3i32]
(1i32, {a = true})
empty([0]i64)
6f64
$ dagaz eval -f a.fut 'f 3' 'mk 3' 'main' 'gradient [1, 2]'
5i32
{a = 3i32, b = [1f64, 2f64]}
: (y: i32) -> i32
[1f64, 1f64]
$ dagaz eval '1 +' 2
Error at 1:4-5:
Unexpected end of file, expected an expression.
    1 | 1 +
      |    ^ [syntax]
[1]
$ dagaz eval '[1][3]' 2
Error: Index [3] out of bounds for array of shape [1].
[1]
$ dagaz eval -f a.fut 'f true' 2>/dev/null; echo $?; dagaz eval -f none.fut 1; dagaz eval
1
dagaz: cannot read 'none.fut': No such file or directory
usage: dagaz eval [-f FILE.fut] EXP..  (dagaz help eval says more)
[1]
$ dagaz script a.fut 'main 3'; dagaz script a.fut 'mk 3'; dagaz script a.fut 'two (1, 2)'; dagaz script a.fut '(main 1, {a = two 1 2, b = mk 1})'; dagaz script a.fut 'let (p, q) = two 1 2 in [q, p]'; dagaz script a.fut '(empty([0][2]i32), "ab")'
5i32
{a = 3i32, b = [1f64, 2f64]}
(1i32, 2i32)
(3i32, {a = (1i32, 2i32), b = {a = 1i32, b = [1f64, 2f64]}})
[2i32, 1i32]
(empty([0][2]i32), [97u8, 98u8])
$ echo '[1.5, 2]' > sub/v.in; printf 'ab' > bytes; dagaz script a.fut '$loaddata "sub/v.in"'; dagaz script a.fut 'gradient ($loaddata "sub/v.in")'; dagaz script --interp a.fut '(total ($loaddata "sub/v.in"), {b = $loadbytes "bytes"})'; dagaz script a.fut -e '$store "x.bin" (main 3)' -e '$loaddata "x.bin"'; dagaz script a.fut -b 'main 3' | cmp - x.bin; echo 'main 5' > e; dagaz script a.fut -f e
[1.5f64, 2f64]
[1f64, 1f64]
(3.5f64, {b = [97u8, 98u8]})
5i32
7i32
$ dagaz script a.fut 'main 1.5' 2>&1 | head -2; dagaz script a.fut '[1][7]'; dagaz script a.fut '({a = 1}, [1][7])'; dagaz script a.fut '$loaddata "none"'; dagaz script a.fut '$nothing "x"'; dagaz script a.fut -b 'two 1 2'; dagaz script a.fut '$store "y" (two 1 2)'; dagaz script a.fut; dagaz script none.fut 1; dagaz script a.fut '1 +'; dagaz script a.fut main
Error at a.fut:12:6-9:
Cannot apply "main" to "1.5" (invalid type).
Error: Index [7] out of bounds for array of shape [1].

Backtrace:
-> #0  a.fut:12:1-7
Error: Index [7] out of bounds for array of shape [1].
Error: none: cannot be read: No such file or directory
Error: unsupported in a script: '$nothing'
dagaz: only an array or a scalar has a binary form
dagaz: $store stores one array or scalar
usage: dagaz script PROGRAM.fut [EXP]  (dagaz help script says more)
dagaz: cannot read 'none.fut': No such file or directory
Error at script:1:4-5:
Unexpected end of file, expected an expression.
    1 | 1 +
      |    ^ [syntax]
Error: the value is a function: it lacks arguments
[1]
