$ echo 'entry main (x: i64) = x + 1' > a.fut
$ printf '%s\n' 'CFLAGS="$1 -w -std=gnu11"; export CFLAGS; shift; dagaz c --time-summary a.fut "$@" 2>&1 | sed "s/.*(//" && echo 1 | ./a' > build
$ XDG_CACHE_HOME=$PWD/c sh build -O0
1 unit, runtime compiled)
2i64
$ XDG_CACHE_HOME=$PWD/c sh build -O0
1 unit, runtime cached)
2i64
$ XDG_CACHE_HOME=$PWD/c sh build -O0 --unsafe
1 unit, runtime cached)
2i64
$ XDG_CACHE_HOME=$PWD/c sh build '-O0 -DDZ_W=1'
1 unit, runtime compiled)
2i64
$ rm c/dagaz/rts-*/runtime.o; XDG_CACHE_HOME=$PWD/c sh build -O0
1 unit, runtime compiled)
2i64
$ rm c/dagaz/rts-*/declarations.c; XDG_CACHE_HOME=$PWD/c sh build -O0
1 unit, runtime compiled)
2i64
$ for f in c/dagaz/rts-*/runtime.o; do echo no object > $f; done; XDG_CACHE_HOME=$PWD/c sh build -O0
1 unit, runtime compiled)
2i64
$ mkdir h; unset XDG_CACHE_HOME; HOME=$PWD/h sh build -O0; ls h/.cache/dagaz | sed 's/-.*//'
1 unit, runtime compiled)
2i64
rts
$ mkdir t; XDG_CACHE_HOME=$PWD/a.fut TMPDIR=$PWD/t sh build -O0; ls t | sed 's/-.*//'
1 unit, runtime compiled)
2i64
dagaz
$ chmod 777 t/dagaz-*; XDG_CACHE_HOME=$PWD/a.fut TMPDIR=$PWD/t sh build -O0
1 unit, runtime pasted)
2i64
$ XDG_CACHE_HOME=$PWD/c DAGAZ_PASTE=1 sh build -O0
1 unit, runtime pasted)
2i64
$ XDG_CACHE_HOME=$PWD/m; CFLAGS='-O0 -w'; export XDG_CACHE_HOME CFLAGS; for i in 1 2 3 4; do dagaz c a.fut -o m$i & done; wait; for i in 1 2 3 4; do echo $i | ./m$i; done; ls m/dagaz | sed 's/-.*//'
2i64
3i64
4i64
5i64
rts
$ unset CFLAGS; XDG_CACHE_HOME=$PWD/c CC=false dagaz c a.fut
dagaz: the C compiler 'false' (from CC) fails; set CC to gcc or clang
[1]
$ XDG_CACHE_HOME=$PWD/c CC=no-such-compiler dagaz c a.fut
dagaz: cannot run the C compiler 'no-such-compiler' (from CC): no such program; set CC to gcc or clang
[1]
$ unset CFLAGS; export XDG_CACHE_HOME=$PWD/k CC=$(command -v clang || echo gcc); dagaz c --time-summary a.fut 2>&1 | sed 's/.*(//'; dagaz c --time-summary a.fut 2>&1 | sed 's/.*(//'; echo 1 | ./a
1 unit, runtime compiled)
1 unit, runtime cached)
2i64
