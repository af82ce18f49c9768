$ printf '%s\n' 'def f [n] (xs: [n]f64) (w: f64) : f64 =' '  let ys = map (\x -> f64.exp (w * x)) xs' '  let zs = scan (+) 0 ys' '  in f64.sum (map2 (*) zs ys)' 'entry main (n: i64) (steps: i64) : f64 =' '  let xs = map (\i -> f64.i64 i / f64.i64 n) (iota n)' '  in loop w = 0.1 for _i < steps do w - 1e-9 * vjp (f xs) w 1' 'entry fails (n: i64) : f64 = loop s = 0 for i < n do s + f64.sum (map f64.i64 (iota n)) / f64.i64 (10 / (i - 3))' > p.fut; for b in c multicore; do dagaz profile --backend $b p.fut n=100000 steps=5 | sed -E 's/[0-9]+\.[0-9]+/T/g; s/^ +//; s/ +/ /g' | sort | uniq; done

T T % T 1 outside of loops
T T % T 1 p.fut:6:12-54 parallel: let xs = map (\i -> f64.i64 i / f64.i64 n) (iota n)
T T % T 1 p.fut:7:6-62 loop: in loop w = T for _i < steps do w - 1e-9 * vjp (f xs) w 1
T T % T 5 p.fut:2:12-42 parallel: let ys = map (\x -> f64.exp (w * x)) xs
T T % T 5 p.fut:3:12-25 parallel: let zs = scan (+) 0 ys
main: T ms a call, mean of 10; at most T MB of arrays
own ms share total ms runs loop

T T % T 1 outside of loops
T T % T 1 p.fut:6:12-54 parallel: let xs = map (\i -> f64.i64 i / f64.i64 n) (iota n)
T T % T 1 p.fut:7:6-62 loop: in loop w = T for _i < steps do w - 1e-9 * vjp (f xs) w 1
T T % T 5 p.fut:2:12-42 parallel: let ys = map (\x -> f64.exp (w * x)) xs
T T % T 5 p.fut:3:12-25 parallel: let zs = scan (+) 0 ys
main: T ms a call, mean of 10; at most T MB of arrays
own ms share total ms runs loop
$ dagaz profile --runs 3 --json p.fut n=1000 steps=7 | sed -E 's/"(duration|own|microseconds)":[0-9.]+/"\1":T/g'
{"memory":{"now":0,"peak":32768,"held":32768},"calls":3,"microseconds":T,"events":[{"name":"parallel","provenance":"p.fut:6:12-54","runs":3,"duration":T,"own":T},{"name":"loop","provenance":"p.fut:7:6-62","runs":3,"duration":T,"own":T},{"name":"parallel","provenance":"p.fut:3:12-25","runs":21,"duration":T,"own":T},{"name":"parallel","provenance":"p.fut:3:12-25","runs":21,"duration":T,"own":T},{"name":"parallel","provenance":"p.fut:2:12-42","runs":21,"duration":T,"own":T}]}
$ dagaz profile p.fut -e fails n=10; dagaz profile p.fut n=x steps=1; dagaz profile; dagaz profile -r 0 p.fut; CC=no-such-cc dagaz profile p.fut n=1 steps=1
p.fut: Error: division by zero

Backtrace:
-> #0  p.fut:8:99-113
dagaz: parameter 'n' of type i64: x: cannot be read: No such file or directory
usage: dagaz profile FILE.fut [-e NAME] [PARAMETER=VALUE|FILE..]  (dagaz help profile says more)
usage: dagaz profile FILE.fut [-e NAME] [PARAMETER=VALUE|FILE..]  (dagaz help profile says more)
dagaz: cannot run the C compiler 'no-such-cc' (from CC): no such program; set CC to gcc or clang
[1]
$ dagaz c --profile p.fut && echo 1000 5 | ./p -P 2>&1 | sed -E 's/"(duration|own|microseconds)":[0-9.]+/"\1":T/g'
0.097192602386035346f64
{"memory":{"now":0,"peak":32768,"held":32768},"calls":1,"microseconds":T,"events":[{"name":"parallel","provenance":"p.fut:6:12-54","runs":1,"duration":T,"own":T},{"name":"loop","provenance":"p.fut:7:6-62","runs":1,"duration":T,"own":T},{"name":"parallel","provenance":"p.fut:3:12-25","runs":5,"duration":T,"own":T},{"name":"parallel","provenance":"p.fut:3:12-25","runs":5,"duration":T,"own":T},{"name":"parallel","provenance":"p.fut:2:12-42","runs":5,"duration":T,"own":T}]}
$ printf '%s\n' '#[noinline] def g (n: i64) (x: f64) : f64 = f64.sum (map (\i -> f64.sin (x * f64.i64 i)) (iota n))' 'entry main (n: i64) (m: i64) : f64 = f64.sum (map (\i -> g m (f64.i64 i)) (iota n))' > n.fut; for b in c multicore; do dagaz profile --backend $b n.fut n=1000 m=100 | sed -E 's/[0-9]+\.[0-9]+/T/g; s/^ +//; s/ +/ /g' | tail -2; done; dagaz profile --num-threads x n.fut n=1 m=1
T T % T 1 n.fut:2:38-84 parallel: entry main (n: i64) (m: i64) : f64 = f64.sum (map (\i -> g m
T T % T 1 outside of loops
T T % T 1 n.fut:2:38-84 parallel: entry main (n: i64) (m: i64) : f64 = f64.sum (map (\i -> g m
T T % T 1 outside of loops
n.fut: Invalid argument for option --num-threads: x
[1]
$ for b in c multicore gpu-host; do dagaz profile --backend $b --num-threads 2 --timeline $b.svg p.fut n=100000 steps=5 > $b.txt; echo $b: $(grep -c 'class="row"' $b.svg) rows $(grep -oE '>(loops|device queue|thread [12]),' $b.svg); runs=$(awk '/ % / && !/outside of/ {n += $5} NF == 5 && $1 ~ /^[0-9.]+$/ {n += $3} END {print n}' $b.txt); bars=$(sed '/>thread 1,/,$d' $b.svg | grep -c 'class="bar"'); echo $runs runs, $bars bars; grep -o 'title>loop p.fut:7:6-62$' $b.svg; if command -v python3 > /dev/null; then python3 -c 'import sys, xml.dom.minidom as d; d.parse(sys.argv[1])' $b.svg; fi; awk -F'"' '/class="bar"/ && $4 + $8 > 1180.01' $b.svg; done; sed '1,/>thread 1,/d' multicore.svg | grep -c 'class="bar"' | awk '{print ($1 >= 12)}'
c: 1 rows >loops,
17 runs, 17 bars
title>loop p.fut:7:6-62
multicore: 3 rows >loops, >thread 1, >thread 2,
17 runs, 17 bars
title>loop p.fut:7:6-62
gpu-host: 2 rows >loops, >device queue,
59 runs, 59 bars
title>loop p.fut:7:6-62
1
$ # An outer loop has its bar, though those inside it fill the room.
$ printf '%s\n' 'entry main (n: i64) (m: i64) =' '  let xs = tabulate m f64.i64' '  in loop xs for _i < n do let s = f64.sum xs in map (\x -> f64.sin (x + s)) xs' > many.fut
$ dagaz profile -r 1 --timeline many.svg many.fut n=75000 m=5 > many.txt; grep -c '<title>loop many.fut:3:6' many.svg
dagaz: many.svg has the first 100000 events of the call; 50002 more are left out
2
$ dagaz profile --timeline no/such/p.svg p.fut n=10 steps=1 > p.txt
dagaz: cannot write 'no/such/p.svg': No such file or directory
[1]
