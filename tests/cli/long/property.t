$ printf '%s\n' 'type~ r = {a: i32, xs: []f64}' 'type~ s = #one i64 | #two r | #three' '-- ==' '-- property: twice small rec tup sums made index own rows' '#[prop]' 'entry twice (xs: []i32) = and (map2 (==) (reverse (reverse xs)) xs)' '#[prop(size(20))]' 'entry small (xs: []i32) = i32.maximum xs < 100' '#[prop]' 'entry rec (x: r) = length x.xs < 5' '#[prop]' 'entry tup (x: (i32, bool)) = x.0 < 10 || !x.1' '#[prop]' 'entry sums (x: s) = match x case #one n -> n != 0 case #two r -> r.a < 5000 case #three -> true' 'entry make (n: i64) (seed: u64) : r = {a = i32.u64 (seed % 1000), xs = replicate n 0.5}' 'entry less (x: r) (k: u64) : r = {a = if k % 2 == 0 then x.a - 1 else x.a, xs = x.xs[:length x.xs / 2]}' '#[prop(gen(make), shrink(less))]' 'entry made (x: r) = x.a < 200' '#[prop]' 'entry index (i: i64) = 100 / (i / i64.highest) < 1000' '#[prop]' 'entry own (xs: *[]i64) = let ys = xs with [0] = 0 in ys[0] == 0' '#[prop(size(4))]' 'entry rows (xs: [](i32, [2]bool)) = all (\x -> x.0 > 7 || x.1[1]) xs' > p.fut; CFLAGS=-O0 dagaz test --seed 7 p.fut
FAILED p.fut property small: is false after 1 test (size 3, --seed 7)
  counterexample: [0i32, 0i32, 100i32]
FAILED p.fut property rec: is false after 1 test (size 5, --seed 7)
  counterexample: {a = 0i32, xs = [0f64, 0f64, 0f64, 0f64, 0f64]}
FAILED p.fut property tup: is false after 3 tests (size 0, --seed 7)
  counterexample: (10i32, true)
FAILED p.fut property sums: is false after 4 tests (size 0, --seed 7)
  counterexample: #two {a = 7313i32, xs = empty([0]f64)}
FAILED p.fut property made: is false after 1 test (size 100, --seed 7)
  counterexample: {a = 200i32, xs = empty([0]f64)}
FAILED p.fut property index: fails after 6 tests (size 0, --seed 7)
  counterexample: 0i64
  Error: division by zero

Backtrace:
-> #0  p.fut:20:24-47
FAILED p.fut property rows: is false after 1 test (size 2, --seed 7)
  counterexample: [(0i32, [false, false]), (0i32, [false, false])]
2 passed, 7 failed
[1]
$ dagaz test --interp --seed 7 p.fut | grep -c 'is false'
6
$ printf '%s\n' '-- ==' '-- property: p q gone' '-- property: two badgen badsize badarg' 'entry p (x: i32) = true' '#[prop]' 'entry q (x: i32) = x' '#[prop]' 'entry two (x: i32) (y: i32) = x == y' '#[prop(gen(two))]' 'entry badgen (x: i32) = true' '#[prop(size(many))]' 'entry badsize (x: i32) = true' '#[prop(sise(3))]' 'entry badarg (x: i32) = true' > bad.fut; dagaz test --interp bad.fut
FAILED bad.fut property p: 'p' has no attribute #[prop]
FAILED bad.fut property q: the property 'q' is not of type t -> bool
FAILED bad.fut property gone: 'gone' is no entry point
FAILED bad.fut property two: the property 'two' is not of type t -> bool
FAILED bad.fut property badgen: the generator 'two' is not of type i64 -> u64 -> i32
FAILED bad.fut property badsize: #[prop(size(many))] is not a size
FAILED bad.fut property badarg: #[prop(sise)] is not one of gen(f), shrink(f), size(N)
0 passed, 7 failed
[1]
$ printf '%s\n' '-- ==' '-- property: p r' '#[prop]' 'entry p (x: []i32) = length x == 100' 'entry g (n: i64) (s: i64) : i64 = n / (s - s)' '#[prop(gen(g))]' 'entry r (x: i64) = true' > ok.fut; CFLAGS=-O0 dagaz test -e p ok.fut; dagaz test --interp --seed 3 -e r ok.fut
1 passed, 0 failed
FAILED ok.fut property r: the generator 'g' fails (size 100, --seed 3): Error: division by zero

Backtrace:
-> #0  ok.fut:5:35-46

0 passed, 1 failed
[1]
