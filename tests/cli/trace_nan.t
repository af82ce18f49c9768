$ printf '%s\n' 'def f [n] (xs: [n]f64) = f64.sum (map (\x -> if x > 0 then f64.sqrt x * f64.log (x - 1) else x) xs)' 'entry main [n] (xs: [n]f64) = vjp f xs 1' 'entry twice [n] (xs: [n][n]f64) = map (map (\x -> (loop y = x for _i < 3i64 do 1 / y - x)) ) xs' > f.fut
$ echo '[1.5, 2.0, 1.0, 0.5]' | dagaz run --trace-nan f.fut 2>&1
First infinity: log (sub = 0f64) in iteration 2
-> #0  f.fut:1:73-88
   #1  f.fut:1:34-100
   #2  f.fut:2:31-41
First NaN: add (x_adj = f64.inf, mul = -f64.inf) in iteration 2
-> #0  f.fut:1:60-70
   #1  f.fut:1:34-100
   #2  f.fut:2:31-41
[2.1665135912797338f64, 1.4142135623730951f64, f64.nan, f64.nan]
$ echo '[[0.5, 3.0], [1.0, 2.0]]' | dagaz run --trace-nan -e twice f.fut 2>&1
First infinity: div (1f64, y = 0f64) in iteration 1, 0, 1
-> #0  f.fut:3:80-85
   #1  f.fut:3:35-96
[[5.5000000000000018f64, -3.2962962962962963f64], [-1f64, -2.375f64]]
$ echo '[1.5, 2.0]' | dagaz run --trace-nan f.fut
[2.1665135912797338f64, 1.4142135623730951f64]
$ printf '%s\n' 'entry power (x: f64) (n: i64) = vjp (\x -> loop y = x for _i < n do y * y + 1) x 1' 'entry relax [n] (u: [n]f64) (w: [n]f64) =' '  vjp (\w -> f64.sum (loop u = u for t < 4 do' '    map2 (\x y -> let d = y - f64.i64 t in x + 1 / d) u w)) w 1' > g.fut
$ echo '1.0 20i64' | dagaz run --trace-nan -e power g.fut 2>&1
First infinity: mul (y = 1.437821978001524e+181f64, y = 1.437821978001524e+181f64) in iteration 10
-> #0  g.fut:1:69-74
   #1  g.fut:1:33-83
f64.inf
$ echo '[1.0, 1.0] [5.0, 2.0]' | dagaz run --trace-nan -e relax g.fut 2>&1
First infinity: div (1f64, d = 0f64) in iteration 2, 1 of the return sweep
-> #0  g.fut:4:48-53
   #1  g.fut:4:5-58
   #2  g.fut:3:3-4:64
[-0.46361111111111108f64, -f64.inf]
$ printf '%s\n' 'entry running [n] (xs: [n]f64) = vjp (\xs -> f64.sum (scan (\a b -> a * b + b / a) 1 xs)) xs 1' 'entry product [n] (xs: [n]f64) = reduce (*) 1 xs' 'entry in_place [n] (xs: [n]f64) =' '  vjp (\xs -> let ys = loop ys = copy xs for i < n - 1 do let a = ys[i] / ys[i + 1] in ys with [i + 1] = a' '              in ys[n - 1]) xs 1' 'entry bins [n] (is: [n]i64) (vs: [n]f64) = vjp (\vs -> f64.sum (reduce_by_index (replicate 2 1) (*) 1 is vs)) vs 1' > h.fut
$ echo '[1.0, 0.0, 2.0, 3.0]' | dagaz run --trace-nan -e running h.fut 2>&1
First infinity: div (b = 2f64, a = 0f64) in iteration 2
-> #0  h.fut:1:77-82
   #1  h.fut:1:54-89
   #2  h.fut:1:34-95
First NaN: mul (x = -f64.inf, guard = 0f64) in iteration 2
-> #0  h.fut:1:54-89
   #1  h.fut:1:34-95
[f64.nan, -f64.inf, f64.inf, f64.inf]
$ echo '[1e200, 1e200, 0.0]' | dagaz run --trace-nan -e product h.fut 2>&1
First infinity: mul (a = 1e+200f64, b = 1e+200f64) in iteration 1
-> #0  h.fut:2:34-49
First NaN: mul (a = f64.inf, b = 0f64) in iteration 2
-> #0  h.fut:2:34-49
f64.nan
$ echo '[1.0, 2.0, 0.0, 1.0]' | dagaz run --trace-nan -e in_place h.fut 2>&1
First infinity: div (ys = 0.5f64, ys = 0f64) in iteration 1
-> #0  h.fut:4:67-84
   #1  h.fut:4:3-5:33
[f64.inf, -f64.inf, -f64.inf, -f64.inf]
$ echo '[0i64, 0i64, 0i64] [1e200, 1e200, 0.0]' | dagaz run --trace-nan -e bins h.fut 2>&1
First infinity: mul (bins = 1e+200f64, vs = 1e+200f64) in iteration 1
-> #0  h.fut:6:64-109
   #1  h.fut:6:44-115
First NaN: mul (bins = f64.inf, vs = 0f64) in iteration 2
-> #0  h.fut:6:64-109
   #1  h.fut:6:44-115
[0f64, 0f64, f64.inf]
$ printf '%s\n' 'entry main (x: f64) (y: f64) = vjp (\(x, y) -> f64.sqrt x + f64.atan2 x y) (x, y) 1' > i.fut; echo '0.0 0.0' | dagaz run --trace-nan i.fut 2>&1
0f64
-0f64
$ # What comes in is named, too.
$ echo '1.0 -2i64' | dagaz run --trace-nan -e power g.fut; echo '[0.0, f64.nan, -f64.inf]' | dagaz run --trace-nan f.fut 2>&1 | head -2; echo '[[0.5, 3.0], [1.0, f64.inf]]' | dagaz run --trace-nan -e twice f.fut 2>&1 | head -1
1f64
Infinity in the input: xs[2]
NaN in the input: xs[1]
Infinity in the input: xs[1, 1]
$ # Compiled and interpreted programs say the same: calls, while loops, f16 and f32, histograms, a failure after a finding, what a select passes over, constants.
$ printf '%s\n' '#[noinline] def inverse (x: f32) = 1 / x' 'entry called (xs: []f32) = map (\x -> inverse x + x) xs' 'entry halves (xs: []f16) = f16.sum (map (\x -> x * x) xs)' 'entry while_ (x: f64) = (loop (x, n) = (x, 0i64) while n < 3 do (f64.sqrt (1 - x), n + 1)).0' 'entry fails (xs: []f64) (i: i64) = vjp (\xs -> f64.log (xs[0] - xs[1]) + xs[i]) xs 1' 'entry bins (is: []i64) (vs: []f64) = reduce_by_index [0, 0] (+) 0 is vs' 'entry masked (xs: []f64) = vjp (\xs -> f64.sum (map (\x -> if x > 0 then f64.log x else 0) xs) + f64.sqrt (f64.sum xs)) xs 1' 'entry pass (x: f64) = let y = 1 / x in if x == 0 then 0 else y' > j.fut
$ printf '%s\n' 'def zero = opaque 0f32' 'def pole = 1 / zero' 'entry main (x: f32) = x * pole' > k.fut
$ printf '%s\n' 'echo "$3" | dagaz run --trace-nan -e $2 $1 > c.out 2>&1' 'echo "$3" | dagaz run --interp --trace-nan -e $2 $1 > i.out 2>&1' 'cat c.out; diff c.out i.out' > both
$ sh both j.fut called '[2f32, 0.25f32, 0f32]'; sh both j.fut halves '[1f16, 100f16, 300f16]'; sh both j.fut while_ 2.0
First infinity: div (1f32, x = 0f32) in iteration 2
-> #0  j.fut:1:36-41
[2.5f32, 4.25f32, f32.inf]
First infinity: mul (x = 300f16, x = 300f16) in iteration 2
-> #0  j.fut:3:48-53
   #1  j.fut:3:36-58
f16.inf
First NaN: sqrt (sub = -1f64) in iteration 0
-> #0  j.fut:4:66-82
f64.nan
$ echo '[1.0, 1.0] 7i64' | dagaz run --trace-nan -e fails j.fut
First infinity: div (1f64, sub = 0f64)
-> #0  j.fut:5:48-71
   #1  j.fut:5:36-85
j.fut: Error: Index [7] out of bounds for array of shape [2].

Backtrace:
-> #0  j.fut:5:36-85
[1]
$ sh both j.fut bins '[0i64, 1i64, 1i64] [1.0, 1e308, 1e308]'; sh both j.fut masked '[0.0, -1.0, 1.0]'; sh both j.fut pass 0.0; sh both k.fut main 0f32
First infinity: add (a = 1e+308f64, b = 1e+308f64) in iteration 2
-> #0  j.fut:6:38-72
[1f64, f64.inf]
[0f64, 0f64, 1f64]
0f64
First infinity: div (1f32, opaque = 0f32)
-> #0  k.fut:2:12-20
First NaN: mul (x = 0f32, div = f32.inf)
-> #0  k.fut:3:23-31
f32.nan
$ # An executable says so in every run.
$ dagaz c --trace-nan -o j j.fut && echo 0.0 | ./j -e pass && echo 2.0 | ./j -r 2 -e while_
0f64
First NaN: sqrt (sub = -1f64) in iteration 0
-> #0  j.fut:4:66-82
First NaN: sqrt (sub = -1f64) in iteration 0
-> #0  j.fut:4:66-82
First NaN: sqrt (sub = -1f64) in iteration 0
-> #0  j.fut:4:66-82
f64.nan
