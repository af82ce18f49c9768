$ # A module for given sizes; the gradient of a product of matrices.
$ printf '%s\n' 'entry product [n][m][p] (a: [n][m]f64) (b: [m][p]f64) = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a' 'entry pick [n] (xs: [n]f64) (i: i64) = f64.max xs[i] 0' 'entry special (x: f64) = f64.erf x' 'entry ragged (n: i64) = map (\i -> i64.sum (iota i)) (iota n)' > a.fut
$ dagaz hlo -e product a.fut n=2 m=3 p=4
module @product {
  func.func public @main(%arg0: tensor<2x3xf64>, %arg1: tensor<3x4xf64>) -> (tensor<2x4xf64>, tensor<i32>) {
    %v1 = stablehlo.constant dense<2147483647> : tensor<i32>
    %v2 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x3xf64>, tensor<3x4xf64>) -> tensor<2x4xf64>
    return %v2, %v1 : tensor<2x4xf64>, tensor<i32>
  }
}
$ dagaz hlo --vjp -e product a.fut n=2 m=3 p=4 | grep -o 'stablehlo[.][a-z_]*' | sort | uniq -c | sed 's/^ *//'
1 stablehlo.constant
3 stablehlo.dot_general
$ dagaz hlo -e pick a.fut n=4 | head -12
// check 1: Index out of bounds. -> #0  a.fut:2:48-53
module @pick {
  func.func public @main(%arg0: tensor<4xf64>, %arg1: tensor<i64>) -> (tensor<f64>, tensor<i32>) {
    %v1 = stablehlo.constant dense<2147483647> : tensor<i32>
    %v2 = stablehlo.constant dense<0> : tensor<i64>
    %v3 = stablehlo.compare GE, %arg1, %v2, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %v4 = stablehlo.constant dense<4> : tensor<i64>
    %v5 = stablehlo.compare LT, %arg1, %v4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %v6 = stablehlo.and %v3, %v5 : tensor<i1>
    %v7 = stablehlo.constant dense<1> : tensor<i32>
    %v8 = stablehlo.select %v6, %v1, %v7 : tensor<i1>, tensor<i32>
    %v9 = stablehlo.minimum %v1, %v8 : tensor<i32>
$ # A scalar parameter may be a constant, too.
$ dagaz hlo -e pick a.fut n=4 i=2 | grep -c 'dynamic_slice'
0
[1]
$ dagaz hlo -e pick a.fut; dagaz hlo -e pick a.fut n=4 k=2; dagaz hlo -e pick a.fut n=four
Error at a.fut:2:7-11:
the size n of "pick" is not given: add n=NUMBER
    2 | entry pick [n] (xs: [n]f64) (i: i64) = f64.max xs[i] 0
      |       ^^^^
Error:
"pick" has no size or integer parameter named k
Error at a.fut:2:7-11:
n=four is not an integer
    2 | entry pick [n] (xs: [n]f64) (i: i64) = f64.max xs[i] 0
      |       ^^^^
[2]
$ dagaz hlo -e special a.fut; dagaz hlo -e ragged a.fut; dagaz hlo -e none a.fut; dagaz hlo a.fut a.fut
Error at a.fut:3:26-35:
no StableHLO for "special": erf at type f64 has no StableHLO form
    3 | entry special (x: f64) = f64.erf x
      |                          ^^^^^^^^^
Error at a.fut:4:44-52:
no StableHLO for "ragged": a size differs between iterations
    4 | entry ragged (n: i64) = map (\i -> i64.sum (iota i)) (iota n)
      |                                            ^^^^^^^^
Error:
there is no such entry point; there are product, pick, special, ragged
usage: dagaz hlo [--vjp | --jvp] [-e NAME] FILE.fut SIZE=N..  (dagaz help hlo says more)
[1]
$ # Movements of data that meet: products take operands as they lie, sums over pairs of rows are contractions.
$ printf '%s\n' 'def product a b = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a' 'entry turned [n][m] (a: [n][m]f64) (b: [n][m]f64) = transpose (product (transpose a) b)' 'entry sums [n][m] (a: [n][m]f64) (b: [n][m]f64) = (f64.sum (map2 (\r s -> f64.sum (map2 (*) r s)) a b), map f64.sum (transpose a), map (\r -> map (+ 1) r) (transpose a))' > moves.fut
$ dagaz hlo -e turned moves.fut n=2 m=3 | grep dot_general
    %v2 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<3x3xf64>
$ dagaz hlo -e sums moves.fut n=2 m=3 | grep -E 'dot_general|reduce|transpose|constant'
    %v1 = stablehlo.constant dense<2147483647> : tensor<i32>
    %v2 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<f64>
    %v3 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf64>) -> tensor<3x2xf64>
    %v4 = stablehlo.constant dense<0.00000000000000000e+00> : tensor<f64>
    %v5 = stablehlo.reduce(%arg0 init: %v4) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf64>, tensor<f64>) -> tensor<3xf64>
    %v6 = stablehlo.constant dense<1.00000000000000000e+00> : tensor<3x2xf64>
$ # Sums over windows are convolutions, their derivatives by both, too; other places are gathers.
$ printf '%s\n' 'entry plain [n][k] (x: [n]f64) (w: [k]f64) = tabulate (n - k + 1) (\i -> f64.sum (tabulate k (\j -> x[i + j] * w[j])))' 'entry loss [n][k] (x: [n]f64) (w: [k]f64) = f64.sum (map (\y -> y * y) (tabulate ((n - k) / 2 + 1) (\i -> f64.sum (tabulate k (\j -> x[2 * i + k - 1 - j] * w[j])))))' 'entry own [n][k] (x: [n]f64) (w: [n][k]f64) = tabulate (n - k + 1) (\i -> f64.sum (tabulate k (\j -> x[i + j] * w[i, j])))' > windows.fut
$ dagaz hlo -e plain windows.fut n=9 k=4 | grep -v return
module @plain {
  func.func public @main(%arg0: tensor<9xf64>, %arg1: tensor<4xf64>) -> (tensor<6xf64>, tensor<i32>) {
    %v1 = stablehlo.constant dense<2147483647> : tensor<i32>
    %v2 = stablehlo.reshape %arg0 : (tensor<9xf64>) -> tensor<1x1x9xf64>
    %v3 = stablehlo.reshape %arg1 : (tensor<4xf64>) -> tensor<1x1x4xf64>
    %v4 = stablehlo.convolution(%v2, %v3) dim_numbers = [b, f, 0]x[i, o, 0]->[b, f, 0], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<1x1x9xf64>, tensor<1x1x4xf64>) -> tensor<1x1x6xf64>
    %v5 = stablehlo.reshape %v4 : (tensor<1x1x6xf64>) -> tensor<6xf64>
  }
}
$ dagaz hlo --vjp -e loss windows.fut n=9 k=4 | grep -oE 'stablehlo.(convolution|gather|scatter|reverse)|window = .*reverse' 
stablehlo.reverse
stablehlo.convolution
window = {stride = [2], pad = [[0, -1]], lhs_dilate = [1], rhs_dilate = [1], reverse
stablehlo.convolution
window = {stride = [1], pad = [[0, -1]], lhs_dilate = [1], rhs_dilate = [2], reverse
stablehlo.reverse
stablehlo.reverse
stablehlo.convolution
window = {stride = [1], pad = [[4, 5]], lhs_dilate = [1], rhs_dilate = [2], reverse
$ dagaz hlo -e own windows.fut n=9 k=4 | grep -oE 'stablehlo.(convolution|gather|dot_general)'
stablehlo.gather
stablehlo.gather
stablehlo.dot_general
