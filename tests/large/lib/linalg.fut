-- lib/linalg: factorisations multiply to the matrix, solutions solve; derivatives of all to second
-- order, where the matrix is general, singular or has eigenvalues that are equal.
-- ==
-- entry: values
-- input { 5i64 } output { true }
-- input { 1i64 } output { true }
-- input { 0i64 } output { true }
-- ==
-- entry: products triangular cholesky lu solve determinants
-- input {} output { 0i64 }
-- ==
-- entry: singular
-- input { [[1.0, 2.0], [2.0, 4.0]] } output { 0.0 [[4.0, -2.0], [-2.0, 1.0]] 0i64 }
-- input { [[0.0, 0.0], [0.0, 0.0]] } output { 0.0 [[0.0, 0.0], [0.0, 0.0]] 0i64 }
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]] }
-- output { 0.0 [[-3.0, 6.0, -3.0], [6.0, -12.0, 6.0], [-3.0, 6.0, -3.0]] 0i64 }
-- ==
-- entry: nearly_singular
-- input {} output { true }
-- ==
-- entry: third
-- input {} output { [true, true] }
-- ==
-- entry: not_regular
-- input {} output { true }
import "lib/linalg"
import "../../lib/second"
module linalg = mk_linalg f64

def make (n: i64) (m: i64) (k: f64) : [n][m]f64 =
  tabulate_2d n m (\i j -> f64.sin (k + 1.7 * f64.i64 i + 2.9 * f64.i64 (j * (i + 1))))
def spd (n: i64) (k: f64) : [n][n]f64 =
  let b = make n n k
  in linalg.add (linalg.matmul b (transpose b)) (linalg.identity n)

def close [n] [m] (a: [n][m]f64) (b: [n][m]f64) = near 1e-12 (flatten a) (flatten b)

entry values (n: i64) : bool =
  let (a, s, b) = (make n n 0.3, spd n 0.7, make n 3 1.1)
  let v = tabulate n (\i -> f64.cos (f64.i64 i))
  let l = linalg.cholesky s
  let (p, lower, upper) = linalg.lu a
  let rows = map (\i -> a[i]) p
  let (sign, size) = linalg.logdet a
  in close (linalg.matmul l (transpose l)) s && close l (linalg.lower l)
     && close (linalg.matmul lower upper) rows && close lower (linalg.lower lower)
     && all (<= 1) (map f64.abs (flatten lower))
     && close (linalg.matmul a (linalg.solve_matrix a b)) b
     && near 1e-12 (linalg.matvec a (linalg.solve a v)) v
     && near 1e-12 (linalg.matvec s (linalg.cholesky_solve l v)) v
     && close (linalg.matmul s (linalg.cholesky_solve_matrix l b)) b
     && close (linalg.matmul a (linalg.inverse a)) (linalg.identity n)
     && near 1e-12 [sign * f64.exp size, (linalg.logdet s).1, linalg.cholesky_logdet l]
                   [linalg.det a, linalg.cholesky_logdet l, f64.log (linalg.det s)]

-- f of a matrix n x m, weighted so that no derivative is symmetric by chance.
def weigh [n] [m] (a: [n][m]f64) : f64 =
  f64.sum (flatten (map2 (map2 (*)) a (make n m 2.1)))
def check (n: i64) (m: i64) (f: [n][m]f64 -> f64) (a: [n][m]f64) : i64 =
  second (\x -> f (unflatten x)) (flatten a)
def first_fault [n] (codes: [n]i64) : i64 =
  loop found = 0 for i < n do if found == 0 && codes[i] != 0 then i * 10000 + codes[i] else found

entry products : i64 =
  let a = make 3 3 0.2
  let v = [0.3, -0.2, 0.5]
  in first_fault [check 3 3 (\a -> weigh (linalg.matmul a (linalg.matmul a a))) a,
                  check 3 3 (\a -> linalg.bilinear (linalg.matvec a v) a (linalg.vecmat v a)) a,
                  check 3 3 (\a -> linalg.trace (linalg.matmul a a) * linalg.matrix_norm a) a]
entry triangular : i64 =
  let a = linalg.add (make 3 3 0.2) (linalg.scale 2 (linalg.identity 3))
  let b = make 3 2 0.9
  in first_fault
       [check 3 3 (\a -> weigh (linalg.solve_lower_matrix a (copy b with [0, 0] = a[1, 2]))) a,
        check 3 3 (\a -> weigh (linalg.solve_upper_matrix a (copy b with [0, 0] = a[2, 1]))) a,
        check 3 3 (\a -> linalg.dot a[0] (linalg.solve_lower a a[1])) a,
        check 3 3 (\a -> linalg.dot a[0] (linalg.solve_upper a a[1])) a]
entry cholesky : i64 =
  let a = spd 3 0.4
  in first_fault [check 3 3 (\a -> weigh (linalg.cholesky a)) a,
                  check 3 3 (\a -> linalg.dot a[0] (linalg.cholesky_solve (linalg.cholesky a) a[1])) a,
                  check 3 3 (\a -> linalg.cholesky_logdet (linalg.cholesky a)) a]
entry lu : i64 =
  let a = make 3 3 0.2
  let both a = let (_, l, u) = linalg.lu a in weigh l + weigh (linalg.matmul u u)
  in first_fault [check 3 3 both a]
entry solve : i64 =
  let a = make 3 3 0.2
  in first_fault [check 3 3 (\a -> linalg.dot a[0] (linalg.solve a a[1])) a,
                  check 3 3 (\a -> weigh (linalg.solve_matrix a (linalg.matmul a (transpose a)))) a,
                  check 3 3 (\a -> weigh (linalg.inverse a)) a]
entry determinants : i64 =
  let a = make 3 3 0.2
  in first_fault [check 3 3 (\a -> (linalg.logdet a).1) a, check 3 3 linalg.det a]
entry singular [n] (a: [n][n]f64) : (f64, [n][n]f64, i64) =
  (linalg.det a, vjp linalg.det a 1, check n n linalg.det a)

-- Where there is no solution numbers are infinite or NaN, never others.
entry not_regular : bool =
  let a = [[1.0, 2.0], [2.0, 4.0]]
  let (sign, size) = linalg.logdet a
  let loud x = f64.isnan x || f64.isinf x
  in any loud (linalg.solve a [1, 0]) && any loud (flatten (linalg.inverse a))
     && sign == 0 && size == -f64.inf
     && any f64.isnan (flatten (linalg.cholesky [[1, 2], [2, 1]]))

-- Matrices along a line whose rank is 2 but for rounding: all derivatives of the determinant are 0.
entry nearly_singular : bool =
  let at (t: f64) : [3][3]f64 =
    tabulate_2d 3 3 (\i j -> f64.sin (1 + f64.i64 (i * 3 + j * j) + t * f64.i64 (i + 2 * j + 1)))
  let first t = vjp (\t -> linalg.det (at t)) t 1
  let second t = jvp first t 1
  in all (\x -> f64.abs x < 1e-12) [linalg.det (at 0.3), first 0.3, second 0.3, jvp second 0.3 1]

-- Third derivatives of what has rules for two orders, along a line: forward over forward over
-- reverse mode, against differences.
entry third : [2]bool =
  let at (t: f64) : [3][3]f64 = tabulate_2d 3 3 (\i j ->
    f64.bool (i == j) * 2 + f64.sin (1 + f64.i64 (i * 3 + j * j) + t * f64.i64 (i + 2 * j + 1)))
  let agree (f: f64 -> f64) =
    let first t = vjp f t 1
    let second t = jvp first t 1
    let slope g = let d h = (g (0.3 + h) - g (0.3 - h)) / (2 * h) in (4 * d 5e-4 - d 1e-3) / 3
    let third = jvp second 0.3 1
    in f64.abs (third - slope second) < 1e-6 * (1 + f64.abs third)
  in [agree (\t -> weigh (linalg.solve_matrix (at t) (at (2 * t)))),
      agree (\t -> linalg.dot (linalg.least_squares (at t)[:, :2] (at t)[0]) [0.3, -1])]
