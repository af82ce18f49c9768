$ mkdir -p sub/lib; echo 'import "lib/ad"' > a.fut; echo 'import "../lib/ad"' > sub/b.fut
$ echo 'module ad = mk_ad f64 entry main (x: f64) = ad.value_and_grad (\x -> x * x) x' | tee -a sub/b.fut >> a.fut
$ echo 3.0 | dagaz run --interp a.fut
9f64
6f64
$ echo 3.0 | dagaz run --interp sub/b.fut
9f64
6f64
$ # A file of one's own goes first.
$ mkdir lib; echo 'def two = 2i32' > lib/ad.fut; printf '%s\n' 'import "lib/ad"' 'entry main = two' > c.fut; echo | dagaz run --interp c.fut
2i32
$ printf '%s\n' 'import "lib/prelude/ad"' > d.fut; dagaz check d.fut
Error at d.fut:1:8-24:
Could not read file "lib/prelude/ad.fut": No such file or directory.
    1 | import "lib/prelude/ad"
      |        ^^^^^^^^^^^^^^^^ [import-missing]
[2]
$ printf '%s\n' 'import "lib/nothing"' > d.fut; dagaz check d.fut
Error at d.fut:1:8-21:
Could not read file "lib/nothing.fut": No such file or directory.
    1 | import "lib/nothing"
      |        ^^^^^^^^^^^^^ [import-missing]
[2]
