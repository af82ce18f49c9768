$ printf 'entry main (xs: []f64) = map (+1) (map (*2) xs)\n' > p.fut
$ dagaz ir -O --print-after nosuch p.fut
dagaz ir: `dagaz ir --passes` lists what --print-after and --stop-after take
[1]
$ dagaz ir -O --stop-after nosuch p.fut
dagaz ir: `dagaz ir --passes` lists what --print-after and --stop-after take
[1]
$ dagaz c --print-after nosuch p.fut
dagaz c: `dagaz ir --passes` lists what --print-after takes
[1]
$ dagaz ir -O --without nosuch p.fut
dagaz ir: `dagaz ir --optional` lists what --without can leave out
[1]
$ dagaz ir -p contract p.fut
Error:
the imperative program is made by the pass 'lower', before 'contract'; `dagaz ir --passes` lists them
[2]
$ dagaz ir -p lower,simplify p.fut
Error:
the program is imperative before 'simplify'; `dagaz ir --passes` lists them
[2]
$ dagaz ir -O --stop-after lower p.fut | head -3
fn "main" (n_1 : i64, xs_2) -> (block f64) {
  mem xs_2 : ptr f64
  mem map_3 : block f64 moved
$ dagaz ir -O --imp --print-after outer-vec p.fut 2>&1 | grep -c -e '-- after outer-vec'
1
$ dagaz ir -O --imp --time p.fut 2>&1 | awk '$2 == "ms" { print $3 }' | tail -19
dead-stores
contract
fuse-loops
dead-stores
interchange-loops
redundant-checks
split-loops
device-calls
chunks
hoist-allocs
outer-vec
unroll-jam
panels
stack-blocks
inner-vec
device-sums
free-blocks
memory-need
transfers
$ dagaz ir -O --imp --without inner-vec p.fut | grep -c simd
0
[1]
