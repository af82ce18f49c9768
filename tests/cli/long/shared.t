$ cp $DAGAZ_ROOT/tests/cli/shared.c main.c; cp $DAGAZ_ROOT/tests/cli/shared.fut .; dagaz c --library shared.fut -o shared && cc -O0 -w -fsanitize=address main.c shared.c -lm -lpthread -o main && ./main
7, was 1
Error: Index [5] out of bounds for array of shape [1].

Backtrace:
-> #0  shared.fut:3:38-43
Error: there is no entry point number 99
in use: 0, peak grew: 0
7, was 1
7 after the context
$ printf 'entry twice [n] (xs: [n]f64) = (xs, map (* 1) xs)\nentry overwrite [n] (xs: *[n]f64) = map (+ 1) (xs with [0] = 6)\nentry at [n] (xs: [n]f64) (i: i64) = xs[i]\n' > shared.fut; dagaz gpu-host --library shared.fut -o shared && grep -q dz_launch shared.c && cc -O0 -w -fsanitize=address main.c shared.c -lm -lpthread -o main && ./main | head -1; cp $DAGAZ_ROOT/tests/cli/shared.fut .
7, was 1
$ dagaz c --shared shared.fut -o out && ls out*
out.so
$ XDG_CACHE_HOME=$PWD dagaz c --shared --cache shared.fut | sed 's/lib-[0-9a-f]*/lib-KEY/; s/[^"]*\/dagaz/dagaz/'
{"object": "dagaz/lib-KEY/program.so", "kept": true, "sources": ["shared.fut"]}
$ cat shared.fut | XDG_CACHE_HOME=$PWD dagaz c --shared --cache - --name text.fut | sed 's/lib-[0-9a-f]*/lib-KEY/; s/[^"]*\/dagaz/dagaz/'
{"object": "dagaz/lib-KEY/program.so", "kept": true, "sources": ["text.fut"]}
$ dagaz c --cache shared.fut; dagaz c - < shared.fut
usage: dagaz c FILE.fut [-o OUT] [--library | --server]  (dagaz help c says more)
usage: dagaz c FILE.fut [-o OUT] [--library | --server]  (dagaz help c says more)
[1]
