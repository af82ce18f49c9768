$ # Cells that are overwritten when no reverse code uses them any more are not saved; others are.
$ cp $DAGAZ_ROOT/tests/cli/overwritten.c .
$ for f in next last rows again read executed pairs lu columns; do dagaz adjoint overwritten.c --head "$f(a)/(a)" --length "a[n*n]" --context -o $f && gcc -O0 -w -o check ${f}_check.c overwritten.c ${f}_d.c ${f}_b.c -lm && echo $f: $(grep -c dz_push ${f}_b.c) saved, $(./check n=6 --range=0.2:0.9 | tail -1); done
next: 1 saved, they agree
last: 2 saved, they agree
rows: 1 saved, they agree
again: 2 saved, they agree
read: 2 saved, they agree
executed: 1 saved, they agree
pairs: 2 saved, they agree
lu: 0 saved, they agree
columns: 0 saved, they agree
