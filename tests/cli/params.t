$ printf 'entry main (x: i64) (ys: []i64) = map (\\y -> (#[param(block)] x) + y) ys\nentry deep (x: i64) = #[param(depth)] (x + 1)\n' > p.fut
$ dagaz c p.fut -o p && echo '1i64 [5i64]' | ./p && echo '1i64 [5i64]' | ./p --param block=3
[6i64]
[8i64]
$ ./p --print-params
block (size)
depth (size)
$ printf 'depth=7\nother=9\n' > p.tuning; echo '1i64 [5i64]' | ./p --tuning p.tuning; echo 1i64 | ./p --tuning p.tuning -e deep; echo 1i64 | ./p -e deep
[6i64]
7i64
2i64
$ dagaz c --server p.fut -o s && printf 'tuning_params main\n' | ./s
%%% OK
block size
depth size
%%% OK
$ dagaz c --library p.fut -o l && grep tuning l.json | head -1
      "tuning_params": ["block", "depth"],
$ echo 1i64 | dagaz run --interp -e deep p.fut
2i64
