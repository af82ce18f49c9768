$ printf '%s\n' 'entry main [n] (xs: [n]f64) (y: f64) = f64.sum (map (\x -> f64.exp (x * y)) xs)' 'entry wrong [n] (xs: [n]f64) = f64.sum (map (with_vjp f64.sin (\_ g -> g)) xs)' 'entry kink [n] (is: [n]i64) (xs: [n]f64) = map (\i -> f64.max xs[i] 1) is' 'entry fails (x: f64) = assert (x > 1000) x' > f.fut
$ dagaz gradcheck f.fut | tail -1
forward mode, reverse mode, differences, interpreted and compiled code agree
$ # A custom rule that is wrong: the data shrink to the smallest that shows it.
$ dagaz gradcheck --interp -e wrong f.fut > out; echo $?; sed -n '/smallest/,$p' out | grep -v DISAGREE | sed 's/, worst.*//'
1
smallest data found on which they disagree:
[1f64]
xs: 1 of 1 elements
Both modes use the rule given to with_vjp at f.fut:2:40-79: is it right?
$ # At a kink differences say nothing; indices are in range.
$ echo '[1i64, 0i64] [1.0, 2.0]' > data; dagaz gradcheck --interp -e kink f.fut data | sed 's/worst error.*differences/differences/; s/differences [^,]*,/differences,/'
xs: 2 of 2 elements, differences, 1 inconclusive
forward mode, reverse mode, differences (interpreted) agree
$ dagaz gradcheck --interp -e kink f.fut | tail -1
forward mode, reverse mode, differences (interpreted) agree
$ dagaz gradcheck --interp -e fails f.fut
gradcheck: the entry point fails on random data (Assertion is false: x > 1000); give a file of data
[1]
$ echo '1.0' > data; dagaz gradcheck --interp -e fails f.fut data
dagaz: gradcheck: the entry point fails: Assertion is false: x > 1000
[1]
$ dagaz gradcheck --interp -e main f.fut missing
dagaz: cannot read 'missing': No such file or directory
[1]
$ dagaz gradcheck
usage: dagaz gradcheck [-e NAME] [-n POINTS] FILE.fut [DATA | PARAMETER=..]  (dagaz help gradcheck says more)
[1]
$ # Records are given in parts; of several custom rules only those that the entry point uses are named.
$ printf '%s\n' 'def a (x: f64) = with_vjp f64.exp (\y g -> g * f64.exp y) x' 'def b (x: f64) = with_vjp f64.sin (\_ g -> g) x' 'entry main [n] (p: {k: f64, xs: [n]f64}) = f64.sum (map (\x -> x * a p.k) p.xs)' 'entry other (x: f64) = b x' > g.fut
$ dagaz gradcheck --interp g.fut | sed 's/, worst.*//; s/gives.*/gives .../'
random data, unknown sizes 3
p_k: 1 of 1 elements
  DISAGREE: p_k: reverse mode gives ...
p_xs: 3 of 3 elements
smallest data found on which they disagree:
0f64
[1f64]
p_k: 1 of 1 elements
  DISAGREE: p_k: reverse mode gives ...
p_xs: 1 of 1 elements
Both modes use the rule given to with_vjp at g.fut:1:18-60: is it right?
$ printf '%s\n' '2.0' '[1.0, 3.0]' > data; dagaz gradcheck --interp g.fut data | grep -c DISAGREE
2
$ # Sizes that the types ask for, also those of parts without data; results that are no text.
$ printf '%s\n' 'type t [n] = {xs: [n]f64, marks: [n]()}' 'entry main [n] (a: t [n]) (b: [n + 1]f64) (c: [n * 2][3]f64) : [](f64, f64) =' '  zip (map2 (*) a.xs (take n b)) (map (\i -> f64.sum c[2 * i] * c[2 * i + 1, 2]) (iota n))' > h.fut
$ dagaz gradcheck --interp -n 2 h.fut | sed 's/, worst.*//'
random data, unknown sizes 3
a_xs: 3 of 3 elements
b: 4 of 4 elements
c: 18 of 18 elements
random data, unknown sizes 4
a_xs: 4 of 4 elements
b: 5 of 5 elements
c: 24 of 24 elements
forward mode, reverse mode, differences (interpreted) agree
$ echo 'entry main (k: i64) (xs: [k]f64) = f64.sum (map (** 2) xs)' > k.fut; dagaz gradcheck --interp -n 1 k.fut | sed 's/, worst.*//'
random data, unknown sizes 3
xs: 3 of 3 elements
forward mode, reverse mode, differences (interpreted) agree
$ # What passes through an f32 has steps.
$ echo 'entry main (x: f64) = f64.f32 (f32.sin (f32.f64 x))' > i.fut; dagaz gradcheck --interp i.fut | tail -1
forward mode, reverse mode, differences (interpreted) agree
$ # At poles, kinks (also of the derivative) and ties differences are inconclusive, not wrong; a rule that is wrong is found beside them.
$ printf '%s\n' 'entry pole (x: f64) = 1 / x' 'entry absolute (x: f64) = f64.abs x' 'entry root (x: f64) = f64.sqrt x' 'entry log (x: f64) = f64.log x' 'entry greatest (xs: [3]f64) = f64.maximum xs' 'entry relu (xs: []f64) = f64.sum (map (\x -> f64.max 0 x * x) xs)' 'entry wrong (x: f64) = f64.abs x + with_vjp f64.sin (\_ g -> g) x' > l.fut
$ try='for x in $2; do echo $x | dagaz gradcheck --interp -e $1 l.fut /dev/stdin | grep -v "^ \|elements\|^small\|^Both"; done'; for e in pole absolute root log wrong; do echo $e; sh -c "$try" sh $e "0.0 1e-9 5e-4 2.0"; done
pole
forward mode, reverse mode (interpreted) agree; inconclusive: at poles and kinks differences mean nothing
forward mode, reverse mode (interpreted) agree; inconclusive: at poles and kinks differences mean nothing
forward mode, reverse mode (interpreted) agree; inconclusive: at poles and kinks differences mean nothing
forward mode, reverse mode, differences (interpreted) agree
absolute
forward mode, reverse mode (interpreted) agree; inconclusive: at poles and kinks differences mean nothing
forward mode, reverse mode (interpreted) agree; inconclusive: at poles and kinks differences mean nothing
forward mode, reverse mode, differences (interpreted) agree
forward mode, reverse mode, differences (interpreted) agree
root
forward mode, reverse mode (interpreted) agree; inconclusive: at poles and kinks differences mean nothing
forward mode, reverse mode (interpreted) agree; inconclusive: at poles and kinks differences mean nothing
forward mode, reverse mode, differences (interpreted) agree
forward mode, reverse mode, differences (interpreted) agree
log
forward mode, reverse mode (interpreted) agree; inconclusive: at poles and kinks differences mean nothing
forward mode, reverse mode (interpreted) agree; inconclusive: at poles and kinks differences mean nothing
forward mode, reverse mode (interpreted) agree; inconclusive: at poles and kinks differences mean nothing
forward mode, reverse mode, differences (interpreted) agree
wrong
forward mode, reverse mode (interpreted) agree; inconclusive: at poles and kinks differences mean nothing
forward mode, reverse mode (interpreted) agree; inconclusive: at poles and kinks differences mean nothing
forward mode, reverse mode, differences (interpreted) agree
1f64
$ echo '[1.0, 1.0, 0.5]' | dagaz gradcheck --interp -e greatest l.fut /dev/stdin | sed 's/worst.*e[-+][0-9]*, //'; echo '[0.0, 1.0]' | dagaz gradcheck --interp -e relu l.fut /dev/stdin | sed 's/worst.*e[-+][0-9]*, //'
xs: 3 of 3 elements, 2 inconclusive
forward mode, reverse mode, differences (interpreted) agree
xs: 2 of 2 elements, 1 inconclusive
forward mode, reverse mode, differences (interpreted) agree
$ echo 'entry main (xs: [1000000000000]f64) = xs[0]' > l.fut; dagaz gradcheck --interp l.fut
gradcheck: the entry point fails on random data (entry point arguments have invalid sizes: 7 for xs, not 1000000000000.); give a file of data
[1]
$ # Results of sizes that are known only afterwards: the seed's is compared with it.
$ printf '%s\n' 'entry some [n] (k: i64) (xs: *[n]f64) = let xs = xs with [0] = 0.5 let (a, b) = partition (> 0) xs in (map (* f64.i64 k) a, map (\x -> [x, x * x]) b, k)' 'entry more (x: f64) (y: f64) = loop xs = [x] for _i < 3 do xs ++ map (* y) xs' > z.fut
$ dagaz gradcheck -n 2 -e some z.fut | tail -1; dagaz gradcheck --interp -n 2 -e more z.fut | tail -1
forward mode, reverse mode, differences, interpreted and compiled code agree
forward mode, reverse mode, differences (interpreted) agree
$ for e in some more; do dagaz derive --jvp -e $e z.fut > d.fut; dagaz gradcheck --interp -n 1 -e ${e}_jvp d.fut | tail -1; done
forward mode, reverse mode, differences (interpreted) agree
forward mode, reverse mode, differences (interpreted) agree
$ dagaz derive -e more z.fut > d.fut; echo '2.0 1.5 [1.0, 1, 1, 1, 1, 1, 1, 1]' | dagaz run --interp -e more_vjp d.fut; echo '2.0 3.0 [1.0]' | dagaz run --interp -e more_vjp d.fut 2>&1 | head -1
[2f64, 3f64, 3f64, 4.5f64, 3f64, 4.5f64, 4.5f64, 6.75f64]
15.625f64
37.5f64
Error: Assertion is false: eq
$ # An operator that is not associative: modes differ, and the report says where to look.
$ printf '%s\n' 'entry main [n] (xs: [n]f64) (y: f64) = reduce (\a b -> a * y + b) 0 xs' > o.fut; dagaz gradcheck --interp -n 1 o.fut > out; echo $?; grep -c DISAGREE out; tail -1 out
1
6
The operator at o.fut:1:40-71: is it associative, and its neutral element neutral?
$ # A parameter that is the size of the result is given, not read from an array.
$ echo 'entry main (n: i64) (x: f64) : [n]f64 = tabulate n (\i -> x ** f64.i64 i)' > n.fut; echo '3i64 2.0' > n.in; dagaz gradcheck -n 1 n.fut n.in | tail -1
forward mode, reverse mode, differences, interpreted and compiled code agree
$ # Of no elements nothing is said to agree.
$ echo 'entry main [n] (xs: [n]f64) = f64.sum (with_vjp (\xs -> xs) (\_ s -> map (* 2) s) xs)' > e.fut; echo 'empty([0]f64)' > e.in; dagaz gradcheck --interp e.fut e.in | tail -1
nothing was compared: the floating-point arguments have no elements
$ # Where the value is NaN derivatives say nothing; tolerances and points that are none.
$ echo 'entry main [n] (xs: [n]f64) = f64.sum (map f64.sin xs)' > n.fut; echo '[f64.nan, 1.0, f64.inf]' > data; dagaz gradcheck --interp n.fut data
xs: 3 of 3 elements, worst error forward/reverse 0.0e+00, differences 0.0e+00, 3 inconclusive
forward mode, reverse mode (interpreted) agree; inconclusive: at poles and kinks differences mean nothing
$ dagaz gradcheck --tolerance abc n.fut
dagaz: option --tolerance wants a number, not negative, not 'abc'
[1]
$ dagaz gradcheck --points 0 n.fut
usage: dagaz gradcheck [-e NAME] [-n POINTS] FILE.fut [DATA | PARAMETER=..]  (dagaz help gradcheck says more)
[1]
$ # Too long for the interpreter: compiled code alone is compared; -w; one entry point needs no -e.
$ printf '%s\n' 'entry iterate (x: f64) (n: i64) = loop y = x for _i < n do f64.sin y' > long.fut; echo '0.5 10000000i64' > data; dagaz gradcheck -w long.fut data
too long for the interpreter: compiled code alone is compared
compiled code alone, in one random direction
forward mode, reverse mode, differences (compiled) agree
$ dagaz gradcheck --compiled -n 1 long.fut
random data, unknown sizes 3
compiled code alone, in one random direction
forward mode, reverse mode, differences (compiled) agree
$ dagaz gradcheck --interp long.fut data
nothing was compared: too long for the interpreter, and there is no compiled code
[1]
$ # Shrinking keeps the kind of disagreement, and shrinks integers; rules of the library are not the user's to mend.
$ printf '%s\n' 'import "lib/ad"' 'module ad = mk_ad f64' 'def wrong (x: f64) = with_vjp (\x -> x * x) (\_ s -> s) x' 'entry fit (x: f64) (n: i64) = loop y = x for _i < n do (ad.solve [[2, 0], [0, y]] [wrong y, 1])[0]' > rule.fut; echo '0.5 7i64' > data; dagaz gradcheck --interp rule.fut data | sed 's/, worst.*//; s/gives.*/gives .../'
x: 1 of 1 elements
  DISAGREE: x: reverse mode gives ...
smallest data found on which they disagree:
1f64
1i64
x: 1 of 1 elements
  DISAGREE: x: reverse mode gives ...
Both modes use the rule given to with_vjp at rule.fut:3:22-58: is it right?
