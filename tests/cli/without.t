$ dagaz ir --optional | grep -E "^(sum-rule|undo-log|remat) "
sum-rule           reduce, scan and hist with + have rules of their own (formerly sums)
undo-log           record what in-place updates overwrite, instead of taping whole arrays (formerly undo)
remat              store costly forward values for the reverse sweep (minimum cut)
$ dagaz ir --without sum-rule,nothing -O $DAGAZ_ROOT/tests/cli/without.ir
dagaz ir: `dagaz ir --optional` lists what --without can leave out
[1]
$ dagaz ir -p ad $DAGAZ_ROOT/tests/cli/without.ir | grep -c 'scratch'
2
$ dagaz ir -p ad --without tape-invariants $DAGAZ_ROOT/tests/cli/without.ir | grep -c 'scratch'
3
$ dagaz fuzz --without undo,spots --programs 8 --compile-every 0 --brief | tail -1
8 passed, 0 failed
$ dagaz ir -p ad --without invariants $DAGAZ_ROOT/tests/cli/without.ir | grep -c "scratch"
3
$ dagaz fuzz --without undo-log,sparse-adjoints --programs 8 --compile-every 0 --brief | tail -1
8 passed, 0 failed
