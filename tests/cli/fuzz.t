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
