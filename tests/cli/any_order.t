$ cp $DAGAZ_ROOT/tests/opencl/any_order.fut .; for o in '' --any-order; do dagaz explain -w --target gpu-host $o any_order.fut | grep -v launches | cut -d' ' -f2- | sort | uniq -c; done
      5 as a kernel
      1 as a kernel, adding to places by atomic operations
      3 as a kernel, where copies of what it adds to are little
      5 as a kernel
      1 as a kernel, adding to places by atomic operations
      3 as a kernel, adding to places in any order
$ dagaz ir -w --kernels cuda --any-order any_order.fut | grep -o ' dz_atomic_add_f..(&' | sort | uniq -c; dagaz ir -w --kernels cuda any_order.fut | grep -c ' dz_atomic_add_f..(&'
      1  dz_atomic_add_f32(&
      3  dz_atomic_add_f64(&
0
[1]
$ dagaz test --backend gpu-host --any-order any_order.fut
5 passed, 0 failed
$ dagaz explain -w --target gpu-host --any-order --deterministic any_order.fut | grep -c 'in any order'
0
[1]
$ printf 'entry main [n] (x: [n]f64) = f64.sum (map (\\k -> x[k * k %% n] * x[k]) (iota n))\n' > gathers.fut
$ for o in --any-order --deterministic; do dagaz gradcheck -w --backend gpu-host $o gathers.fut | tail -1; done
forward mode, reverse mode, differences, interpreted and compiled code agree
forward mode, reverse mode, differences, interpreted and compiled code agree
$ for o in '' --any-order; do dagaz profile -w -e counts --backend gpu-host $o any_order.fut k=3 n=9 | grep -c ' kernel: '; done
1
2
$ dagaz autotune -w --backend gpu-host --any-order any_order.fut
dagaz: a program of --backend c or gpu-host has nothing to tune
[1]
$ cp $DAGAZ_ROOT/tests/opencl/any_order_scans.fut .; for o in '' --any-order; do dagaz explain -w -e recurrence --target gpu-host $o any_order_scans.fut | grep -v launches; done
nothing to explain: no loop has iterations that do not need each other
any_order_scans.fut:23:3-24:79: as a kernel
any_order_scans.fut:23:3-24:79: as a kernel
$ dagaz test --backend gpu-host --any-order any_order_scans.fut
14 passed, 0 failed
