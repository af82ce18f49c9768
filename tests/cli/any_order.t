$ cp $DAGAZ_ROOT/tests/opencl/any_order.fut .; for o in '' --any-order; do dagaz explain -w --target gpu-host $o any_order.fut | cut -d' ' -f2- | sort | uniq -c; done
      5 as a kernel
      1 as a kernel, where copies of what it adds to are little
      3 on the host: iterations may update the same place
      5 as a kernel
      3 as a kernel, adding to places in any order
      1 as a kernel, where copies of what it adds to are little
$ dagaz ir -w --kernels cuda --any-order any_order.fut | grep -o ' dz_atomic_add_f..(&' | sort | uniq -c; dagaz ir -w --kernels cuda any_order.fut | grep -c ' dz_atomic_add_f..(&'
      1  dz_atomic_add_f32(&
      3  dz_atomic_add_f64(&
0
[1]
$ dagaz test --backend gpu-host --any-order any_order.fut
5 passed, 0 failed
