$ dagaz ir --optional | grep -E '^(sums|undo|share) '
sums             sums have rules of their own in reduce, scan and hist
undo             updates in place are undone, not whole arrays taped
share            return sweeps take costly values from forward sweeps
$ dagaz ir --without sums,nothing -O $DAGAZ_ROOT/tests/cli/without.ir
dagaz ir: `dagaz ir --optional` lists what --without can leave out
[1]
$ dagaz ir -p ad $DAGAZ_ROOT/tests/cli/without.ir | grep -c 'scratch'
2
$ dagaz ir -p ad --without invariants $DAGAZ_ROOT/tests/cli/without.ir | grep -c 'scratch'
3
$ dagaz fuzz --without undo,spots --programs 8 --compile-every 0 --brief | tail -1
8 passed, 0 failed
