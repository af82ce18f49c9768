$ printf '%s\n' 'def quantised (x: f64) =' '  let y = x * 10' '  let q = f64.round y' '  in q / 10' 'def loss (w: f64) =' '  let a = quantised w' '  let e = a - 3' '  in e * e + 0.01 * w * w' 'entry main (w: f64) = vjp loss w 1' > a.fut
$ dagaz ir -O --stop-after ad a.fut > /dev/null
Warning at a.fut:3:11-22:
The derivative with respect to "w" is severed here: "round" is constant between its jumps.
    3 |   let q = f64.round y
      |           ^^^^^^^^^^^ [severed-gradient]
Note at a.fut:2:11-17: On the way to it: "y".
    2 |   let y = x * 10
      |           ^^^^^^
Note at a.fut:7:11-16: On the way from it to the result: "e".
    7 |   let e = a - 3
      |           ^^^^^
Note at a.fut:9:23-35: The derivative is taken here, with respect to "w".
    9 | entry main (w: f64) = vjp loss w 1
      |                       ^^^^^^^^^^^^
Hint: Where this is meant, say so with stop_gradient of lib/ad.
$ echo 1.0 | dagaz run --interp -w a.fut
0.02f64
$ dagaz ir -O --Werror --stop-after ad a.fut 2> /dev/null > /dev/null
[2]
$ printf '%s\n' 'entry main (x: f64) = jvp (\x -> x + f64.i64 (i64.f64 (2 * x))) x 1' > b.fut; dagaz ir -O --stop-after ad b.fut > /dev/null
Warning at b.fut:1:46-63:
The derivative with respect to "x" is severed here: a number converted to i64 is constant between its jumps.
    1 | entry main (x: f64) = jvp (\x -> x + f64.i64 (i64.f64 (2 * x))) x 1
      |                                              ^^^^^^^^^^^^^^^^^ [severed-gradient]
Note at b.fut:1:23-68: The derivative is taken here, with respect to "x".
    1 | entry main (x: f64) = jvp (\x -> x + f64.i64 (i64.f64 (2 * x))) x 1
      |                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
Hint: Where this is meant, say so with stop_gradient of lib/ad. Otherwise the derivative is truncated to an integer.
$ printf '%s\n' 'entry main (x: f64) (y: f64) = vjp (\(x, y) -> y + f64.sgn (x * y)) (x, y) 1' > c.fut; dagaz ir -O --stop-after ad c.fut > /dev/null
Warning at c.fut:1:52-67:
The derivative with respect to "x" is severed here: "sgn" is constant between its jumps.
    1 | entry main (x: f64) (y: f64) = vjp (\(x, y) -> y + f64.sgn (x * y)) (x, y) 1
      |                                                    ^^^^^^^^^^^^^^^ [severed-gradient]
Note at c.fut:1:32-77: The derivative is taken here, with respect to "x".
    1 | entry main (x: f64) (y: f64) = vjp (\(x, y) -> y + f64.sgn (x * y)) (x, y) 1
      |                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
Hint: Where this is meant, say so with stop_gradient of lib/ad.
$ printf '%s\n' 'entry main [n] (xs: [n]f64) (t: f64) = vjp (\t -> t + f64.sum (map (\x -> f64.bool (x > t)) xs)) t 1' > d.fut; dagaz ir -O --stop-after ad d.fut > /dev/null
Warning at d.fut:1:84-91:
The derivative with respect to "t" is severed here: a comparison is constant between its jumps.
    1 | entry main [n] (xs: [n]f64) (t: f64) = vjp (\t -> t + f64.sum (map (\x -> f64.bool (x > t)) xs)) ..
      |                                                                                    ^^^^^^^ [severed-gradient]
Note at d.fut:1:40-101: The derivative is taken here, with respect to "t".
    1 | entry main [n] (xs: [n]f64) (t: f64) = vjp (\t -> t + f64.sum (map (\x -> f64.bool (x > t)) xs)) ..
      |                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
Hint: Where this is meant, say so with stop_gradient of lib/ad.
$ printf '%s\n' 'entry main (x: f64) = vjp (\x -> loop s = x for _i < 4i64 do s + f64.floor (s * s)) x 1' > e.fut; dagaz ir -O --stop-after ad e.fut > /dev/null
Warning at e.fut:1:66-83:
The derivative with respect to "x" is severed here: "floor" is constant between its jumps.
    1 | entry main (x: f64) = vjp (\x -> loop s = x for _i < 4i64 do s + f64.floor (s * s)) x 1
      |                                                                  ^^^^^^^^^^^^^^^^^ [severed-gradient]
Note at e.fut:1:34-83: On the way to it: "s".
    1 | entry main (x: f64) = vjp (\x -> loop s = x for _i < 4i64 do s + f64.floor (s * s)) x 1
      |                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
Note at e.fut:1:34-83: On the way from it to the result: "s".
    1 | entry main (x: f64) = vjp (\x -> loop s = x for _i < 4i64 do s + f64.floor (s * s)) x 1
      |                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
Note at e.fut:1:23-88: The derivative is taken here, with respect to "x".
    1 | entry main (x: f64) = vjp (\x -> loop s = x for _i < 4i64 do s + f64.floor (s * s)) x 1
      |                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
Hint: Where this is meant, say so with stop_gradient of lib/ad.
$ printf '%s\n' 'entry main (x: f32) = vjp (\x -> f32.u32 (f32.to_bits x)) x 1' > f.fut; dagaz ir -O --stop-after ad f.fut > /dev/null
Warning at f.fut:1:42-57:
The derivative with respect to "x" is severed here: what is computed of bits carries no derivative.
    1 | entry main (x: f32) = vjp (\x -> f32.u32 (f32.to_bits x)) x 1
      |                                          ^^^^^^^^^^^^^^^ [severed-gradient]
Note at f.fut:1:23-62: The derivative is taken here, with respect to "x".
    1 | entry main (x: f32) = vjp (\x -> f32.u32 (f32.to_bits x)) x 1
      |                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
Hint: Where this is meant, say so with stop_gradient of lib/ad.
$ printf '%s\n' 'entry main [n] (xs: [n]f64) (p: f64) = vjp (\p -> xs[i64.f64 p]) p 1' > g.fut; dagaz ir -O --stop-after ad g.fut > /dev/null
Warning at g.fut:1:54-63:
The derivative with respect to "p" is zero everywhere: a number converted to i64 is constant between its jumps.
    1 | entry main [n] (xs: [n]f64) (p: f64) = vjp (\p -> xs[i64.f64 p]) p 1
      |                                                      ^^^^^^^^^ [zero-gradient]
Note at g.fut:1:40-69: The derivative is taken here, with respect to "p".
    1 | entry main [n] (xs: [n]f64) (p: f64) = vjp (\p -> xs[i64.f64 p]) p 1
      |                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
Hint: Where this is meant, say so with stop_gradient of lib/ad.
$ printf '%s\n' 'entry main [n] (xs: [n]f64) (t: f64) = vjp (\(xs: [n]f64, t) -> f64.sum (map (\x -> if x > t then x else 0) xs)) (xs, t) 1' > h.fut; dagaz ir -O --stop-after ad h.fut > /dev/null
Warning at h.fut:1:88-93:
The derivative with respect to "t" is zero everywhere: a comparison is constant between its jumps.
    1 | entry main [n] (xs: [n]f64) (t: f64) = vjp (\(xs: [n]f64, t) -> f64.sum (map (\x -> if x > t the ..
      |                                                                                        ^^^^^ [zero-gradient]
Note at h.fut:1:40-123: The derivative is taken here, with respect to "t".
    1 | entry main [n] (xs: [n]f64) (t: f64) = vjp (\(xs: [n]f64, t) -> f64.sum (map (\x -> if x > t the ..
      |                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
Hint: Where this is meant, say so with stop_gradient of lib/ad.
$ printf '%s\n' 'entry main [n] (xs: [n]f64) = vjp (\xs -> f64.i64 (reduce (\(x, i) (y, j) -> if x >= y then (x, i) else (y, j)) (-f64.inf, -1) (zip xs (iota n))).1) xs 1' > i.fut; dagaz ir -O --stop-after ad i.fut > /dev/null
Warning at i.fut:1:81-87:
The derivative with respect to "xs" is zero everywhere: a comparison is constant between its jumps.
    1 | entry main [n] (xs: [n]f64) = vjp (\xs -> f64.i64 (reduce (\(x, i) (y, j) -> if x >= y then (x,  ..
      |                                                                                 ^^^^^^ [zero-gradient]
Note at i.fut:1:31-154: The derivative is taken here, with respect to "xs".
    1 | entry main [n] (xs: [n]f64) = vjp (\xs -> f64.i64 (reduce (\(x, i) (y, j) -> if x >= y then (x,  ..
      |                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
Hint: Where this is meant, say so with stop_gradient of lib/ad.
$ printf '%s\n' 'entry main (n: f64) (x: f64) = vjp (\n -> loop s = x for _i < i64.f64 n do s * 2) n 1' > j.fut; dagaz ir -O --stop-after ad j.fut > /dev/null
Warning at j.fut:1:63-72:
The derivative with respect to "n" is zero everywhere: a number converted to i64 is constant between its jumps.
    1 | entry main (n: f64) (x: f64) = vjp (\n -> loop s = x for _i < i64.f64 n do s * 2) n 1
      |                                                               ^^^^^^^^^ [zero-gradient]
Note at j.fut:1:32-86: The derivative is taken here, with respect to "n".
    1 | entry main (n: f64) (x: f64) = vjp (\n -> loop s = x for _i < i64.f64 n do s * 2) n 1
      |                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
Hint: Where this is meant, say so with stop_gradient of lib/ad.
$ printf '%s\n' 'entry main [n] (xs: [n]f64) (z: f64) = vjp (\z -> reduce (+) z xs) z 1' > o.fut; dagaz ir -O --stop-after ad o.fut > /dev/null
Warning at o.fut:1:51-66:
The derivative with respect to "z" is zero everywhere: here it only chooses (an index, a condition, a number of iterations) or is a neutral element.
    1 | entry main [n] (xs: [n]f64) (z: f64) = vjp (\z -> reduce (+) z xs) z 1
      |                                                   ^^^^^^^^^^^^^^^ [zero-gradient]
Note at o.fut:1:40-71: The derivative is taken here, with respect to "z".
    1 | entry main [n] (xs: [n]f64) (z: f64) = vjp (\z -> reduce (+) z xs) z 1
      |                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
Hint: Where this is meant, say so with stop_gradient of lib/ad.
$ printf '%s\n' 'entry fraction (x: f64) = vjp (\x -> (x - f64.floor x) ** 2) x 1' 'entry remainder (x: f64) = vjp (\x -> let y = 3 * x in x - 2 * f64.round (y / 2)) x 1' 'entry line [n] (a: [n]f64) (x: f64) = vjp (\x -> let i = i64.f64 x let t = x - f64.i64 i in a[i] * (1 - t) + a[i + 1] * t) x 1' > k.fut; dagaz ir -O --stop-after ad k.fut > /dev/null
$ printf '%s\n' 'entry mask [n] (xs: [n]f64) = vjp (\xs -> f64.sum (map (\x -> x * f64.bool (x > 0) + x * f64.sgn x) xs)) xs 1' 'entry branch (x: f64) = vjp (\x -> if x > 1 then x else x * x) x 1' 'entry max [n] (xs: [n]f64) = vjp (\xs -> (reduce (\(x, i) (y, j) -> if x >= y then (x, i) else (y, j)) (-f64.inf, -1) (zip xs (iota n))).0) xs 1' > l.fut; dagaz ir -O --stop-after ad l.fut > /dev/null
$ printf '%s\n' 'import "lib/ad"' 'entry stopped (x: f64) = vjp (\x -> x + stop_gradient (f64.floor x)) x 1' 'entry before (x: f64) = vjp (\x -> x + f64.floor (stop_gradient x)) x 1' 'entry chosen [n] (a: [n]f64) (x: f64) = vjp (\x -> a[i64.f64 (stop_gradient x)]) x 1' 'entry through (x: f64) = vjp (\x -> with_vjp f64.round (\_ g -> g) x) x 1' > m.fut; dagaz ir -O --stop-after ad m.fut > /dev/null
$ printf '%s\n' 'entry unused (x: f64) (t: f64) = (vjp (\(x, t) -> if x > t then x else 0) (x, t) 1).0' 'entry noise (x: f64) = vjp (\x -> let i = i64.f64 x let h = f64.i64 (((i * 73856093) ^ (i >> 3)) %% 17) let t = x - f64.i64 i in h * t) x 1' 'entry dead (x: f64) = vjp (\x -> let _ = f64.floor x in x) x 1' > n.fut; dagaz ir -O --stop-after ad n.fut > /dev/null
$ # Remainders and shifts of integers pass something on by the rules, so the value is no mere choice.
$ printf '%s\n' 'entry main (x: f64) = vjp (\x -> let k = i64.f64 x in x * f64.i64 (k % 3)) x 1' 'entry shifted (x: f64) = vjp (\x -> let k = i64.f64 x in x + f64.i64 (k << 3)) x 1' > t.fut; dagaz check t.fut 2>&1 | grep -A1 ^Warning
Warning at t.fut:1:42-51:
The derivative with respect to "x" is severed here: a number converted to i64 is constant between its jumps.
--
Warning at t.fut:2:45-54:
The derivative with respect to "x" is severed here: a number converted to i64 is constant between its jumps.
$ # Bits that are given back as they are carry the derivative, others do not.
$ printf '%s\n' 'entry main (x: f64) = vjp (\x -> f64.from_bits (f64.to_bits x) * x) x 1' 'entry shifted (x: f64) = vjp (\x -> f64.from_bits (f64.to_bits x + 1) * x) x 1' > u.fut; dagaz check u.fut 2>&1 | grep -A1 ^Warning
Warning at u.fut:2:52-65:
The derivative with respect to "x" is severed here: what is computed of bits carries no derivative.
$ # `check` and the language server warn of entry points, too.
$ dagaz check a.fut 2>&1 | sed -n 1,2p; dagaz check -w a.fut; dagaz check --Werror a.fut 2> /dev/null
Warning at a.fut:3:11-22:
The derivative with respect to "w" is severed here: "round" is constant between its jumps.
[2]
$ printf '%s\n' 'import "lib/ad"' 'module ad = mk_ad f64' '#[noinline] def snap (x: f64) = f64.floor (x * 4) / 4' 'def f [n] (xs: [n]f64) = f64.sum (map (\x -> let y = snap x in y * y) xs)' 'entry main [n] (xs: [n]f64) = ad.grad f xs' > p.fut; dagaz check p.fut
Warning at p.fut:3:33-50:
The derivative with respect to "xs" is severed here: "floor" is constant between its jumps.
    3 | #[noinline] def snap (x: f64) = f64.floor (x * 4) / 4
      |                                 ^^^^^^^^^^^^^^^^^ [severed-gradient]
Note at p.fut:4:34-74: On the way to it: "x".
    4 | def f [n] (xs: [n]f64) = f64.sum (map (\x -> let y = snap x in y * y) xs)
      |                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
Note at p.fut:4:54-60: On the way from it to the result: "y".
    4 | def f [n] (xs: [n]f64) = f64.sum (map (\x -> let y = snap x in y * y) xs)
      |                                                      ^^^^^^
Note at p.fut:5:31-43: The derivative is taken here, with respect to "xs".
    5 | entry main [n] (xs: [n]f64) = ad.grad f xs
      |                               ^^^^^^^^^^^^
Hint: Where this is meant, say so with stop_gradient of lib/ad.
$ printf '%s\n' 'def f [n] (xs: [n]f64) (t: f64) = let k = (reduce_comm (\(x, i) (y, j) -> if x < y || (x == y && i > j) then (y, j) else (x, i)) (-f64.inf, -1) (zip xs (iota n))).1 in f64.i64 k * t' 'entry main [n] (xs: [n]f64) (t: f64) = vjp (\(xs, t) -> f xs t) (xs, t) 1' > q.fut; dagaz check q.fut 2>&1 | sed -n 1,2p
Warning at q.fut:1:78-83:
The derivative with respect to "xs" is zero everywhere: a comparison is constant between its jumps.
$ # What cannot be compiled is no matter of checking.
$ printf '%s\n' 'def f (n: i64) (x: f64) : f64 = if n == 0 then x else jvp (f (n - 1)) x 1' 'entry main (x: f64) = f 3 x' > r.fut; dagaz check r.fut
$ printf '%s\n' 'def f (n: i64) (x: f64) : f64 = if n == 0 then f64.floor x else 2 * f (n - 1) x' 'entry main (x: f64) = vjp (\x -> x + f 3 x) x 1' > s.fut; dagaz check s.fut
Warning at s.fut:1:48-59:
The derivative with respect to "x" is severed here: "floor" is constant between its jumps.
    1 | def f (n: i64) (x: f64) : f64 = if n == 0 then f64.floor x else 2 * f (n - 1) x
      |                                                ^^^^^^^^^^^ [severed-gradient]
Note at s.fut:2:23-48: The derivative is taken here, with respect to "x".
    2 | entry main (x: f64) = vjp (\x -> x + f 3 x) x 1
      |                       ^^^^^^^^^^^^^^^^^^^^^^^^^
Hint: Where this is meant, say so with stop_gradient of lib/ad.
$ # Of integers that are turned into floats the derivative is truncated in reverse mode.
$ printf '%s\n' 'entry main (n: i64) = vjp (\n -> 2.0 ** f64.i64 n) n 1.0' > v.fut; dagaz check v.fut
Warning at v.fut:1:41-50:
The derivative with respect to "n", of type i64, is truncated here: it goes back through a conversion from an integer.
    1 | entry main (n: i64) = vjp (\n -> 2.0 ** f64.i64 n) n 1.0
      |                                         ^^^^^^^^^ [truncated-gradient]
Note at v.fut:1:23-57: The derivative is taken here, with respect to "n".
    1 | entry main (n: i64) = vjp (\n -> 2.0 ** f64.i64 n) n 1.0
      |                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
Hint: Make "n" a float, or stop its derivative with stop_gradient of lib/ad.
$ printf '%s\n' 'entry main [k] (xs: [k]f64) (is: [k]i32) = vjp (\(xs, is) -> f64.sum (map2 (\x i -> x * f64.i32 (2 * i)) xs is)) (xs, is) 1' > v.fut; dagaz check v.fut 2>&1 | sed -n 1,4p
Warning at v.fut:1:89-104:
The derivative with respect to "is", of type i32, is truncated here: it goes back through a conversion from an integer.
    1 | ..  = vjp (\(xs, is) -> f64.sum (map2 (\x i -> x * f64.i32 (2 * i)) xs is)) (xs, is) 1
      |                                                    ^^^^^^^^^^^^^^^ [truncated-gradient]
$ printf '%s\n' 'entry main [k] (xs: [k]f64) (is: [k]i32) = (vjp (\(xs, is) -> f64.sum (map2 (\x i -> x * f64.i32 i) xs is)) (xs, is) 1).0' > v.fut; dagaz check v.fut
$ printf '%s\n' 'entry main [k] (xs: [k]f64) (is: [k]i64) = vjp (\(xs, is) -> f64.sum (map (\i -> xs[i] + f64.bool (i > 2)) is)) (xs, is) 1' > v.fut; dagaz check v.fut
$ printf '%s\n' 'entry main (n: i64) = jvp (\n -> 2.0 ** f64.i64 n) n 1' > v.fut; dagaz check v.fut
