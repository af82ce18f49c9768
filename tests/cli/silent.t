$ echo 'entry main (x: f64) = x*17' > f.fut; export XDG_CACHE_HOME=$PWD/k; CC=no-such-cc dagaz c f.fut; for how in '' --interp; do echo 2.0 | CC=no-such-cc dagaz run $how f.fut; done
dagaz: cannot run the C compiler 'no-such-cc' (from CC): no such program; set CC to gcc or clang
dagaz: cannot run the C compiler 'no-such-cc' (from CC): no such program; set CC to gcc or clang
34f64
$ unset CFLAGS; export XDG_CACHE_HOME=$PWD/k; CC=false dagaz c f.fut; echo 2.0 | CC=false dagaz run f.fut; CC='env false' CFLAGS=-O0 dagaz c f.fut; CC=no-such-cc dagaz gradcheck f.fut; CC=/nowhere/gcc dagaz test $DAGAZ_ROOT/tests/run/control.fut 2>&1 | head -1; ls -A
dagaz: the C compiler 'false' (from CC) fails; set CC to gcc or clang
dagaz: the C compiler 'false' (from CC) fails; set CC to gcc or clang
dagaz: the C compiler 'env false' (from CC) fails; set CC to gcc or clang, or CFLAGS to what it takes
dagaz: cannot run the C compiler 'no-such-cc' (from CC): no such program; set CC to gcc or clang
dagaz: the derivative is not compiled
dagaz: cannot run the C compiler '/nowhere/gcc' (from CC): no such program; set CC to gcc or clang
f.c
f.fut
k
$ echo 2.0 | dagaz run --interp f.fut > /dev/full
dagaz: cannot write the output: No space left on device
[1]
$ echo 2.0 | dagaz run f.fut > /dev/full
f.fut: Cannot write the result.
[1]
$ dagaz ir f.fut > /dev/full
dagaz: cannot write the output: No space left on device
[1]
$ dagaz --help > /dev/full
dagaz: cannot write the output: No space left on device
[1]
$ dagaz --version > /dev/full
dagaz: cannot write the output: No space left on device
[1]
$ dagaz c --help > /dev/full
dagaz: cannot write the output: No space left on device
[1]
$ dagaz fmt --stdout f.fut > /dev/full
dagaz: cannot write the output: No space left on device
[1]
$ dagaz derive f.fut > /dev/full
dagaz: cannot write the output: No space left on device
[1]
$ dagaz dataset -g '[10]i32' > /dev/full
dagaz: cannot write the output: No space left on device
[1]
$ dagaz explain f.fut > /dev/full
dagaz: cannot write the output: No space left on device
[1]
$ dagaz c f.fut; ./f --help > /dev/full
./f: Cannot write the output: No space left on device
[1]
$ echo 2.0 | ./f > /dev/full
./f: Cannot write the result.
[1]
$ echo 2.0 | ./f -t /dev/full
./f: Cannot write /dev/full: No space left on device
[1]
$ echo 2.0 | ./f -r 3 -t times; wc -l < times
34f64
3
$ dagaz c --server f.fut -o s; echo entry_points | ./s > /dev/full
./s: Cannot write the output: No space left on device
[1]
$ ./s --help > /dev/full
./s: Cannot write the output: No space left on device
[1]
$ (ulimit -v 2000000; dagaz dataset -g '[100000000000]i32') 2>&1 | sed 's/([0-9]* bytes)/(..)/'
dagaz: out of memory (..)
$ (ulimit -v 2000000; dagaz dataset -g '[100000000000]i32' > /dev/null 2>&1)
[1]
$ mkfifo p.fut; mkdir d.fut; ln -s /dev/zero z.fut; for i in p d nothere z; do echo "import \"$i\" def x = 1" > i.fut; timeout 5 dagaz check i.fut 2>&1 | grep Could; done; timeout 5 dagaz check p.fut
Could not read file "p.fut": it is a pipe or a device; programs are read from files.
Could not read file "d.fut": Is a directory.
Could not read file "nothere.fut": No such file or directory.
Could not read file "z.fut": it is a pipe or a device; programs are read from files.
Error:
Could not read file "p.fut": it is a pipe or a device; programs are read from files.
[2]
$ printf '%s\n' 'entry main (x: f64) (y: f32) (z: []f64) = (x, 1 / x, 1 / y, map (1 /) z)' > n.fut; for in in '-0 -0 [-0, 0, -0x0]' '-0f64 -0f32 [-0f64, 18446744073709551615f64]' '-3 16777217 [-9223372036854775809, 18446744073709551615]' '1 1.0000000596046448 [1]'; do echo "$in" | dagaz run n.fut > c; echo "$in" | dagaz run --interp n.fut > i; cmp c i; cat i; done
-0f64
-f64.inf
-f32.inf
[-f64.inf, f64.inf, -f64.inf]
-0f64
-f64.inf
-f32.inf
[-f64.inf, 5.4210108624275222e-20f64]
-3f64
-0.33333333333333331f64
5.96046448e-08f32
[-1.0842021724855044e-19f64, 5.4210108624275222e-20f64]
1f64
1f64
0.999999881f32
[1f64]
$ echo '-9223372036854775808' | dagaz run --interp f.fut; printf -- '-- ==\n-- input { -0f64 } output { -0f64 -f64.inf }\nentry main (x: f64) = (x, 1/x)\n' > m.fut; dagaz test --interp m.fut; dagaz test m.fut
-1.5679732462653119e+20f64
1 passed, 0 failed
1 passed, 0 failed
