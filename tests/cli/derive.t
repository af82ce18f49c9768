$ printf '%s\n' 'def norm [n] (xs: [n]f64) = f64.sqrt (f64.sum (map (\x -> x * x) xs))' 'entry main [n] (xs: [n]f64) (y: f64) (k: i64) : f64 = norm xs * y ** f64.i64 k' > f.fut
$ dagaz derive f.fut | tee v.fut
-- Made by `dagaz derive` from entry point main of f.fut.
-- Reverse mode.  Parameters: inputs, then a seed for each output of floating point.
-- Results: outputs, then the gradients of the inputs of floating point.
-- d * p, but 0 where d is 0, even if p is infinite or NaN.
def times_f64 (d: f64) (p: f64) : f64 =
  d * (if d != 0 || f64.abs p < f64.inf then p else 0)

entry main_vjp [n] (xs: [n]f64) (y: f64) (k: i64) (seed: f64) =
  -- line 1: def norm [n] (xs: [n]f64) = f64.sqrt (f64.sum (map (\x -> x * x) xs))
  let u =  -- [n]f64
    map (\x -> x * x) xs
  let red = f64.sum u
  let sqrt = f64.sqrt red
  -- line 2: entry main [n] (xs: [n]f64) (y: f64) (k: i64) : f64 = norm xs * y ** f64.i64 k
  let conv = f64.i64 k
  let pow = y ** conv
  let mul = times_f64 seed pow
  let mul_1 = times_f64 seed sqrt
  let mul_2 = conv * (if y == 0f64 && conv - 1f64 < 0f64 then 0f64 else y ** (conv - 1f64))
  let y_adj = times_f64 mul_1 mul_2
  -- line 1: def norm [n] (xs: [n]f64) = f64.sqrt (f64.sum (map (\x -> x * x) xs))
  let select = if sqrt == 0f64 then 0f64 else 1f64 / (sqrt * 2f64)
  let red_adj = times_f64 mul select
  let xs_adj =  -- [n]f64
    map (\xs_1 ->
      let x_adj = red_adj * xs_1
      in x_adj + x_adj) xs
  in (sqrt * pow, xs_adj, y_adj)
$ echo '[3.0, 4.0] 2.0 3i64 1.0' | dagaz run --interp -e main_vjp v.fut
40f64
[4.8000000000000007f64, 6.4000000000000004f64]
60f64
$ dagaz derive --jvp f.fut | tee j.fut
-- Made by `dagaz derive` from entry point main of f.fut.
-- Forward mode.  Parameters: inputs, then a tangent for each of floating point.
-- Results: outputs, then their tangents.
-- d * p, but 0 where d is 0, even if p is infinite or NaN.
def times_f64 (d: f64) (p: f64) : f64 =
  d * (if d != 0 || f64.abs p < f64.inf then p else 0)

entry main_jvp [n] (xs: [n]f64) (y: f64) (k: i64) (d_xs: [n]f64) (d_y: f64) =
  -- line 1: def norm [n] (xs: [n]f64) = f64.sqrt (f64.sum (map (\x -> x * x) xs))
  let (u, u_1) =  -- [n]f64, [n]f64
    unzip (map2 (\x x_1 ->
      let mul = x_1 * x
      in (mul + mul, x * x)) xs d_xs)
  let tangent = f64.sum u
  let red = f64.sum u_1
  let sqrt = f64.sqrt red
  let select = if sqrt == 0f64 then 0f64 else 1f64 / (sqrt * 2f64)
  let mul_1 = times_f64 tangent select
  -- line 2: entry main [n] (xs: [n]f64) (y: f64) (k: i64) : f64 = norm xs * y ** f64.i64 k
  let conv = f64.i64 k
  let pow = y ** conv
  let mul_2 = conv * (if y == 0f64 && conv - 1f64 < 0f64 then 0f64 else y ** (conv - 1f64))
  let mul_3 = times_f64 d_y mul_2
  in (sqrt * pow, times_f64 mul_1 pow + times_f64 mul_3 sqrt)
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
Error at i.fut:1:7-11:
cannot derive "main": it has no floating-point parameter
    1 | entry main (x: i64) = x + 1
      |       ^^^^
[2]
$ dagaz derive -e other f.fut
Error:
cannot derive "other": there is no such entry point; there are main
[2]
$ dagaz derive
usage: dagaz derive [--vjp | --jvp] [--bulk] [-e NAME] FILE.fut  (dagaz help derive says more)
[1]
$ # Updates of strided slices are loops; the derivatives of lgamma are in lib/special; assertions keep their message as a comment.
$ printf '%s\n' 'entry main [n] (xs: [n]f64) (k: i64) = let ys = copy xs with [::2] = map f64.lgamma xs[::2] in assert (k > 0) ys' > i.fut
$ dagaz derive --jvp i.fut > j.fut; grep -e special -e ' for ' -e assert j.fut; echo '[1.0, 2.0, 3.0] 1i64 [1.0, 1.0, 1.0]' | dagaz run --interp -e main_jvp j.fut
-- Forward mode.  Parameters: inputs, then a tangent for each of floating point.
import "lib/special"
module special_f64 = mk_special f64
  in assert or (  -- Index [0:n:2] out of bounds for array of shape [n].
      let digamma = special_f64.digamma x
  let ys = loop x_2 = xs_2 for i_2 < quot do x_2 with [i_2 * 2] = map_1[i_2]  -- [n]f64
  let ys_tan = loop x_3 = xs_tan_1 for i_3 < quot do x_3 with [i_3 * 2] = map_2[i_3]  -- [n]f64
  in assert lt (  -- Assertion is false: k > 0
[0f64, 2f64, 0.69314718055994529f64]
[-0.57721566490153242f64, 1f64, 0.92278433509846736f64]
$ # To the checker, what comes from one `unzip` is one array, and so are its views: they are consumed as copies.
$ printf '%s\n' 'entry main [n] (xs: [n]f64) (is: [n]i64) = let ys = map (\x -> x * x) xs in scatter (reverse ys) is xs' > k.fut; dagaz derive --jvp k.fut > l.fut; grep -e reverse -e 'scatter (' l.fut
  let ys_2 = reverse ys  -- [n]f64
  let ys_tan = reverse ys_1  -- [n]f64
  let scatter_1 = scatter (copy ys_2) is xs
  let scatter_2 = scatter (copy ys_tan) is d_xs  -- [n]f64, [n]f64
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
$ dagaz derive --expand $DAGAZ_ROOT/tests/derive/wide_branch.ir > w.fut; echo '[2.0, -3.0]' | dagaz run --interp w.fut
[0f64, -0.14112000805986721f64]
[1f64, 9f64]
[2f64, -3f64]
[3f64, -3f64]
[4f64, 1f64]
[2f64, -0.14112000805986721f64]
$ # Sizes have the source's names, one for all that are equal; an iteration's place in an array needs no test; branches are chains.
$ printf '%s\n' 'entry main [n] [d] (mu: [n][d]f64) (q: [n][d]f64) (w: [2]f64) : f64 =' '  f64.sum (map2 (\m x -> let s = f64.sum (map2 (*) m x) in f64.log (if s < 0 then w[0] * s else if s < 1 then w[1] * s * s else s) + f64.sum (scan (\a b -> a * b + w[0]) 1 m)) mu q)' > o.fut
$ dagaz derive o.fut | tee p.fut
-- Made by `dagaz derive` from entry point main of o.fut.
-- Reverse mode.  Parameters: inputs, then a seed for each output of floating point.
-- Results: outputs, then the gradients of the inputs of floating point.
-- d * p, but 0 where d is 0, even if p is infinite or NaN.
def times_f64 (d: f64) (p: f64) : f64 =
  d * (if d != 0 || f64.abs p < f64.inf then p else 0)

entry main_vjp [n] [d] (mu: [n][d]f64) (q: [n][d]f64) (w: [2]f64) (seed: f64) =
  -- line 2: f64.sum (map2 (\m x -> let s = f64.sum (map2 (*) m x) in f64.log (if s < 0 th..
  let replicate_1 = replicate 2 0f64  -- [2]f64
  let w_adj = replicate_1
  let (w_adj_1, mu_adj, q_adj, map_1, part) =  -- [2]f64, [n][d]f64, [n][d]f64, [n]f64, [n]f64
    loop (w_adj_2: *[2]f64, out: *[n][d]f64, out_1: *[n][d]f64, out_2: *[n]f64, out_3: *[n]f64) = (w_adj, (replicate n (replicate d 0f64)), (replicate n (replicate d 0f64)), (replicate n 0f64), (replicate n 0f64))
    for i < n do
      let mu_1 = mu[i]
      let q_1 = q[i]
      let u =  -- [d]f64
        map2 (*) mu_1 q_1
      let s = f64.sum u
      let lt = s < 0f64
      let mul =
        if lt then w[0] * s
        else if s < 1f64 then w[1] * s * s
        else s
      let scan_1 =  -- [d]f64
        scan (\a b -> a * b + w[0]) 1f64 mu_1
      let red = f64.sum scan_1
      let reverse_1 = reverse mu_1  -- [d]f64
      let u_1 =  -- [d]f64
        map (\v_M -> v_M * seed) reverse_1
      let (u_2, _u_3) =  -- [d]f64, [d]f64
        unzip (scan (\(x, x_1) (x_2, x_3) -> (x_2 + x_3 * x, x_3 * x_1)) (0f64, 1f64) (zip u_1 reverse_1))
      let i_1 = iota d  -- [d]i64
      let u_4 =  -- [d]f64
        map (\i_2 ->
          if i_2 == 0i64 then 0f64
          else u_2[i_2 - 1i64]) i_1
      let u_5 =  -- [d]f64
        map (\scan_2 -> seed + scan_2) u_4
      let total = f64.sum u_5
      let reverse_2 = iota d  -- [d]i64
      let reverse_3 = reverse u_5  -- [d]f64
      let div = 1f64 / mul
      let mul_1 = times_f64 seed div
      let (w_adj_3, adj) =  -- [2]f64, f64
        if lt then
          let w_adj_4 = mul_1 * s
          let s_adj = mul_1 * w[0]
          let w_adj_5 = w_adj_2 with [0] = w_adj_2[0] + w_adj_4
          in (w_adj_5, s_adj)
        else if s < 1f64 then
          let w_1 = w[1]
          let mul_2 = mul_1 * s
          let s_adj_1 = mul_1 * (w_1 * s)
          let w_adj_6 = mul_2 * s
          let s_adj_2 = s_adj_1 + mul_2 * w_1
          let w_adj_7 = w_adj_2 with [1] = w_adj_2[1] + w_adj_6
          in (w_adj_7, s_adj_2)
        else (w_adj_2, mul_1)
      let (x_adj, sum) =  -- [d]f64, [d]f64
        unzip (map4 (\iota_1 r mu_2 q_2 ->
          let match_1 =
            if iota_1 == 0i64 then 1f64
            else scan_1[iota_1 - 1i64]
          let b_adj = r * match_1
          let x_adj_1 = adj * q_2
          let x_adj_2 = adj * mu_2
          in (x_adj_2, b_adj + x_adj_1)) reverse_2 reverse_3 mu_1 q_1)
      in (w_adj_3, out with [i] = sum, out_1 with [i] = x_adj, out_2 with [i] = (f64.log mul + red), out_3 with [i] = total)
  let total_1 = f64.sum part
  let w_adj_8 = w_adj_1 with [0] = w_adj_1[0] + total_1
  let w_adj_9 = w_adj_8
  let mu_adj_1 = mu_adj
  let q_adj_1 = q_adj
  let map_2 = map_1  -- [2]f64, [n][d]f64, [n][d]f64, [n]f64
  let red_1 = f64.sum map_2
  in (red_1, mu_adj_1, q_adj_1, w_adj_9)
$ echo '[[1.0, 2.0], [3.0, -4.0]] [[-1.0, -2.0], [0.5, 0.25]] [-2.0, 3.0] 1.0' | dagaz run --interp -e main_vjp p.fut
-7.9850969794577349f64
[[3.2000000000000002f64, -0.59999999999999998f64], [-1f64, 2f64]]
[[-0.20000000000000001f64, -0.40000000000000002f64], [12f64, -16f64]]
[1.5f64, 0.33333333333333331f64]
$ # Results of helpers that are unique are nobody else's for the types.
$ printf '%s\n' 'def cross [n] (xs: [n]f64) (ys: [n]f64) (k: i64) : ([n]f64, [n]f64) = if k <= 0 then (map2 (*) xs ys, map (* 2) ys) else cross (map (* 2) ys) xs (k - 1)' 'entry main [n] (x: [n]f64) = vjp (\x -> let (a, b) = cross x x 2 in f64.sum (map2 (*) a b)) x 1' > q.fut
$ dagaz derive --jvp q.fut > r.fut; grep '^def' r.fut; dagaz check r.fut && echo '[1.0, 2.0] [1.0, 0.0]' | dagaz run --interp -e main_jvp r.fut; echo '[1.0, 2.0]' | dagaz run --interp q.fut
def cross_1_jvp (n: i64) (map_1: [n]f64) (x: [n]f64) (sub: i64) (map_tan: [n]f64) (x_tan: [n]f64) : (*[n]f64, *[n]f64, *[n]f64, *[n]f64) =
def cross_1_vjp_jvp (n_1: i64) (map_12: [n_1]f64) (x_7: [n_1]f64) (sub_2: i64) (result_adj: [n_1]f64) (result_adj_1: [n_1]f64) (map_adj: *[n_1]f64) (x_adj: *[n_1]f64) (map_tan_1: [n_1]f64) (x_tan_1: [n_1]f64) (result_adj_tan: [n_1]f64) (result_adj_tan_1: [n_1]f64) : (*[n_1]f64, *[n_1]f64, *[n_1]f64, *[n_1]f64) =
[48f64, 192f64]
[96f64, 0f64]
[48f64, 192f64]
$ # Beside a parameter that is consumed loops are given nothing twice.
$ printf '%s\n' 'entry main [n] (x: [n]f64) = let z = replicate n 1.0 in (loop (a, b, c) = (z, z, copy x) for i < n do (b, map2 (+) a x, c with [i] = a[i] * x[i])).2' > s.fut; dagaz derive --expand s.fut | grep -A1 ' loop'; dagaz derive --expand s.fut > t.fut; echo '[2.0, 3.0]' | dagaz run --interp t.fut; echo '[2.0, 3.0]' | dagaz run --interp s.fut
    loop (a_1: [n]f64, b_1: [n]f64, c_1: *[n]f64) = (z, (copy z), x_1)
    for i < n do
[2f64, 3f64]
[2f64, 3f64]
$ # Records have parameters called by their fields; a loop's _i is i.
$ echo 'entry main (p: {rate: f64, start: [2]f64}) (steps: i64) = loop ys = p.start for _i < steps do map (\y -> y - p.rate * y * y) ys' > u.fut; dagaz derive u.fut | grep -e entry -e ' for '
-- Made by `dagaz derive` from entry point main of u.fut.
-- Reverse mode.  Parameters: inputs, then a seed for each output of floating point.
entry main_vjp (p_rate: f64) (p_start: [2]f64) (steps: i64) (seed: [2]f64) =
  -- line 1: entry main (p: {rate: f64, start: [2]f64}) (steps: i64) = loop ys = p.start f..
    for i < steps do
    for j < max do
$ # Two arrays of one unzip are initial values of a loop beside one that it consumes.
$ printf '%s\n' 'entry main [n] (xs: [n]f64) (k: i64) : f64 =' '  let (us, vs) = unzip (map (\x -> (f64.sin x, f64.cos x)) xs)' '  let (us, vs) = loop (us, vs) = (us, vs) for _i < k do (map2 (*) us vs, map2 (-) us vs)' '  in f64.sum (map2 (*) us vs)' > u.fut; dagaz derive u.fut > x.fut; grep '= (us, ' x.fut; echo '[1.0, 2.0] 3i64 1.0' | dagaz run --interp -e main_vjp x.fut
  -- line 3: let (us, vs) = loop (us, vs) = (us, vs) for _i < k do (map2 (*) us vs, map2 (..
    loop (us_2: [n]f64, vs_2: [n]f64, tape_2: *[max][n]f64, tape_3: *[max][n]f64) = (us, (copy vs), scratch, scratch_1)
  -- line 3: let (us, vs) = loop (us, vs) = (us, vs) for _i < k do (map2 (*) us vs, map2 (..
1.0270899460236638f64
[0.051150076987623597f64, 2.9287534098484822f64]
$ printf 'entry main [n][d] (w: [d]f64) (xs: [n][d]f64) (ys: [n]f64) : f64 =\n  let z = map (\\x -> f64.sum (map2 (*) w x)) xs\n  in f64.sum (map2 (\\y z -> f64.log (1 + f64.exp (-(y * z)))) ys z)\n' > logistic.fut; dagaz derive --no-guards logistic.fut
-- Made by `dagaz derive` from entry point main of logistic.fut.
-- Reverse mode.  Parameters: inputs, then a seed for each output of floating point.
-- Results: outputs, then the gradients of the inputs of floating point.
entry main_vjp [d] [n] (w: [d]f64) (xs: [n][d]f64) (ys: [n]f64) (seed: f64) =
  -- line 2: let z = map (\x -> f64.sum (map2 (*) w x)) xs
  let iota_1 = iota d  -- [d]i64
  -- line 3: in f64.sum (map2 (\y z -> f64.log (1 + f64.exp (-(y * z)))) ys z)
  let (u, ys_adj, z_adj, xs_adj) =  -- [n]f64, [n]f64, [n]f64, [n][d]f64
    unzip4 (map2 (\(x: [d]f64) y ->
      let u_1 =  -- [d]f64
        map2 (*) w x
      let red = f64.sum u_1
      let exp = f64.exp (-(y * red))
      let add = exp + 1f64
      let neg = -(seed * (1f64 / add) * exp)
      let y_adj = neg * red
      let z_adj_1 = neg * y
      let x_adj =  -- [d]f64
        map (\w_1 -> z_adj_1 * w_1) w
      in (f64.log add, y_adj, z_adj_1, x_adj)) xs ys)
  let red_1 = f64.sum u
  -- line 2: let z = map (\x -> f64.sum (map2 (*) w x)) xs
  let w_adj =  -- [d]f64
    map (\i ->
      let x_adj_1 =  -- [n]f64
        map2 (\adj (xs_1: [d]f64) -> adj * xs_1[i]) z_adj xs
      in f64.sum x_adj_1) iota_1
  in (red_1, w_adj, xs_adj, ys_adj)
$ printf 'entry main [n][m] (x: [n][m]f64) : f64 =\n  f64.sum (map (\\r -> let top = f64.maximum r in top + f64.log (f64.sum (map (\\v -> f64.exp (v - top)) r))) x)\n' > softmax.fut; dagaz derive softmax.fut
-- Made by `dagaz derive` from entry point main of softmax.fut.
-- Reverse mode.  Parameters: inputs, then a seed for each output of floating point.
-- Results: outputs, then the gradients of the inputs of floating point.
-- d * p, but 0 where d is 0, even if p is infinite or NaN.
def times_f64 (d: f64) (p: f64) : f64 =
  d * (if d != 0 || f64.abs p < f64.inf then p else 0)

entry main_vjp [n] [m] (x: [n][m]f64) (seed: f64) =
  -- line 2: f64.sum (map (\r -> let top = f64.maximum r in top + f64.log (f64.sum (map (\..
  let u =  -- [n]f64
    map (\(r: [m]f64) ->
      let top = f64.maximum r
      let u_1 =  -- [m]f64
        map (\v -> f64.exp (v - top)) r
      let red = f64.sum u_1
      in top + f64.log red) x
  let red_1 = f64.sum u
  let x_adj =  -- [n][m]f64
    map (\(x_1: [m]f64) ->
      let iota_1 = iota m  -- [m]i64
      let (reduce_1, reduce_2) = reduce (\(x_2, x_3) (x_4, x_5) -> (f64.max x_2 x_4, if x_4 < x_2 || x_4 != x_4 || x_2 == x_4 && x_3 <= x_5 then x_3 else x_5)) ((-f64.inf), (-1i64)) (zip x_1 iota_1)
      let u_2 =  -- [m]f64
        map (\v_1 -> f64.exp (v_1 - reduce_1)) x_1
      let red_2 = f64.sum u_2
      let div = 1f64 / red_2
      let red_adj = times_f64 seed div
      let (top_adj, v_adj) =  -- [m]f64, [m]f64
        unzip (map (\exp ->
          let v_adj_1 = times_f64 red_adj exp
          let top_adj_1 = -v_adj_1
          in (top_adj_1, v_adj_1)) u_2)
      let reduce_3 = f64.sum top_adj
      let adj = copy v_adj  -- [m]f64
      let top_adj_2 = seed + reduce_3
      in if 0i64 <= reduce_2 then adj with [reduce_2] = v_adj[reduce_2] + top_adj_2
      else adj) x
  in (red_1, x_adj)
$ dagaz derive softmax.fut > once.fut; dagaz derive --expand -e main_vjp once.fut > twice.fut; grep -c f64.exp once.fut; echo '[[1.0, 2.0, 0.5]] 1.0' | dagaz run --interp -e main_vjp once.fut;  echo '[[1.0, 2.0, 0.5]] 1.0' | dagaz run --interp -e main_vjp twice.fut
2
2.4643687841079451f64
[[0.23122389762214907f64, 0.62853171921176243f64, 0.14024438316608848f64]]
2.4643687841079451f64
[[0.23122389762214907f64, 0.62853171921176243f64, 0.14024438316608848f64]]
$ dagaz derive --expand $DAGAZ_ROOT/tests/derive/index_far.ir > i.fut; echo '1.0' | dagaz run --interp i.fut
[2f64, 1f64]
