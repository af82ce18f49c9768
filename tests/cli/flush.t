$ printf 'entry main (x: f64) : f64 = x * 0.5\n' > half.fut
$ dagaz c half.fut -o half && echo 3e-308 | ./half
1.5000000000000004e-308f64
$ dagaz c --flush-denormals half.fut -o half && echo 3e-308 | ./half
0f64
$ echo 3e-300 | ./half
1.5000000000000001e-300f64
