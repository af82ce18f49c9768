$ dagaz fuzz --programs 120 --seed 1 --compile-every 0 --brief --wrong tanh | grep -q 'FAILED.*forward gives .*, differences' && echo noticed
noticed
$ dagaz fuzz --programs 200 --seed 1 --compile-every 0 --source-every 0 --brief --wrong sin | grep -q 'FAILED.*forward gives .*, differences' && echo noticed
noticed
$ dagaz fuzz --programs 4 --seed 1 --compile-every 0 --brief --wrong add | tail -1
Error:
unsupported: 'add' is no operation of one float
Error:
unsupported: 'add' is no operation of one float
2 passed, 2 failed
$ for s in 1336 3584 18772; do dagaz fuzz --programs 1 --seed $s --compile-every 0 --source-every 0 --brief; done
1 compared with differences, 0 inconclusive
1 compared without an optimisation
1 passed, 0 failed
1 passed, 0 failed
1 compared with differences, 0 inconclusive
1 compared without an optimisation
1 passed, 0 failed
$ for s in 5083810 5079978 8501612; do dagaz fuzz --programs 1 --seed $s --compile-every 0 --source-every 0 --brief | tail -1; done
1 passed, 0 failed
1 passed, 0 failed
1 passed, 0 failed
$ # Of a program in several C files, one calls a kernel of another with a value of f32.
$ dagaz fuzz --backend gpu-host --programs 1 --seed 778850 --compile-every 1 --source-every 0 --brief | tail -1
1 passed, 0 failed
