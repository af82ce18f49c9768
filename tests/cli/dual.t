$ # Dual arrays, the default and forward mode agree; also many seeds, second derivatives, loops and custom rules.
$ printf '%s\n' 'def f [n] (xs: [n]f64) = let ys = scan (+) 0 (map f64.sin xs) in f64.sum (map2 (\x i -> if x > 0.5 then ys[i] * x else f64.max ys[0] (loop x for _j < i do x * 0.5)) xs (iota n))' 'entry g [n] (xs: [n]f64) = vjp2 f xs 1' 'entry m [n] (xs: [n]f64) = mjp (\x -> (f x, x[0] * x[1])) xs [(1.0, 0.0), (2.0, 3.0)]' 'entry h [n] (xs: [n]f64) = jvp (\x -> vjp f x 1) xs xs' 'entry r (x: f64) = vjp (\x -> f64.sin (with_vjp (\x -> x * x) (\_ s -> 10 * s) x)) x 1' > a.fut
$ for e in g m h; do for s in redundant dual; do echo '[1.0, 0.25, 2.0]' | dagaz run --interp --strategy $s -e $e a.fut > $e.$s; done; cmp $e.redundant $e.dual && cat $e.dual; done
5.6792867113919954f64
[3.0026802082804558f64, 1.9378248434212895f64, 1.1658786977938163f64]
[[3.0026802082804558f64, 1.9378248434212895f64, 1.1658786977938163f64], [6.7553604165609116f64, 6.8756496868425785f64, 2.3317573955876325f64]]
[-1.204674715759027f64, 1.8141228637940281f64, -4.5192466421954958f64]
$ echo 2.0 | dagaz run --interp --strategy dual -e r a.fut; echo 2.0 | dagaz run --interp -e r a.fut
-6.5364362086361192f64
-6.5364362086361192f64
$ # An attribute alone keeps the loops of the function, as the option does.
$ printf '%s\n' 'def f [n] (xs: [n]f64) = f64.sum (map (\x -> loop s = x for i < n do (loop t = s for j < i do t + f64.sin xs[j] * xs[i])) xs)' 'entry by_attribute [n] (xs: [n]f64) = #[strategy(dual)] vjp f xs 1' 'entry by_option [n] (xs: [n]f64) = vjp f xs 1' > l.fut
$ echo '[1.0, 2.0, 0.5]' | dagaz run --interp -e by_attribute l.fut
[5.052267294011048f64, 2.9001926996029757f64, 6.2523052349007342f64]
$ echo '[1.0, 2.0, 0.5]' | dagaz run --interp --strategy dual -e by_option l.fut
[5.052267294011048f64, 2.9001926996029757f64, 6.2523052349007342f64]
$ # Refusals: the construct, the place, the strategy.
$ printf '%s\n' 'printf "%s\n" "$@" > b.fut' 'echo "[1.0, 2.0]" | dagaz run --interp --strategy dual b.fut' > refuse
$ sh refuse 'entry main [n] (xs: [n]f64) = vjp (\xs -> (reduce (\(a, b) (c, d) -> (a * c, b + d * (loop x = a for _i < 3i32 do x * x))) (1, 0) (zip xs xs)).1) xs 1'
Error at b.fut:1:43-143:
unsupported: a reduction whose operator is more than operations on scalars, by the strategy "dual" of derivatives
    1 | entry main [n] (xs: [n]f64) = vjp (\xs -> (reduce (\(a, b) (c, d) -> (a * c, b + d * (loop x = a ..
      |                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ [unsupported]
[3]
$ sh refuse 'entry main [n] (xs: [n]f64) = vjp (\xs -> f64.sum (loop ys = [] for i < n do ys ++ [xs[i]])) xs 1'
Error at b.fut:1:51-92:
unsupported: an array whose size changes from iteration to iteration, by the strategy "dual" of derivatives
    1 | entry main [n] (xs: [n]f64) = vjp (\xs -> f64.sum (loop ys = [] for i < n do ys ++ [xs[i]])) xs  ..
      |                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ [unsupported]
[3]
$ sh refuse 'entry main [n] (xs: [n]f64) = vjp (\xs -> f64.sum (map (\i -> f64.sum (map f64.i64 (iota (i64.f64 i))) * i) xs)) xs 1'
Error at b.fut:1:84-102:
unsupported: a size differs between iterations, by the strategy "dual" of derivatives
    1 | entry main [n] (xs: [n]f64) = vjp (\xs -> f64.sum (map (\i -> f64.sum (map f64.i64 (iota (i64.f6 ..
      |                                                                                    ^^^^^^^^^^^^^ [unsupported]
[3]
$ sh refuse 'def p (x: f64) (n: i64) : f64 = if n < 1 then 1 else x * p x (n - 1) * p x (n - 2)' 'entry main [n] (xs: [n]f64) = vjp (\x -> p x n) xs[0] 1'
Error at b.fut:2:42-47:
unsupported: a call of the recursive function p, by the strategy "dual" of derivatives
    2 | entry main [n] (xs: [n]f64) = vjp (\x -> p x n) xs[0] 1
      |                                          ^^^^^ [unsupported]
[3]
$ sh refuse 'entry main (xs: []f64) = vjp (\xs -> f64.sum (map (\x -> trace x) xs)) xs 1'
Error at b.fut:1:58-65:
unsupported: trace: the order of its lines would not be the program's, by the strategy "dual" of derivatives
    1 | entry main (xs: []f64) = vjp (\xs -> f64.sum (map (\x -> trace x) xs)) xs 1
      |                                                          ^^^^^^^ [unsupported]
[3]
$ sh refuse 'entry main [n] (xs: [n]f64) = vjp (\xs -> f64.sum (map (\x -> with_vjp (\x -> x * x) (\_ s -> 10 * s) x) xs)) xs 1'
Error at b.fut:1:63-104:
unsupported: a custom rule in a map, by the strategy "dual" of derivatives
    1 | entry main [n] (xs: [n]f64) = vjp (\xs -> f64.sum (map (\x -> with_vjp (\x -> x * x) (\_ s -> 10 ..
      |                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ [unsupported]
[3]
$ sh refuse 'entry main [n] (xs: [n]f64) = vjp (\k -> f64.i64 k * xs[0]) n 1'
Warning at b.fut:1:42-51:
The derivative with respect to "k", of type i64, is truncated here: it goes back through a conversion from an integer.
    1 | entry main [n] (xs: [n]f64) = vjp (\k -> f64.i64 k * xs[0]) n 1
      |                                          ^^^^^^^^^ [truncated-gradient]
Note at b.fut:1:31-64: The derivative is taken here, with respect to "k".
    1 | entry main [n] (xs: [n]f64) = vjp (\k -> f64.i64 k * xs[0]) n 1
      |                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
Hint: Make "k" a float, or stop its derivative with stop_gradient of lib/ad.

Error at b.fut:1:42-51:
unsupported: a conversion of an integer that is differentiated, by the strategy "dual" of derivatives
    1 | entry main [n] (xs: [n]f64) = vjp (\k -> f64.i64 k * xs[0]) n 1
      |                                          ^^^^^^^^^ [unsupported]
[3]
$ # Stages.
$ printf 'entry main [n] (x: [n]f64) = f64.sum (map2 (*) x (reverse x))\n' > c.fut; dagaz ir --stage bulk c.fut; dagaz ir --stage delta c.fut; dagaz ir --stage transposed c.fut
main:
  let (x_13 : [n_1]f64) = reverse 0 (x_2)
  let (contract_15 : f64) = contract 0 [0, 0] (x_2, x_13)
  in (contract_15)
main:
  let (x_13 : [n_1]f64) = reverse 0 (x_2)
  let (contract_15 : f64) = contract 0 [0, 0] (x_2, x_13)
  in (contract_15)
  #1 : [n_1]f64 = reverse input x_2   -- of x_13
  #2 : f64 = add (contract x_13 input x_2) (contract x_2 #1)   -- of contract_15
  -- 7 nodes, 2 shares
main:
  let #linear (contract_17 : [n_1]f64) = contract 0 [] (seed_16, x_13)
  let #linear (x_adj_18 : [n_1]f64) = contract 0 [] (seed_16, x_2)
  let (reverse_19 : [n_1]f64) = reverse 0 (x_adj_18)
  let (x_adj_20 : [n_1]f64) = add f64 (contract_17, reverse_19)
  in (x_adj_20)
$ printf 'entry main (xs: []f64) = map (\\x -> trace x) xs\n' > d.fut; dagaz ir --stage bulk d.fut
Error at d.fut:1:37-44:
no program of whole arrays: trace: the order of its lines would not be the program's
    1 | entry main (xs: []f64) = map (\x -> trace x) xs
      |                                     ^^^^^^^
[2]
