$ printf '%s\n' 'type data = {n: i64, xs: f64}' 'entry make (n: i64) : data = {n, xs = f64.i64 n}' 'entry pair (n: i64) = (n, n + 1)' 'entry use (d: data) = d.n' 'entry add (x: i64) (y: i64) = x + y' 'entry len (s: []u8) = length s' 'entry total [n] (c: f64) (xs: [n]f64) = c * f64.sum xs' '-- ==' '-- entry: use' '-- script input { make 3 } output { 3i64 }' '-- "let" script input { let n = 4 in make (n + 0) } output { 4i64 }' '-- ==' '-- entry: add' '-- script input { pair 5i64 } output { 11i64 }' '-- script input { (1, 2) } output { 3i64 }' '-- input { 1i64 2i64 } output { 3i64 }' '-- ==' '-- entry: len' '-- script input { "abc" } output { 3i64 }' '-- script input { $loadbytes "bytes" } output { 5i64 }' '-- ==' '-- entry: total' '-- script input { (2, $loaddata "xs") } output { 12.0 }' '-- script input @ total.script output { 0.5 }' '-- ==' '-- entry: make' '-- input { 1i64 }' > s.fut; printf 12345 > bytes; echo '[1.0, 2.0, 3.0]' > xs; echo '(1.0, [0.5])' > total.script
$ CFLAGS=-O0 dagaz test s.fut
10 passed, 0 failed
$ dagaz test --interp s.fut
10 passed, 0 failed
$ printf '%s\n' '-- ==' '-- tags { slow }' '-- entry: f g' '-- compiled input { 1 } output { 2 }' '-- notest input { 1 } output { 3 }' '-- no_c input { 2 } output { 3 }' '-- no_interp input { 2 } output { 3 }' '-- random input { 7 } auto output' 'entry f (x: i32) = x + 1' 'entry g (x: i32) = 1 + x' > t.fut
$ CFLAGS=-O0 dagaz test t.fut; dagaz test --interp t.fut
6 passed, 0 failed, 4 skipped
4 passed, 0 failed, 6 skipped
$ dagaz test --interp -e g t.fut; dagaz test --exclude slow t.fut; dagaz test -t t.fut
2 passed, 0 failed, 3 skipped
0 passed, 0 failed, 1 skipped
1 passed, 0 failed
$ printf '%s\n' '-- ==' '-- random input { [3]f32 nonsense }' '-- input @ absent' '-- script input { $loadimg "x" }' 'entry main (x: []f32) = x' > u.fut; dagaz test --interp u.fut
FAILED u.fut main #0 random: random input: 'nonsense' is neither a type nor a value
FAILED u.fut main absent: input file 'absent': No such file or directory
FAILED u.fut main #2 script: unsupported in a script: '$loadimg'
0 passed, 3 failed
[1]
$ printf '%s\n' '-- ==' '-- input { 3i64 } output @ out.gz' 'entry main n = iota n' > z.fut; echo '[0i64, 1i64, 2i64]' | gzip > out.gz; CFLAGS=-O0 dagaz test z.fut; echo nonsense > out.gz; dagaz test --interp z.fut
1 passed, 0 failed
FAILED z.fut main #0 (3i64): expected output: 'out.gz': the compressed bytes are damaged or end early
0 passed, 1 failed
[1]
$ for i in 1 2 3 4 5; do printf '%s\n' '-- ==' "-- input { $i } output { 2 }" 'entry main (x: i32) = x' > p$i.fut; done; dagaz test --interp -j 3 p1.fut p2.fut p3.fut p4.fut p5.fut
FAILED p1.fut main #0 (1): result 0: element 0 is 1i32, expected 2i32
FAILED p3.fut main #0 (3): result 0: element 0 is 3i32, expected 2i32
FAILED p4.fut main #0 (4): result 0: element 0 is 4i32, expected 2i32
FAILED p5.fut main #0 (5): result 0: element 0 is 5i32, expected 2i32
1 passed, 4 failed
[1]
$ printf '%s\n' '-- ==' '-- warning: nothing' 'entry main (x: i32) = x' > w.fut; dagaz test --interp w.fut
FAILED w.fut: the compiler's messages do not match 'nothing':

0 passed, 1 failed
[1]
$ printf '%s\n' '-- ==' '-- notest input { 1 } output { 2 }' 'entry main (x: i32) = x' > k.fut; dagaz test --interp k.fut; echo $?
0 passed, 0 failed, 1 skipped
0
$ printf '%s\n' '-- ==' '-- entry: f' '-- script input { mk 3i64 } output { 6i64 }' 'entry mk (n: i64) = (n, iota n)' 'def g [n] (h: i64) (xs: [n]i64) : i64 = h + i64.sum xs' 'entry f = g' > e.fut; dagaz test --interp e.fut
1 passed, 0 failed
$ # Sizes that only the run tells: rows of m * n elements where n are wanted.
$ printf '%s\n' '-- ==' '-- entry: k' '-- script input { mk 2i64 1i64 } output { 4i64 }' 'entry mk (n: i64) (m: i64) : [n][m * n]i64 = replicate n (replicate (m * n) 1)' 'entry k [n] (xs: [n][n]i64) = i64.sum (flatten xs)' > s.fut; dagaz test --interp s.fut
1 passed, 0 failed
