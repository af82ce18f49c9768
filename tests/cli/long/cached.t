$ echo 'entry main (x: i64) = x + 1' > a.fut; for n in 2 3 4 5 6 7; do echo "entry main (x: i64) = x + $n" > a$n.fut; done; export XDG_CACHE_HOME=$PWD/c; echo 1 | dagaz run a.fut; ls c/dagaz | sed 's/-.*//'
2i64
rts
run
$ export XDG_CACHE_HOME=$PWD/c; for cut in 0 3000 8000; do f=$(echo c/dagaz/run-*/program.so); head -c $cut $f > x; cp x $f; echo 1 | dagaz run a.fut; cp $f kept; echo 1 | dagaz run a.fut; cmp $f kept; done; : > $(echo c/dagaz/run-*/sums); echo 1 | dagaz run a.fut; ls c/dagaz/run-*
2i64
2i64
2i64
2i64
2i64
2i64
2i64
program.so
sums
$ export XDG_CACHE_HOME=$PWD/c CFLAGS='-O0 -w -std=gnu11'; for f in runtime.o declarations.c; do rm -f a; dagaz c --time-summary a.fut 2>&1 | sed 's/.*(//'; for g in c/dagaz/rts-*/$f; do head -c 2000 $g > x; cp x $g; done; dagaz c --time-summary a.fut 2>&1 | sed 's/.*(//'; echo 1 | ./a; done; dagaz c --time-summary a.fut 2>&1 | sed 's/.*(//'
1 unit, runtime compiled)
1 unit, runtime compiled)
2i64
1 unit, runtime cached)
1 unit, runtime compiled)
2i64
1 unit, runtime cached)
$ export XDG_CACHE_HOME=$PWD/c; (unshare -u sh -c 'hostname elsewhere 2>/dev/null && echo 1 | dagaz run a.fut' 2>/dev/null || (echo 1 | dagaz run a.fut; cp -r c/dagaz/run-* c/dagaz/run-0)) ; ls c/dagaz | grep -c run
2i64
2
$ export XDG_CACHE_HOME=$PWD/e; echo 1 | dagaz run a.fut; all=$(cat e/dagaz/*/* | wc -c); one=$(cat e/dagaz/run-*/* | wc -c); export DAGAZ_CACHE_SIZE=$((all + 2 * one + one / 2)); for n in 2 3; do echo 1 | dagaz run a$n.fut; done; ls e/dagaz | grep -c run; for n in 4 5; do echo 1 | dagaz run a$n.fut; echo 1 | dagaz run a.fut; done; ls e/dagaz | sed 's/-.*//' | uniq -c | sed 's/^ *//'; touch e/dagaz/mark; echo 1 | dagaz run a.fut; echo 1 | dagaz run a5.fut; find e/dagaz -newer e/dagaz/mark -name program.so | wc -l; echo 1 | dagaz run a2.fut; find e/dagaz -newer e/dagaz/mark -name program.so | wc -l
2i64
3i64
4i64
3
5i64
2i64
6i64
2i64
1 rts
3 run
2i64
6i64
0
3i64
1
$ mkdir t; export TMPDIR=$PWD/t XDG_CACHE_HOME=$PWD/k; printf '#!/bin/sh\necho $PPID > pid\nexec sleep 5\n' > slow; chmod +x slow; (CC=$PWD/slow dagaz c a.fut -o killed & wait) 2>/dev/null & sleep 0.1; while [ ! -s pid ]; do sleep 0.05; done; kill -9 $(cat pid); while kill -0 $(cat pid) 2>/dev/null; do sleep 0.05; done; ls t | wc -l; echo 1 | dagaz run a.fut; ls t k/dagaz | sed 's/-.*//'
1
2i64
k/dagaz:
rts
run

t:
$ mkdir full spare; export TMPDIR=$PWD/spare XDG_CACHE_HOME=$PWD/full; mount -t tmpfs -o size=64k tmpfs full 2>/dev/null || mkdir -m 777 full/dagaz; for i in 1 2; do echo 1 | dagaz run a.fut; dagaz c --time-summary a.fut 2>&1 | sed 's/.*(//'; done; umount full 2>/dev/null; ls spare | sed 's/-.*//'; ls spare/dagaz-* | sed 's/-.*//'
2i64
1 unit, runtime cached)
2i64
1 unit, runtime cached)
dagaz
rts
run
