$ cp $DAGAZ_ROOT/tests/par/bits.fut $DAGAZ_ROOT/tests/par/exact.fut $DAGAZ_ROOT/tests/par/scans.fut .; for f in bits exact scans; do dagaz c $f.fut -o $f.one; dagaz gpu-host $f.fut -o $f.gpu; done
$ for e in sums rows gradient bins centres mixed few; do echo 300007 | ./bits.one -e $e -b > want; echo 300007 | ./bits.gpu -e $e -b | cmp want - || echo $e differs; done
$ for e in sums several own joined scans counts; do echo 300007 | ./exact.one -e $e -b > want; echo 300007 | ./exact.gpu -e $e -b | cmp want - || echo $e differs; done
$ for e in sums exclusive heavy_sums filters partitions last; do echo 300007 | ./scans.one -e $e -b > want; echo 300007 | ./scans.gpu -e $e -b | cmp want - || echo $e differs; done
$ cp $DAGAZ_ROOT/tests/par/floats.fut .; for b in 24 1000; do export CFLAGS="-O1 -march=native -DDZ_BLOCK_COST=$b.0"; dagaz c floats.fut -o floats.one; dagaz gpu-host floats.fut -o floats.gpu; for e in short long trained walks own plain several narrow written; do for n in 0 1 37 5003; do echo $n | ./floats.one -e $e -b > want; echo $n | ./floats.gpu -e $e -b | cmp want - || echo $b $e $n differs; done; done; done
$ echo 300007 | ./exact.gpu -e fails 2>&1 | grep Error -A3
./exact.gpu: Error: Assertion is false: i < 0

Backtrace:
-> #0  exact.fut:48:47-63
$ echo 300007 | ./exact.one -e fails 2>&1 | grep Error -A3
./exact.one: Error: Assertion is false: i < 0

Backtrace:
-> #0  exact.fut:48:47-63
$ dagaz explain --target gpu-host exact.fut
exact.fut:15:19-57: as a kernel
exact.fut:21:19-69: as a kernel
exact.fut:25:3-26:69: as a kernel
exact.fut:31:6-91: as a kernel
exact.fut:35:50-67: as a kernel
exact.fut:35:50-67: as a kernel
exact.fut:35:50-67: on the host: a running value is handed on
exact.fut:35:22-48: as a kernel
exact.fut:35:22-48: as a kernel
exact.fut:35:22-48: on the host: a running value is handed on
exact.fut:35:50-67: as a kernel
exact.fut:39:12-47: as a kernel
exact.fut:40:11-36: as a kernel
exact.fut:40:11-36: as a kernel, adding to places by atomic operations
exact.fut:41:11-56: as a kernel
exact.fut:41:11-56: as a kernel, adding to places by atomic operations
exact.fut:42:11-62: as a kernel
exact.fut:42:11-62: as a kernel, adding to places by atomic operations
exact.fut:43:11-58: as a kernel, adding to places by atomic operations
exact.fut:44:21-30: as a kernel
exact.fut:44:32-76: as a kernel
exact.fut:44:32-76: as a kernel, where copies of what it adds to are little
exact.fut:48:3-81: as a kernel
$ dagaz explain --target gpu-host floats.fut | grep -v order
floats.fut:41:14-83: as a kernel
floats.fut:42:24-104: as a kernel
$ echo 300007 | ./floats.gpu -e written -n -P 2>&1 | sed 's/.*"events"/"events"/; s/"duration":[0-9.]*/"duration":../g; s/},/},\n  /g'
"events":[{"name":"copy_host_to_dev","provenance":"unknown","runs":1,"duration":..,"bytes":104},
  {"name":"f_written_8_kernel1","provenance":"floats.fut:72:11-21","runs":1,"duration":..,"bytes":0},
  {"name":"f_written_8_kernel2","provenance":"floats.fut:72:11-21","runs":1,"duration":..,"bytes":0},
  {"name":"copy_dev_to_host","provenance":"unknown","runs":2,"duration":..,"bytes":2506752}]}
