$ dagaz c $DAGAZ_ROOT/tests/cli/appended.fut -o a; for e in always sometimes rows; do for n in 1000 4000; do echo ${n}i64 | ./a -e grad_$e -n -P 2> report; peak=$(sed 's/.*peak.:\([0-9]*\).*/\1/' report); echo "$e: $((peak / (8 * n) < 16))"; done; done
always: 1
always: 1
sometimes: 1
sometimes: 1
rows: 1
rows: 1
