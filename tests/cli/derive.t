$ printf '%s\n' 'def norm [n] (xs: [n]f64) = f64.sqrt (f64.sum (map (\x -> x * x) xs))' 'entry main [n] (xs: [n]f64) (y: f64) (k: i64) : f64 = norm xs * y ** f64.i64 k' > f.fut
$ dagaz derive f.fut | tee v.fut
-- Made by `dagaz derive` from entry point main of f.fut.
-- reverse mode: seeds for the floating-point results follow the parameters; the results, then the adjoints of the floating-point parameters.
-- x, but 0 where d is 0 and p infinite or NaN: then d * p counts as 0.
def guard_f64 (d: f64) (p: f64) (x: f64) : f64 =
  if d != 0 || f64.abs p < f64.inf then x else 0

entry main_vjp [n] (xs: [n]f64) (y: f64) (k: i64) (seed: f64) =
  -- line 1: def norm [n] (xs: [n]f64) = f64.sqrt (f64.sum (map (\x -> x * x) xs))
  let u =  -- [n]f64
    map (\x -> x * x) xs
  let red = reduce_comm (+) 0f64 u
  let sqrt = f64.sqrt red
  -- line 2: entry main [n] (xs: [n]f64) (y: f64) (k: i64) : f64 = norm xs * y ** f64.i64 k
  let conv = f64.i64 k
  let pow = y ** conv
  let mul = seed * guard_f64 seed pow pow
  let mul_1 = seed * guard_f64 seed sqrt sqrt
  let mul_2 = conv * (if y == 0f64 && conv - 1f64 < 0f64 then 0f64 else y ** (conv - 1f64))
  let y_adj = mul_1 * guard_f64 mul_1 mul_2 mul_2
  -- line 1: def norm [n] (xs: [n]f64) = f64.sqrt (f64.sum (map (\x -> x * x) xs))
  let select = if sqrt == 0f64 then 0f64 else 1f64 / (sqrt * 2f64)
  let red_adj = mul * guard_f64 mul select select
  let xs_adj =  -- [n]f64
    map (\xs_1 ->
      let x_adj = red_adj * xs_1
      let x_adj_1 = x_adj + x_adj
      in x_adj_1) xs
  in (sqrt * pow, xs_adj, y_adj)
$ echo '[3.0, 4.0] 2.0 3i64 1.0' | dagaz run --interp -e main_vjp v.fut
40f64
[4.8000000000000007f64, 6.4000000000000004f64]
60f64
$ dagaz derive --jvp f.fut | tee j.fut
-- Made by `dagaz derive` from entry point main of f.fut.
-- forward mode: tangents of the floating-point parameters follow them; the results, then their tangents.
-- x, but 0 where d is 0 and p infinite or NaN: then d * p counts as 0.
def guard_f64 (d: f64) (p: f64) (x: f64) : f64 =
  if d != 0 || f64.abs p < f64.inf then x else 0

entry main_jvp [n] (xs: [n]f64) (y: f64) (k: i64) (d_xs: [n]f64) (d_y: f64) =
  -- line 1: def norm [n] (xs: [n]f64) = f64.sqrt (f64.sum (map (\x -> x * x) xs))
  let (u, u_1) =  -- [n]f64, [n]f64
    unzip (map2 (\x x_1 ->
      let mul = x_1 * x
      in (mul + mul, x * x)) xs d_xs)
  let tangent = reduce_comm (+) 0f64 u
  let red = reduce_comm (+) 0f64 u_1
  let sqrt = f64.sqrt red
  let select = if sqrt == 0f64 then 0f64 else 1f64 / (sqrt * 2f64)
  let mul_1 = tangent * guard_f64 tangent select select
  -- line 2: entry main [n] (xs: [n]f64) (y: f64) (k: i64) : f64 = norm xs * y ** f64.i64 k
  let conv = f64.i64 k
  let pow = y ** conv
  let mul_2 = conv * (if y == 0f64 && conv - 1f64 < 0f64 then 0f64 else y ** (conv - 1f64))
  let mul_3 = d_y * guard_f64 d_y mul_2 mul_2
  in (sqrt * pow, mul_1 * guard_f64 mul_1 pow pow + mul_3 * guard_f64 mul_3 sqrt sqrt)
$ echo '[3.0, 4.0] 2.0 3i64 [1.0, 0.0] 1.0' | dagaz run --interp -e main_jvp j.fut
40f64
64.799999999999997f64
$ # Derivatives of derivatives, and products that become loops.
$ printf '%s\n' 'entry main [n] (a: [n][n]f64) (x: [n]f64) = vjp (\x -> map (\r -> f64.product (map2 (*) r x)) a) x (map (+1) x)' > g.fut
$ dagaz derive --expand g.fut > h.fut; echo '[[1.0, 2.0], [3.0, 4.0]] [1.0, 2.0]' > in; dagaz run --interp g.fut < in; dagaz run --interp h.fut < in
[80f64, 40f64]
[80f64, 40f64]
$ dagaz derive g.fut > h.fut; echo '[[1.0, 2.0], [3.0, 4.0]] [1.0, 2.0] [1.0, 0.0]' | dagaz run --interp -e main_vjp h.fut
[80f64, 40f64]
[[8f64, 4f64], [24f64, 18f64]]
[4f64, 64f64]
$ echo 'entry main (x: i64) = x + 1' > i.fut; dagaz derive i.fut
Error:
cannot derive "main": it has no floating-point parameter
[2]
$ dagaz derive -e other f.fut
Error:
cannot derive "other": there is no such entry point; there are main
[2]
$ dagaz derive
usage: dagaz derive [--vjp | --jvp | --expand] [-e NAME] FILE.fut
[1]
$ # Updates of strided slices are loops; the derivatives of lgamma are in lib/special; assertions keep their message as a comment.
$ printf '%s\n' 'entry main [n] (xs: [n]f64) (k: i64) = let ys = copy xs with [::2] = map f64.lgamma xs[::2] in assert (k > 0) ys' > i.fut
$ dagaz derive --jvp i.fut > j.fut; grep -e special -e ' for ' -e assert j.fut; echo '[1.0, 2.0, 3.0] 1i64 [1.0, 1.0, 1.0]' | dagaz run --interp -e main_jvp j.fut
import "lib/special"
module special_f64 = mk_special f64
  in assert or (  -- Index [%d:%d:%d] out of bounds for array of shape [%d].
      let digamma = special_f64.digamma x
  let ys = loop x_2 = xs_2 for i_2 < quot do x_2 with [i_2 * 2i64] = map_1[i_2]  -- [n]f64
  let ys_tan = loop x_3 = xs_tan_1 for i_3 < quot do x_3 with [i_3 * 2i64] = map_2[i_3]  -- [n]f64
  in assert lt (  -- Assertion is false: k > 0
[0f64, 2f64, 0.69314718055994529f64]
[-0.57721566490153242f64, 1f64, 0.92278433509846736f64]
$ # To the checker, what comes from one `unzip` is one array, and so are its views: they are consumed as copies.
$ printf '%s\n' 'entry main [n] (xs: [n]f64) (is: [n]i64) = let ys = map (\x -> x * x) xs in scatter (reverse ys) is xs' > k.fut; dagaz derive --jvp k.fut > l.fut; grep -e reverse -e 'scatter (' l.fut
  let ys_2 = reverse ys  -- [n]f64
  let ys_tan = reverse ys_1  -- [n]f64
  let scatter_1 = scatter (copy ys_2) is_1 xs
  let scatter_2 = scatter (copy ys_tan) is_1 d_xs  -- [n]f64, [n]f64
$ echo '[1.0, 2.0, 3.0] [0i64, 5i64, 2i64] [1.0, 1.0, 1.0]' | dagaz run --interp -e main_jvp l.fut
[1f64, 4f64, 3f64]
[1f64, 4f64, 1f64]
$ # Core text: histograms of several arrays of three dimensions, updates of rows by an operator on scalars.
$ dagaz derive --expand $DAGAZ_ROOT/tests/derive/hist_deep.ir > m.fut; echo '[1.0, 2.0, 3.0] [0i64, 5i64, 1i64] [0i64, 0i64, 0i64]' | dagaz run --interp m.fut
[[[1f64, 0f64], [0f64, 3f64]]]
[[[2f64, 1f64], [1f64, 4f64]]]
[[[3f64, 2f64], [2f64, 5f64]]]
[[[4f64, 3f64], [3f64, 6f64]]]
[[[5f64, 4f64], [4f64, 7f64]]]
[[[6f64, 5f64], [5f64, 8f64]]]
$ dagaz derive --expand $DAGAZ_ROOT/tests/derive/acc_rows.ir > o.fut; echo '[1.0, 2.0, 3.0]' | dagaz run --interp o.fut
[[2f64, 2f64, 2f64], [1f64, 2f64, 2f64]]
$ dagaz derive --expand $DAGAZ_ROOT/tests/derive/rows_in_place.ir > r.fut; echo '[[2.0,3.0,5.0],[1.0,0.0,7.0]]' | dagaz run --interp r.fut
[[2f64, 6f64, 30f64], [1f64, 0f64, 0f64]]
$ printf '%s\n' 'entry main (a: f64) (b: f64) =' '  let c = #[trace(c)] (a * b, a)' '  in f64.sin c.0 * c.1' > t.fut; dagaz derive t.fut > u.fut; echo 2.0 3.0 1.0 | dagaz run --interp -e main_vjp u.fut
trace: (6f64, 2f64)
-0.55883099639785172f64
5.4816062217032702f64
3.8406811466014639f64
$ dagaz derive --expand $DAGAZ_ROOT/tests/derive/branch_shared.ir > b.fut; echo 'true [2.0, 3.0]' | dagaz run --interp b.fut
[3.6371897073027268f64, 1.2700800725388048f64]
$ dagaz derive --expand $DAGAZ_ROOT/tests/derive/size_in_branch.ir > z.fut; echo 'empty([0]f64)' | dagaz run --interp z.fut; echo '[2.0]' | dagaz run --interp z.fut
empty([0]f64)
[4f64]
