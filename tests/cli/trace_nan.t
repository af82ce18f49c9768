$ printf '%s\n' 'def f [n] (xs: [n]f64) = f64.sum (map (\x -> if x > 0 then f64.sqrt x * f64.log (x - 1) else x) xs)' 'entry main [n] (xs: [n]f64) = vjp f xs 1' 'entry twice [n] (xs: [n][n]f64) = map (map (\x -> (loop y = x for i < 3i64 do 1 / y - x)) ) xs' > f.fut
$ echo '[1.5, 2.0, 1.0, 0.5]' | dagaz run --trace-nan f.fut 2>&1
First infinity: log (sub = 0f64) in iteration 2
-> #0  f.fut:1:73-88
   #1  f.fut:1:34-100
   #2  f.fut:2:31-41
First NaN: add (mul = inff64, mul = -inff64) in iteration 2
-> #0  f.fut:1:60-70
   #1  f.fut:1:34-100
   #2  f.fut:2:31-41
[2.1665135912797338f64, 1.4142135623730951f64, f64.nan, f64.nan]
$ echo '[[0.5, 3.0], [1.0, 2.0]]' | dagaz run --trace-nan -e twice f.fut 2>&1
First infinity: div (1f64, y = 0f64) in iteration 1, 0, 1
-> #0  f.fut:3:79-84
   #1  f.fut:3:35-95
[[5.5000000000000018f64, -3.2962962962962963f64], [-1f64, -2.375f64]]
$ echo '[1.5, 2.0]' | dagaz run --trace-nan f.fut
[2.1665135912797338f64, 1.4142135623730951f64]
