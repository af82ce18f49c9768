$ # One gradient by every strategy; an attribute reaches the functions of libraries, and one further inside prevails.
$ printf '%s\n' 'import "lib/ad"' 'module ad = mk_ad f64' 'def f [n] (xs: [n]f64) = f64.sum (map (\x -> f64.sin x * x) xs)' 'entry main [n] (xs: [n]f64) = (ad.grad f xs, #[strategy(forward)] ad.grad f xs, #[strategy(forward)] (#[strategy(redundant)] vjp f xs 1))' > a.fut
$ echo '[1.0, 2.0]' | dagaz run --interp a.fut
[1.3817732906760363f64, 0.077003753731396896f64]
[1.3817732906760363f64, 0.077003753731396896f64]
[1.3817732906760363f64, 0.077003753731396896f64]
$ echo '[1.0, 2.0]' | dagaz run --interp --strategy forward a.fut
[1.3817732906760363f64, 0.077003753731396896f64]
[1.3817732906760363f64, 0.077003753731396896f64]
[1.3817732906760363f64, 0.077003753731396896f64]
$ printf '%s\n' 'def f [n] (xs: [n]f64) = f64.sum (map (\x -> x * x) xs)' 'entry main [n] (xs: [n]f64) = #[strategy(forward)] vjp f xs 1' > b.fut
$ dagaz ir b.fut | grep -c '#strategy(forward)'
1
$ dagaz run --strategy sideways a.fut
dagaz: option --strategy wants default|redundant|forward|dual|elimination|auto, not 'sideways'
[1]
$ # Booleans, tuples, rows, and many seeds.
$ printf '%s\n' 'def f [n][m] (xs: [n][m]f64, s: f64, b: bool) = (map (\r -> s * f64.product r) xs, b && s > 0)' 'entry main [n][m] (xs: [n][m]f64) (s: f64) = (mjp (\x -> (f x).0) (xs, s, true) (tabulate_2d n n (\i j -> f64.bool (i == j))), vjp f (xs, s, true) (replicate n 1, true))' > c.fut
$ echo '[[1.0, 2.0], [3.0, 4.0]] 0.5' | dagaz run --interp c.fut > by_reverse
$ echo '[[1.0, 2.0], [3.0, 4.0]] 0.5' | dagaz run --interp --strategy forward c.fut > by_forward
$ cmp by_reverse by_forward && cat by_forward
[([[1f64, 0.5f64], [0f64, 0f64]], 2f64, false), ([[0f64, 0f64], [2f64, 1.5f64]], 12f64, false)]
[[1f64, 0.5f64], [2f64, 1.5f64]]
14f64
false
$ # Vertex elimination: the operations that accumulate the Jacobian of bundle adjustment's residual; refusals.
$ dagaz explain $DAGAZ_ROOT/tests/cli/residual.fut | grep -o 'eliminated.*' | sed 's/ .*fut:[0-9:-]*//'
eliminated 65 vertices, reverse order: 128 multiplications, 70 additions for a Jacobian of 2 x 15
$ printf '%s\n' 'entry main [n] (xs: [n]f64) = #[strategy(elimination)] vjp (\xs -> f64.sum xs) xs 1' > d.fut
$ dagaz ir -O d.fut
Error at d.fut:1:56-84:
unsupported: an argument or result whose size is not constant, by the strategy "elimination" of derivatives
    1 | entry main [n] (xs: [n]f64) = #[strategy(elimination)] vjp (\xs -> f64.sum xs) xs 1
      |                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ [unsupported]
[3]
$ printf '%s\n' 'def f (x: [2]f64) : [2]f64 =' '  let y = loop y = x[0] while y < 100 do y * x[1]' '  in [y, x[1]]' 'entry main (x: [2]f64) = vjp f x [1, 2]' > e.fut
$ dagaz ir -O --strategy elimination e.fut
Error at e.fut:2:11-50:
unsupported: a loop whose number of trips is not constant, or above 64, by the strategy "elimination" of derivatives
    2 |   let y = loop y = x[0] while y < 100 do y * x[1]
      |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ [unsupported]
[3]
$ # Work and tapes of every strategy.
$ dagaz explain --strategies b.fut | sed -n '/strategies/,$p'
  strategies  redundant: 2 n operations, 0 bytes of tapes, 8 n bytes in all, span 2
              forward: 2 n operations, 0 bytes of tapes, 8 n bytes in all, span 2
              dual: 2 n operations, 0 bytes of tapes, 8 n bytes in all, span 2
              elimination: refuses an argument or result whose size is not constant
  least       redundant, where sizes are 100
$ printf '%s\n' 'entry main [n] (xs: [n]f64) = vjp (\xs -> loop s = 1 for i < n do f64.sin s * xs[i]) xs 1' > g.fut
$ dagaz explain --strategies g.fut | sed -n '/strategies/,$p'
  strategies  redundant: 15 n + 1 operations, 8 n bytes of tapes, 16 n bytes in all, span 15 n + 5
              forward: 14 n + 1 operations, 24 n bytes of tapes, 32 n bytes in all, span 13 n + 7
              dual: 15 n + 1 operations, 8 n bytes of tapes, 16 n bytes in all, span 15 n + 5
              elimination: refuses an argument or result whose size is not constant
  least       forward, where sizes are 100
$ # Every strategy against reverse mode.
$ printf '%s\n' 'entry main (xs: [3]f64) = [xs[0] * xs[1], f64.sin xs[2] * xs[0]]' 'entry sum [n] (xs: [n]f64) = f64.sum (map f64.exp xs)' > h.fut
$ dagaz gradcheck --interp -n 1 -e main --strategies h.fut | grep strategy
strategy elimination: refuses an argument or result whose size is not constant
strategy forward: worst error 0.0e+00
strategy dual: worst error 0.0e+00
strategy auto: worst error 0.0e+00
$ dagaz gradcheck --interp -n 1 -e sum --strategies h.fut | grep strategy
strategy elimination: refuses an argument or result whose size is not constant
strategy forward: worst error 0.0e+00
strategy dual: worst error 0.0e+00
strategy auto: worst error 0.0e+00
$ # The strategy is chosen: at compile time, or by the sizes when the program runs.
$ printf '%s\n' 'def iterated [k] (n: i64) (ws: [k]f64) : f64 =' '  loop y = f64.sum ws for _i < n do f64.sin y + f64.exp (-y)' 'entry main [k] (n: i64) (ws: [k]f64) : [k]f64 = #[strategy(auto)] vjp (iterated n) ws 1' > i.fut
$ dagaz explain i.fut | grep chosen
  chosen      i.fut:3:67-88: forward, 2 k + 10 n operations, or redundant where the sizes make that less, when it runs; redundant 2 k + 14 n + 2; dual 2 k + 14 n + 2; elimination refuses an argument or result whose size is not constant
$ dagaz ir -O i.fut | grep -c 'match (le_'
1
$ printf '%s\n' 'import "lib/ad"' 'module ad = mk_ad f64' 'entry main (x: [3]f64) = mjp (\(x: [3]f64) -> [x[0] * x[1], x[2] * f64.exp (-x[0]), x[1] / x[2]]) x (map (ad.unit 3) (iota 3))' > j.fut
$ dagaz explain --strategy auto j.fut | grep chosen
  chosen      j.fut:3:26-127: redundant, 30 operations; forward 29; dual 30; elimination 30
$ echo '[1.0, 2.0, 4.0]' | dagaz run --interp --strategy auto j.fut
[[2f64, 1f64, 0f64], [-1.4715177646857693f64, 0f64, 0.36787944117144233f64], [0f64, 0.25f64, -0.125f64]]
$ echo '[1.0, 2.0, 4.0]' | dagaz run --interp j.fut
[[2f64, 1f64, 0f64], [-1.4715177646857693f64, 0f64, 0.36787944117144233f64], [0f64, 0.25f64, -0.125f64]]
$ printf '%s\n' 'entry main [n] (xs: [n]f64) = #[strategy(forward)] vjp (\xs -> loop s = 1 for i < n do f64.sin s * xs[i]) xs 1' > k.fut
$ dagaz ir -O --strategy auto k.fut | grep -c tape
0
[1]
$ # Layers whose mean is taken off: invariants that are hoisted let further sums be factored.
$ printf '%s\n' 'def norm [n] (w: [n][n]f64) (x: [n]f64) : [n]f64 =' '  let m = f64.sum x / f64.i64 n' '  in map (\row -> f64.tanh (f64.sum (map2 (*) row x) - m)) w' 'entry main [n] (v: [n][n]f64) (w: [n][n]f64) (x: [n]f64) : [n]f64 =' '  vjp (\x -> f64.sum (map (\y -> y * y) (norm v (norm w x)))) x 1' > offset.fut
$ dagaz explain --strategies offset.fut | sed -n '/strategies/,$p'
  strategies  redundant: 18 n^2 + 37 n + 8 operations, 0 bytes of tapes, 48 n bytes in all, span 6 log n + 55
              forward: 30 n^2 + 27 n + 5 operations, 0 bytes of tapes, 48 n bytes in all, span 9 log n + 52
              dual: 16 n^2 + 23 n + 8 operations, 0 bytes of tapes, 24 n bytes in all, span 8 log n + 40
              elimination: refuses an argument or result whose size is not constant
  least       dual, where sizes are 100
