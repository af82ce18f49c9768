$ cp $DAGAZ_ROOT/tests/par/bits.fut $DAGAZ_ROOT/tests/par/exact.fut $DAGAZ_ROOT/tests/par/scans.fut .; for f in bits exact scans; do dagaz c $f.fut -o $f.one; dagaz gpu-host $f.fut -o $f.gpu; done
$ for e in sums rows gradient few; do echo 300007 | ./bits.one -e $e -b > want; echo 300007 | ./bits.gpu -e $e -b | cmp want - || echo $e differs; done
$ for e in bins centres mixed; do for i in 1 2; do echo 300007 | ./bits.gpu -e $e -b > $i; done; cmp 1 2; done
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
exact.fut:15:19-57: in sums kernel 1: launches 1, iterations min(n, 8192)
exact.fut:21:19-69: in several kernel 1: launches 1, iterations min(n, 8192)
exact.fut:25:3-26:69: in own kernel 1: launches 1, iterations min(n, 8192)
exact.fut:31:6-91: in joined kernel 1: launches 1, iterations div((n + (max(min(div(block_cost, 7), 65536), 16) - 1)), max(min(div(block_cost, 7), 65536), 16))
exact.fut:35:50-67: in scans kernel 1: launches 1, iterations div((n + (max(min(div(block_cost, 8), 65536), 16) - 1)), max(min(div(block_cost, 8), 65536), 16)), where a value of the run says so
exact.fut:35:50-67: in scans kernel 2: launches 1, iterations div((n + (max(min(div(block_cost, 8), 65536), 16) - 1)), max(min(div(block_cost, 8), 65536), 16)), where a value of the run says so
exact.fut:35:22-48: in scans kernel 3: launches 1, iterations div((n + (max(min(div(block_cost, 4), 65536), 16) - 1)), max(min(div(block_cost, 4), 65536), 16)), where a value of the run says so
exact.fut:35:22-48: in scans kernel 4: launches 1, iterations div((n + (max(min(div(block_cost, 4), 65536), 16) - 1)), max(min(div(block_cost, 4), 65536), 16)), where a value of the run says so
exact.fut:35:50-67: in scans kernel 5: launches 1, iterations n
exact.fut:39:12-47: in counts kernel 1: launches 1, iterations n
exact.fut:40:11-36: in counts kernel 2: launches 1, iterations 37
exact.fut:40:11-36: in counts kernel 3: launches 1, iterations n
exact.fut:41:11-56: in counts kernel 4: launches 1, iterations 37
exact.fut:41:11-56: in counts kernel 5: launches 1, iterations n
exact.fut:42:11-62: in counts kernel 6: launches 1, iterations (div(n, 3) + 1)
exact.fut:42:11-62: in counts kernel 7: launches 1, iterations n
exact.fut:43:11-58: in counts kernel 8: launches 1, iterations n
exact.fut:44:21-30: in counts kernel 9: launches 1, iterations 37
exact.fut:44:32-76: in counts kernel 10: launches 1, iterations 37
exact.fut:44:32-76: in counts kernel 11: launches 1, iterations min(min(n, whole(min(div((n * 5), 296), 453438))), 4096), where (16 <= min(n, whole(min(div((n * 5), 296), 453438))))
exact.fut:44:32-76: in counts kernel 12: launches 1, iterations 37, where (16 <= min(n, whole(min(div((n * 5), 296), 453438))))
exact.fut:48:3-81: in fails kernel 1: launches 1, iterations min(n, 8192)
$ dagaz explain --target gpu-host floats.fut | grep -v order
floats.fut:41:14-83: as a kernel
floats.fut:42:24-104: as a kernel
floats.fut:18:19-60: in short kernel 1: launches 1, iterations ((div((n + -1), (max(div(whole(min(div(block_cost, 21), 65536)), 32), 1) * 32)) + 1) * (lanes * 4)), where (block_cost < (n * 21))
floats.fut:18:19-60: in short kernel 2: launches 1, iterations (div((n + -1), (max(div(whole(min(div(block_cost, 21), 65536)), 32), 1) * 32)) + 1), where (block_cost < (n * 21))
floats.fut:31:23-56: in long kernel 1: launches 1, iterations ((div((n + -1), (max(div(whole(min(div(block_cost, 54), 65536)), 32), 1) * 32)) + 1) * (lanes * 4)), where (block_cost < (n * 54))
floats.fut:31:23-56: in long kernel 2: launches 1, iterations (div((n + -1), (max(div(whole(min(div(block_cost, 54), 65536)), 32), 1) * 32)) + 1), where (block_cost < (n * 54))
floats.fut:37:59-69: in trained kernel 1: launches 1, iterations ((div((n + -1), (max(div(whole(min(div(block_cost, 14), 65536)), 32), 1) * 32)) + 1) * (lanes * 4)), where (block_cost < (n * 14))
floats.fut:37:59-69: in trained kernel 2: launches 1, iterations (div((n + -1), (max(div(whole(min(div(block_cost, 14), 65536)), 32), 1) * 32)) + 1), where (block_cost < (n * 14))
floats.fut:37:13-56: in trained kernel 3: launches 3, iterations ((div((n + -1), (max(div(whole(min(div(block_cost, 45), 65536)), 32), 1) * 32)) + 1) * (lanes * 4)), where (block_cost < (n * 45))
floats.fut:37:13-56: in trained kernel 4: launches 3, iterations (div((n + -1), (max(div(whole(min(div(block_cost, 45), 65536)), 32), 1) * 32)) + 1), where (block_cost < (n * 45))
floats.fut:41:14-83: in walks kernel 1: launches 1, iterations (7 * div(n, 7))
floats.fut:42:24-104: in walks kernel 2: launches 2, iterations 7
floats.fut:42:24-104: in walks kernel 3: launches 2, iterations ((div((div(n, 7) + -1), (max(div(whole(min(div(block_cost, 47), 65536)), 32), 1) * 32)) + 1) * (lanes * 4)), where (block_cost < (div(n, 7) * 47))
floats.fut:42:24-104: in walks kernel 4: launches 2, iterations (div((div(n, 7) + -1), (max(div(whole(min(div(block_cost, 47), 65536)), 32), 1) * 32)) + 1), where (block_cost < (div(n, 7) * 47))
floats.fut:53:6-35: in own kernel 1: launches 1, iterations (div((n + -1), max(div(whole(min(div(block_cost, 34.75), 65536)), 1), 1)) + 1), where ((block_cost * 64) < (n * 34.75))
floats.fut:57:3-80: in plain kernel 1: launches 1, iterations (div((n + -1), max(div(whole(min(div(block_cost, 81), 65536)), 1), 1)) + 1), where ((block_cost * 64) < (n * 81))
floats.fut:61:35-65: in several kernel 1: launches 1, iterations ((div((n + -1), (max(div(whole(min(div(block_cost, 19), 65536)), 32), 1) * 32)) + 1) * (lanes * 4)), where (block_cost < (n * 19))
floats.fut:61:35-65: in several kernel 2: launches 1, iterations (div((n + -1), (max(div(whole(min(div(block_cost, 19), 65536)), 32), 1) * 32)) + 1), where (block_cost < (n * 19))
floats.fut:67:7-17: in narrow kernel 1: launches 1, iterations ((div((n + -1), (max(div(whole(min(div(block_cost, 28), 65536)), 32), 1) * 32)) + 1) * (lanes * 4)), where (block_cost < (n * 28))
floats.fut:67:7-17: in narrow kernel 2: launches 1, iterations (div((n + -1), (max(div(whole(min(div(block_cost, 28), 65536)), 32), 1) * 32)) + 1), where (block_cost < (n * 28))
floats.fut:72:11-21: in written kernel 1: launches 1, iterations ((div((n + -1), (max(div(whole(min(div(block_cost, 16), 65536)), 32), 1) * 32)) + 1) * (lanes * 4)), where (block_cost < (n * 16))
floats.fut:72:11-21: in written kernel 2: launches 1, iterations (div((n + -1), (max(div(whole(min(div(block_cost, 16), 65536)), 32), 1) * 32)) + 1), where (block_cost < (n * 16))
floats.fut:75:3-96: in fails kernel 1: launches 1, iterations ((div((n + -1), (max(div(whole(min(div(block_cost, 13), 65536)), 32), 1) * 32)) + 1) * (lanes * 4)), where (block_cost < (n * 13))
floats.fut:75:3-96: in fails kernel 2: launches 1, iterations (div((n + -1), (max(div(whole(min(div(block_cost, 13), 65536)), 32), 1) * 32)) + 1), where (block_cost < (n * 13))
$ echo 300007 | ./floats.gpu -e written -n -P 2>&1 | sed 's/.*"events"/"events"/; s/"duration":[0-9.]*/"duration":../g; s/},/},\n  /g'
"events":[{"name":"copy_host_to_dev","provenance":"unknown","runs":1,"duration":..,"bytes":104},
  {"name":"f_written_8_kernel1","provenance":"floats.fut:72:11-21","runs":1,"duration":..,"bytes":0},
  {"name":"f_written_8_kernel2","provenance":"floats.fut:72:11-21","runs":1,"duration":..,"bytes":0},
  {"name":"copy_dev_to_host","provenance":"unknown","runs":2,"duration":..,"bytes":2506752}]}
