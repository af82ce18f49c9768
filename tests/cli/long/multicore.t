$ cp $DAGAZ_ROOT/tests/par/bits.fut .; dagaz c bits.fut -o one; dagaz multicore bits.fut -o all
$ for e in sums rows gradient bins centres mixed few; do echo 300007 | ./one -e $e -b > want; for t in 1 2 3 8; do echo 300007 | ./all -e $e -b --num-threads $t > got; cmp want got || echo $e $t differ; done; done
$ cp $DAGAZ_ROOT/tests/par/folds.fut .; dagaz c folds.fut -o one2; dagaz multicore folds.fut -o all2
$ for e in largest means turns grads vectors matrices modulo nested many; do echo 300007 | ./one2 -e $e -b > want; for t in 1 2 3 8; do echo 300007 | ./all2 -e $e -b --num-threads $t > got; cmp want got || echo $e $t differ; done; done
$ cp $DAGAZ_ROOT/tests/par/scans.fut .; dagaz c scans.fut -o one3; dagaz multicore scans.fut -o all3
$ for e in sums flags exclusive segments heavy_sums heavy_pairs heavy_count filters heavy_filter partitions filter_sum partition_sums last heavy_last; do echo 300007 | ./one3 -e $e -b > want; for t in 1 2 3 8; do echo 300007 | ./all3 -e $e -b --num-threads $t > got; cmp want got || echo $e $t differ; done; done
$ echo 300007 | DAGAZ_THREADS=5 ./all -e sums -b > got; echo 300007 | ./one -e sums -b | cmp - got
$ for t in abc -3 2x; do echo 3 | DAGAZ_THREADS=$t ./all -e sums; done; echo 3 | DAGAZ_THREADS=abc ./all -e sums --num-threads 2
./all: Invalid DAGAZ_THREADS: abc (a number; 0: all processors)
./all: Invalid DAGAZ_THREADS: -3 (a number; 0: all processors)
./all: Invalid DAGAZ_THREADS: 2x (a number; 0: all processors)
1.7507684116335782f64
1.0017515335590348f64
0.90929742682568171f64
5i64
$ for e in fails divides; do echo 300007 | ./one -e $e 2>&1 | sed 's/.*one:/P:/' > want; for t in 1 2 8; do echo 300007 | ./all -e $e --num-threads $t 2>&1 | sed 's/.*all:/P:/' | cmp - want; done; cat want; done
P: Error: Assertion is false: i < 0

Backtrace:
-> #0  bits.fut:28:42-58
   #1  bits.fut:28:3-75
P: Error: division by zero

Backtrace:
-> #0  bits.fut:30:37-53
   #1  bits.fut:30:26-63
$ dagaz run --backend multicore --num-threads 2 bits.fut -e rows < /dev/null 2>&1 | head -2
bits.fut: Cannot read input #0 of type "i64".  It is the parameter "n".
bits.fut: Error: line 1, column 1: unexpected end of input
$ echo 3 | dagaz run --backend multicore --num-threads 2 bits.fut -e divides
[-1i64, -1i64, -1i64]
$ dagaz test --backend vulkan x.fut
dagaz: option --backend wants c|multicore|gpu-host|opencl|cuda|interp, not 'vulkan'
[1]
$ dagaz multicore --library bits.fut -o lib && grep -o '"backend": "[a-z]*"' lib.json
"backend": "multicore"
$ dagaz explain --target multicore bits.fut
bits.fut:17:7-17: in blocks
bits.fut:21:3-81: in chunks
bits.fut:25:26-64: in chunks
bits.fut:28:3-75: in chunks
bits.fut:30:26-63: in chunks
bits.fut:33:12-43: in chunks
bits.fut:34:7-66: on one core: fills memory
bits.fut:34:7-66: in blocks, with copies of what they add to, or writing that down
bits.fut:35:7-81: on one core: fills memory
bits.fut:35:7-81: in blocks, with copies of what they add to, or writing that down
bits.fut:36:7-32: on one core: fills memory
bits.fut:36:7-32: in blocks, with copies of what they add to, or writing that down
bits.fut:42:14-74: on one core: fills memory
bits.fut:42:14-74: in blocks, with copies of what they add to, or writing that down
bits.fut:48:23-103: in blocks
bits.fut:48:31-103: on one core: few iterations
bits.fut:48:31-103: in blocks, with copies of what they add to, or writing that down
bits.fut:54:7-27: in chunks
bits.fut:53:20-76: in chunks
bits.fut:54:29-43: on one core: few iterations
bits.fut:53:20-76: in chunks
$ dagaz explain --target multicore --json bits.fut | head -1
{"at": "bits.fut:17:7-17", "parallel": true, "text": "in blocks"}
