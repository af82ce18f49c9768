$ printf '%s\n' 'def norm [n] (xs: [n]f64) = f64.sqrt (f64.sum (map (\x -> x * x) xs))' 'entry main [n] (xs: [n]f64) (y: f64) (k: i64) : f64 = norm xs * y ** f64.i64 k' > f.fut
$ dagaz derive f.fut | tee v.fut
-- Made by `dagaz derive` from entry point main of f.fut.
-- reverse mode: seeds for the floating-point results follow the parameters; the results, then the adjoints of the floating-point parameters.
entry main_vjp [n] (xs: [n]f64) (y: f64) (k: i64) (seed: f64) =
  let u =  -- [n]f64
    map (\x ->
      let mul = x * x
      in mul) xs
  let red = reduce_comm (+) 0f64 u
  let sqrt = f64.sqrt red
  let conv = f64.i64 k
  let pow = y ** conv
  let mul_1 = sqrt * pow
  let ne = seed != 0f64
  let abs = f64.abs pow
  let le = abs <= 1.7976931348623157e+308f64
  let or = ne || le
  let select = if or then pow else 0f64
  let mul_2 = seed * select
  let abs_1 = f64.abs sqrt
  let le_1 = abs_1 <= 1.7976931348623157e+308f64
  let or_1 = ne || le_1
  let select_1 = if or_1 then sqrt else 0f64
  let mul_3 = seed * select_1
  let eq = y == 0f64
  let lt = conv < 1f64
  let and = eq && lt
  let sub = conv - 1f64
  let pow_1 = y ** sub
  let mul_4 = conv * pow_1
  let select_2 = if and then 0f64 else mul_4
  let ne_1 = mul_3 != 0f64
  let abs_2 = f64.abs select_2
  let le_2 = abs_2 <= 1.7976931348623157e+308f64
  let or_2 = ne_1 || le_2
  let select_3 = if or_2 then select_2 else 0f64
  let mul_5 = mul_3 * select_3
  let eq_1 = sqrt == 0f64
  let mul_6 = sqrt * 2f64
  let div = 1f64 / mul_6
  let select_4 = if eq_1 then 0f64 else div
  let ne_2 = mul_2 != 0f64
  let abs_3 = f64.abs select_4
  let le_3 = abs_3 <= 1.7976931348623157e+308f64
  let or_3 = ne_2 || le_3
  let select_5 = if or_3 then select_4 else 0f64
  let mul_7 = mul_2 * select_5
  let adj =  -- [n]f64
    map (\xs_1 ->
      let mul_8 = mul_7 * xs_1
      let add = mul_8 + mul_8
      in add) xs
  in (mul_1, adj, mul_5)
$ echo '[3.0, 4.0] 2.0 3i64 1.0' | dagaz run --interp -e main_vjp v.fut
40f64
[4.8000000000000007f64, 6.4000000000000004f64]
60f64
$ dagaz derive --jvp f.fut | tee j.fut
-- Made by `dagaz derive` from entry point main of f.fut.
-- forward mode: tangents of the floating-point parameters follow them; the results, then their tangents.
entry main_jvp [n] (xs: [n]f64) (y: f64) (k: i64) (d_xs: [n]f64) (d_y: f64) =
  let (u, u_1) =  -- [n]f64, [n]f64
    unzip (map2 (\x x_1 ->
      let mul = x * x
      let mul_1 = x_1 * x
      let add = mul_1 + mul_1
      in (add, mul)) xs d_xs)
  let tangent = reduce_comm (+) 0f64 u
  let red = reduce_comm (+) 0f64 u_1
  let sqrt = f64.sqrt red
  let eq = sqrt == 0f64
  let mul_2 = sqrt * 2f64
  let div = 1f64 / mul_2
  let select = if eq then 0f64 else div
  let ne = tangent != 0f64
  let abs = f64.abs select
  let le = abs <= 1.7976931348623157e+308f64
  let or = ne || le
  let select_1 = if or then select else 0f64
  let mul_3 = tangent * select_1
  let conv = f64.i64 k
  let pow = y ** conv
  let eq_1 = y == 0f64
  let lt = conv < 1f64
  let and = eq_1 && lt
  let sub = conv - 1f64
  let pow_1 = y ** sub
  let mul_4 = conv * pow_1
  let select_2 = if and then 0f64 else mul_4
  let ne_1 = d_y != 0f64
  let abs_1 = f64.abs select_2
  let le_1 = abs_1 <= 1.7976931348623157e+308f64
  let or_1 = ne_1 || le_1
  let select_3 = if or_1 then select_2 else 0f64
  let mul_5 = d_y * select_3
  let mul_6 = sqrt * pow
  let ne_2 = mul_3 != 0f64
  let abs_2 = f64.abs pow
  let le_2 = abs_2 <= 1.7976931348623157e+308f64
  let or_2 = ne_2 || le_2
  let select_4 = if or_2 then pow else 0f64
  let mul_7 = mul_3 * select_4
  let ne_3 = mul_5 != 0f64
  let abs_3 = f64.abs sqrt
  let le_3 = abs_3 <= 1.7976931348623157e+308f64
  let or_3 = ne_3 || le_3
  let select_5 = if or_3 then sqrt else 0f64
  let mul_8 = mul_5 * select_5
  let add_1 = mul_7 + mul_8
  in (mul_6, add_1)
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
cannot derive "other": there is no such entry point
[2]
$ dagaz derive
usage: dagaz derive [--vjp | --jvp | --expand] [-e NAME] FILE.fut
[1]
