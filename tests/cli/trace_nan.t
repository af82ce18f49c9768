$ printf '%s\n' 'def f [n] (xs: [n]f64) = f64.sum (map (\x -> if x > 0 then f64.sqrt x * f64.log (x - 1) else x) xs)' 'entry main [n] (xs: [n]f64) = vjp f xs 1' 'entry twice [n] (xs: [n][n]f64) = map (map (\x -> (loop y = x for _i < 3i64 do 1 / y - x)) ) xs' > f.fut
$ echo '[1.5, 2.0, 1.0, 0.5]' | dagaz run --trace-nan f.fut 2>&1
First infinity: log (sub = 0f64) in iteration 2
-> #0  f.fut:1:73-88
   #1  f.fut:1:34-100
   #2  f.fut:2:31-41
First NaN: add (x_adj = inff64, mul = -inff64) in iteration 2
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
First NaN: mul (x = -inff64, guard = 0f64) in iteration 3
-> #0  h.fut:1:54-89
   #1  h.fut:1:34-95
[f64.nan, -f64.inf, f64.inf, f64.inf]
$ echo '[1e200, 1e200, 0.0]' | dagaz run --trace-nan -e product h.fut 2>&1
First infinity: mul (a = 1e+200f64, b = 1e+200f64) in iteration 1
-> #0  h.fut:2:34-49
First NaN: mul (a = inff64, b = 0f64) in iteration 2
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
First NaN: mul (bins = inff64, vs = 0f64) in iteration 2
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
