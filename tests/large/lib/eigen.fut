-- lib/linalg: QR, least squares, eigenvalues, singular values and functions of symmetric matrices;
-- derivatives to second order; eigenvalues that are equal.
-- ==
-- entry: values
-- input { 1i64 } output { true }
-- input { 2i64 } output { true }
-- input { 7i64 } output { true }
-- ==
-- entry: values_empty
-- input { 0i64 } output { true }
-- ==
-- entry: qr least_squares eigh functions svd
-- input {} output { 0i64 }
-- ==
-- entry: nests
-- input {} output { true }
-- ==
-- entry: equal_singular
-- input {} output { true true }
-- ==
-- entry: equal
-- input {} output { true true true true true }
import "lib/linalg"
import "../../lib/second"
module linalg = mk_linalg f64

def make (n: i64) (m: i64) (k: f64) : [n][m]f64 =
  tabulate_2d n m (\i j -> f64.sin (k + 1.7 * f64.i64 i + 2.9 * f64.i64 (j * (i + 1))))
def close [n] [m] (a: [n][m]f64) (b: [n][m]f64) = near 1e-12 (flatten a) (flatten b)
def from [n] (v: [n][n]f64) (w: [n]f64) =
  linalg.matmul v (linalg.matmul (linalg.diagonal w) (transpose v))

entry values (n: i64) : bool =
  let a = make (n + 2) n 0.3
  let s = linalg.symmetric (make n n 0.9)
  let (q, r) = linalg.qr a
  let b = tabulate (n + 2) (\i -> f64.cos (f64.i64 i))
  let x = linalg.least_squares a b
  let (w, v) = linalg.eigh s
  let far = linalg.scale 1e150 s
  let (u, d, z) = linalg.svd a
  let zero = linalg.singular_values (linalg.outer b (replicate n 1))
  in close (linalg.matmul q r) a && close (linalg.matmul (transpose q) q) (linalg.identity n)
     && close r (linalg.upper r) && all (>= 0) (linalg.diagonal_of r)
     && near 1e-12 (linalg.vecmat (map2 (-) b (linalg.matvec a x)) a) (replicate n 0)
     && close (from v w) s && close (linalg.matmul (transpose v) v) (linalg.identity n)
     && near 1e-12 w (linalg.eigenvalues s) && and (map2 (<=) w (rotate 1 w with [n - 1] = f64.inf))
     && close (linalg.symmetric_function (\x -> x * x) s) (linalg.matmul s s)
     && close (linalg.matmul u (linalg.matmul (linalg.diagonal d) (transpose z))) a
     && close (linalg.matmul (transpose u) u) (linalg.identity n)
     && close (linalg.matmul (transpose z) z) (linalg.identity n)
     && near 1e-12 (linalg.singular_values a) d
     && near 1e-12 (map (\x -> x * x) d) (reverse (linalg.eigenvalues (linalg.matmul (transpose a) a)))
     && near 1e-12 zero (replicate n 0 with [0] = linalg.norm b * f64.sqrt (f64.i64 n))
     && near 1e-12 (map (/ 1e150) (linalg.eigenvalues far)) w
entry values_empty (n: i64) : bool =
  let (w, v) = linalg.eigh (make n n 1)
  let (q, r) = linalg.qr (make n n 1)
  in length w == 0 && length v == 0 && length q == 0 && length r == 0

def weigh [n] [m] (a: [n][m]f64) : f64 = f64.sum (flatten (map2 (map2 (*)) a (make n m 2.1)))
def check (n: i64) (m: i64) (f: [n][m]f64 -> f64) (a: [n][m]f64) : i64 =
  second (\x -> f (unflatten x)) (flatten a)
def first_fault [n] (codes: [n]i64) : i64 =
  loop found = 0 for i < n do if found == 0 && codes[i] != 0 then i * 10000 + codes[i] else found

entry qr : i64 =
  first_fault [check 3 2 (\a -> let (q, r) = linalg.qr a in weigh q + weigh (linalg.matmul r r))
                     (make 3 2 0.3)]
entry least_squares : i64 =
  first_fault [check 3 2 (\a -> linalg.dot a[1] (linalg.least_squares a (map (\r -> r[0] * r[1] + 1) a)))
                     (make 3 2 0.3)]
entry eigh : i64 =
  let a = make 3 3 0.9
  in first_fault [check 3 3 (\a -> let (w, v) = linalg.eigh a
                                   in linalg.dot w [0.3, -1, 0.5] + weigh v) a,
                  check 3 3 (\a -> linalg.dot (linalg.eigenvalues a) [0.3, -1, 0.5]) a]
entry functions : i64 =
  let a = make 3 3 0.9
  in first_fault [check 3 3 (\a -> weigh (linalg.symmetric_function f64.exp a)) a]

entry svd : i64 =
  let all a = let (u, s, v) = linalg.svd a in weigh u + linalg.dot s [0.3, -1] + weigh v
  in first_fault [check 3 2 all (make 3 2 0.3),
                  check 3 2 (\a -> linalg.dot (linalg.singular_values a) [0.3, -1]) (make 3 2 0.3)]

-- Reverse over reverse mode.
entry nests : bool =
  let f (x: [3 * 3]f64) =
    let a = unflatten x
    let l = linalg.cholesky (linalg.add (linalg.matmul a (transpose a)) (linalg.identity 3))
    let (w, v) = linalg.eigh a
    let (q, r) = linalg.qr a
    in weigh l + linalg.dot w v[0] + weigh q + weigh (linalg.solve_matrix r l) + linalg.det a
       + linalg.dot (linalg.least_squares a l[2]) (linalg.singular_values a)
  in second_reverse f (flatten (make 3 3 0.9))

-- Singular values that are equal, and that are zero: the sum of their squares is that of all
-- elements.
entry equal_singular : (bool, bool) =
  let squares a = f64.sum (map (\s -> s * s) (linalg.singular_values a))
  let a = [[0.6, -0.8], [0.8, 0.6], [0, 0]]
  let b = linalg.outer [1, 2, 2] [0.6, 0.8]
  in (close (vjp squares a 1) (linalg.scale 2 a), close (vjp squares b 1) (linalg.scale 2 b))

-- The identity plus an outer product has an eigenvalue twice: traces of powers, of exp, and the
-- matrix function itself against products.  Second derivatives through eigenvectors are NaN, not
-- numbers.
entry equal : (bool, bool, bool, bool, bool) =
  let u = [0.6, 0.0, 0.8]
  let a = linalg.add (linalg.identity 3) (linalg.outer u u)
  let powers a = f64.sum (map (\w -> w * w * w) (linalg.eigenvalues a))
  let by_vectors a = f64.sum (map (\w -> w * w * w) (let (w, _) = linalg.eigh a in w))
  let cubes a = linalg.trace (linalg.matmul a (linalg.matmul a a))
  let by_function a = weigh (linalg.symmetric_function (\x -> x * x * x) a)
  let by_products a = let s = linalg.symmetric a in weigh (linalg.matmul s (linalg.matmul s s))
  let d = make 3 3 0.4
  let i = linalg.identity 3
  in (close (vjp powers a 1) (vjp cubes a 1) && near 1e-12 [jvp powers a d] [jvp cubes a d],
      close (vjp by_vectors a 1) (vjp cubes a 1),
      close (vjp by_function a 1) (vjp by_products a 1)
      && near 1e-12 [jvp by_function a d] [jvp by_products a d],
      close (vjp powers i 1) (linalg.scale 3 i),
      any (\x -> f64.isnan x || f64.isinf x) (flatten (jvp (\a -> vjp powers a 1) i d)))
