$ printf '%s\n' 'def step [n] (xs: [n]f64) = map2 (\x y -> 0.9 * x + 0.1 * f64.sin y) xs (rotate 1 xs)' 'entry steps [n] (t: i64) (xs: [n]f64) = vjp (\xs -> f64.sum (loop xs for _i < t do step xs)) xs 1' 'entry tangent [n] (xs: [n]f64) (dxs: [n]f64) = jvp (\xs -> f64.product xs) xs dxs' > a.fut
$ dagaz explain a.fut | grep -v -e work -e size
a.fut:2:41-98: vjp in steps of xs: [n]f64
  tapes       8 n t bytes
  stored      a.fut:2:61-92: loop parameter xs: [n]f64 of every iteration
  recomputed  a.fut:2:61-92: eq, sub, concat: 3 of 11 statements of its body
  accumulated nothing
  sequential  a.fut:2:61-92: xs: used as a whole at a.fut:1:29-86

a.fut:3:48-82: jvp in tangent of xs: [n]f64, dxs: [n]f64
  tapes       0 bytes
  stored      nothing
  recomputed  nothing
  accumulated nothing
$ dagaz explain --json -e tangent a.fut | sed 's/"work.*"notes/"notes/'
{"at": "a.fut:3:48-82", "mode": "jvp", "entry": "tangent", "notes": []}
$ dagaz explain --memory-limit 0 -e steps a.fut | grep stored
  stored      a.fut:2:61-92: loop parameter xs: [n]f64 of as many iterations as memory allows
$ dagaz explain --memory-limit 0 -e steps a.fut | grep -A3 work | sed 's/[0-9][0-9.]*/N/g'
  work        N n t + N t + N operations; its value alone N n t + N n + N t + N; N times for large sizes,
              at most one more for each of r times that iterations are executed again, where
              C(s + r, s) >= trips of the loop that holds s states
  tapes       N n states + N states bytes
$ printf '%s\n' 'entry mined (n: i64) (x: f64) = vjp (\x -> #[stripmine(3)] loop y = x for _i < n do f64.sin (y * x)) x 1' > mined.fut; dagaz explain mined.fut | grep tapes; dagaz explain --json mined.fut | grep -o '"again": [a-z]*'
  tapes       48 root - 16 bytes
"again": true
$ printf '%s\n' 'entry gather [n][m] (is: [m]i64) (xs: [n]f64) = vjp (\xs -> f64.sum (map (\i -> xs[i] * xs[i]) is)) xs 1' > b.fut
$ dagaz explain b.fut | sed 's/[0-9.]* \(m operations\|times\)/N \1/g; s/alone [0-9]*/alone N/; s/[0-9]* statements/N statements/'
b.fut:1:49-105: vjp in gather of xs: [n]f64, is: [m]i64
  work        N m operations; its value alone N m; N times for large sizes
  tapes       0 bytes
  size        N statements; its value alone N
  stored      nothing
  recomputed  nothing
  accumulated b.fut:1:81-86: a histogram, additions at indices that come from data: atomic, or into copies, when run in parallel
$ printf '%s\n' 'entry inplace [n] (xs: [n]f64) = vjp (\xs -> let ys = loop ys = copy xs for i < n-1 do ys with [i+1] = ys[i+1] * ys[i] in ys[n-1]) xs 1' > c.fut
$ dagaz explain c.fut | grep -v -e work -e size
c.fut:1:34-136: vjp in inplace of xs: [n]f64
  tapes       8 n - 8 bytes
  stored      c.fut:1:55-119: loop parameter ys: what its updates overwrite; they are undone
  recomputed  c.fut:1:55-119: add: 1 of 5 statements of its body
  accumulated nothing
  sequential  c.fut:1:55-119: ys: the cells written at c.fut:1:88-119 may be those read at c.fut:1:114-119 in another iteration
$ printf '%s\n' 'entry rows [n][m] (xss: [n][m]f64) = vjp2 (\xss -> f64.sum (map (\xs -> let s = f64.sum xs in f64.sum (map (\x -> x / s) xs)) xss)) xss 1' > d.fut
$ dagaz explain d.fut | grep -v -e work -e size
d.fut:1:38-138: vjp in rows of xss: [n][m]f64
  tapes       0 bytes
  stored      nothing
  recomputed  d.fut:1:60-131: s: 1 of 3 statements of its body
              d.fut:1:103-125: div: 1 of 1 statements of its body
  accumulated nothing
$ printf '%s\n' 'def cell (row: [8]f64) = let e = f64.sin (f64.sum row) in map (\x -> x * 0.5 + e) row' 'def run [n] (t: i64) (s: [n][8]f64) = f64.sum (flatten (loop s for _i < t do map cell s))' 'entry cells [n] (t: i64) (s: [n][8]f64) = vjp (run t) s 1' > g.fut
$ dagaz explain g.fut | grep -e tapes -e stored -e recomputed
  tapes       8 n t bytes
  stored      g.fut:2:56-89: red: [n]f64 of every iteration, from which the rest follows
  recomputed  nothing
$ printf '%s\n' 'entry none (x: f64) = x' > e.fut
$ dagaz explain e.fut
e.fut:1:7-11: vjp in none
  work        0 operations; its value alone 0; how many times depends on values
  tapes       0 bytes
  size        0 statements; its value alone 0
  stored      nothing
  recomputed  nothing
  accumulated nothing

e.fut:1:7-11: jvp in none
  work        0 operations; its value alone 0; how many times depends on values
  tapes       0 bytes
  size        0 statements; its value alone 0
  stored      nothing
  recomputed  nothing
  accumulated nothing
$ # A branch that one iteration of a map takes counts once.
$ printf '%s\n' 'entry g [n] (xs: [n]f64) = vjp (\xs -> f64.sum (map (\x -> x * x * x * xs[0]) xs)) xs 1' > g.fut; dagaz explain g.fut | grep -c 'work *[0-9]* n operations'
1
$ # Tapes against measured memory; work is compared in tests/unit/test_explain.c.
$ cp $DAGAZ_ROOT/tests/ad/costs/explained.fut . && sh $DAGAZ_ROOT/tests/cli/explained.sh explained.fut
recurrence agrees
steps agrees
scanned agrees
product agrees
pairs agrees
$ dagaz explain -e other a.fut
Error:
cannot explain "other": there is no such entry point; there are steps, tangent
[2]
$ printf '%s\n' 'entry main (x: f64) = vjp (\x -> loop s = x while s < 100 do s * 1.5 + 0.1 * f64.sin s) x 1' > w.fut; dagaz explain w.fut | grep work
  work        18 trips + 3 operations; its value alone 5 trips + 1; how many times depends on values
$ # A loop in a map has a tape for each iteration at work.
$ echo 'entry main [n] (t: i64) (xs: [n]f64) = vjp (\xs -> f64.sum (map (\x -> loop y = x for _i < t do f64.sin y) xs)) xs 1' > m.fut; dagaz explain m.fut | grep tapes
  tapes       8 t bytes, those in maps for each iteration at work (up to 32 in lanes)
$ printf 'def f [n] (a: [n]f64) = let b = loop a = copy a for k < n do loop a for i in k+1..<n do a with [i] = a[i] * f64.sin a[k]\n  in f64.sum b\nentry main [n] (a: [n]f64) = vjp f a 1\n' > over.fut; dagaz explain over.fut | grep tapes
  tapes       0 bytes, and the elements that updates overwrite
$ # A function without derivatives: its own are explained; with one entry point no name is needed.
$ printf '%s\n' 'def step (x: f64) = f64.sin x' 'entry iterate (x: f64) (n: i64) = loop y = x for _i < n do step y' > steps.fut; dagaz explain steps.fut | grep -E 'vjp|jvp|work'
steps.fut:2:7-14: vjp in iterate
  work        7 n + 3 operations; its value alone n; 7.00 times for large sizes
steps.fut:2:7-14: jvp in iterate
  work        3 n operations; its value alone n; 3.00 times for large sizes
$ dagaz explain -e step steps.fut | grep -E 'vjp|jvp|work'
steps.fut:1:5-9: vjp in step
  work        3 operations; its value alone 1; 3.00 times for large sizes
steps.fut:1:5-9: jvp in step
  work        3 operations; its value alone 1; 3.00 times for large sizes
$ dagaz derive steps.fut | tail -3
      let y_adj = adj * f64.cos tape[max - 1i64 - j]
      in y_adj
  in (y, x_adj)
$ # With -e the loops of that entry point alone.
$ printf '%s\n' 'entry double (xs: []f64) = map (* 2) xs' 'entry total (xs: []f64) = f64.sum xs' > loops.fut; dagaz explain --target multicore -e double loops.fut
loops.fut:1:28-40: in chunks
$ # Launches of kernels, by formulas that a run's counts agree with.
$ printf '%s\n' 'def f [n] (k: i64) (xs: [n]f64): [n]f64 = loop xs for _i < k do map (\y -> y * 0.5 + f64.sin y) xs' 'entry steps [n] (k: i64) (xs: [n]f64) = f k xs' 'entry grad [n] (k: i64) (xs: [n]f64) = vjp (f k) xs xs' 'entry squares [n] (is: [n]i64): i64 = i64.sum (map (\i -> i * i) is)' 'entry slope [n] (xs: [n]f64) (ys: [n]f64) = jvp (\xs -> map2 (\x y -> f64.exp (x * y)) xs ys) xs ys' 'entry twice [n] (k: i64) (m: i64) (xs: [n]f64): [n]f64 = loop xs for _i < k do f m xs' 'entry dot [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)' 'entry some [n] (k: i64) (xs: [n]f64): [n]f64 = loop xs for _i < k do if xs[0] > 1 then map (* 0.5) xs else xs' 'entry until [n] (xs: [n]f64): [n]f64 = loop xs while xs[0] > 1 do map (* 0.5) xs' > launch.fut; dagaz explain --target gpu-host launch.fut | grep launches
launch.fut:1:65-99: in steps kernel 1: launches k, iterations n
launch.fut:1:65-99: in grad kernel 1: launches k, iterations n
launch.fut:1:65-99: in grad kernel 2: launches max(k, 0), iterations n
launch.fut:4:39-69: in squares kernel 1: launches 1, iterations min(n, 8192)
launch.fut:5:57-93: in slope kernel 1: launches 1, iterations n
launch.fut:1:65-99: in twice kernel 1: launches k * m, iterations n
launch.fut:7:48-72: in dot kernel 1: launches 1, iterations ((div((n + -1), (max(div(whole(min(div(block_cost, 5), 65536)), 32), 1) * 32)) + 1) * (lanes * 4)), where (block_cost < (n * 5))
launch.fut:7:48-72: in dot kernel 2: launches 1, iterations (div((n + -1), (max(div(whole(min(div(block_cost, 5), 65536)), 32), 1) * 32)) + 1), where (block_cost < (n * 5))
launch.fut:8:88-102: in some kernel 1: launches (known at run time), iterations n, where a value of the run says so
launch.fut:9:67-81: in until kernel 1: launches (known at run time), iterations n
$ dagaz explain --target gpu-host --json launch.fut | grep -e twice -e until -e dot
{"at": "launch.fut:1:65-99", "function": "twice", "kernel": 1, "launches": "k * m", "iterations": "n", "where": ""}
{"at": "launch.fut:7:48-72", "function": "dot", "kernel": 1, "launches": "1", "iterations": "((div((n + -1), (max(div(whole(min(div(block_cost, 5), 65536)), 32), 1) * 32)) + 1) * (lanes * 4))", "where": "(block_cost < (n * 5))"}
{"at": "launch.fut:7:48-72", "function": "dot", "kernel": 2, "launches": "1", "iterations": "(div((n + -1), (max(div(whole(min(div(block_cost, 5), 65536)), 32), 1) * 32)) + 1)", "where": "(block_cost < (n * 5))"}
{"at": "launch.fut:9:67-81", "function": "until", "kernel": 1, "launches": null, "iterations": "n", "where": ""}
$ dagaz gpu-host launch.fut -o launch; k=3; m=4; for e in steps grad squares slope twice; do case $e in steps|grad) in='3i64 [1.0, 2.0]' ;; squares) in='[1i64, 2i64]' ;; slope) in='[1.0] [2.0]' ;; *) in='3i64 4i64 [1.0]' ;; esac; dagaz explain --target gpu-host launch.fut | sed -n "s/.* in $e kernel \([0-9]*\): launches \([^,(]*\|max(k, 0)\), iter.*/\1 \2/p" | sed 's/max(k, 0)/k/' | while read -r i times; do echo "$e $i $(($times))"; done > said; echo "$in" | ./launch -e $e -n -P 2>&1 | grep -o '_kernel[0-9]*","provenance":"[^"]*","runs":[0-9]*' | sed "s/_kernel\([0-9]*\).*:/$e \1 /" | sort | cmp - said && cat said; done
steps 1 3
grad 1 3
grad 2 3
squares 1 1
slope 1 1
twice 1 12
$ # Rows updated under a condition: how many there were, only the run tells.
$ printf '%s\n' 'entry rows [n] (d: [n][n]f64) = vjp (\d -> f64.sum (flatten (loop d = copy d for i < n do if d[i, i] > 0 then d with [i] = map2 (+) d[i] d[0] else d))) d 1' > rows.fut; dagaz explain rows.fut | sed -n '/work  /{s/[0-9][0-9.]*/N/g;p;}'; dagaz explain --json rows.fut | grep -o '"work_besides": [a-z]*'
  work        N n^N + N n + N operations, and those on elements that updates overwrite; its value alone N n^N + N n + N; how many times depends on values
"work_besides": true
