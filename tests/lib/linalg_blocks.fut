-- | Factorisations and systems of more rows than a block has: how far off what they promise is, and
-- derivatives in both modes against each other.
-- ==
-- entry: factors
-- input { 31i64 } output { true }
-- input { 32i64 } output { true }
-- input { 33i64 } output { true }
-- input { 66i64 } output { true }
-- ==
-- entry: systems
-- input { 31i64 3i64 } output { true }
-- input { 32i64 0i64 } output { true }
-- input { 65i64 1i64 } output { true }
-- input { 66i64 9i64 } output { true }
-- ==
-- entry: orthogonal
-- input { 32i64 32i64 40i64 } output { true }
-- input { 33i64 33i64 40i64 } output { true }
-- input { 70i64 66i64 40i64 } output { true }
-- input { 70i64 64i64 3i64 } output { true }
-- input { 50i64 7i64 3i64 } output { true }
-- ==
-- entry: derivatives
-- input { 35i64 } output { true }
-- ==
-- entry: indefinite
-- input { 40i64 5i64 } output { 5i64 }
-- input { 40i64 35i64 } output { 35i64 }
-- ==
-- entry: singular
-- input { 40i64 } output { true }
-- ==
-- entry: spectrum
-- input { 32i64 } output { true }
-- input { 33i64 } output { true }
-- input { 66i64 } output { true }
-- ==
-- entry: rotations
-- input { 40i64 34i64 } output { true }
import "lib/linalg"
module L = mk_linalg f64

def matrix (n: i64) (m: i64) (seed: i64) : [n][m]f64 =
  tabulate_2d n m (\i j -> f64.i64 ((i * i * 31 + i * j * 17 + j * 7 + seed * 13) % 101) / 50 - 1)
def definite (n: i64) : [n][n]f64 =
  let a = matrix n n 1 in L.add (L.matmul a (transpose a)) (L.identity n)
def regular (n: i64) : [n][n]f64 = L.add (matrix n n 2) (L.scale 0.5 (L.identity n))
def near [n] [m] (limit: f64) (a: [n][m]f64) (b: [n][m]f64) : bool =
  let most = map (map f64.abs) a |> map f64.maximum |> f64.maximum |> f64.max 1
  in and (flatten (map2 (map2 (\x y -> f64.abs (x - y) <= limit * most)) a b))

entry factors (n: i64) : bool =
  let (a, s) = (regular n, definite n)
  let c = L.cholesky s
  let (p, l, u) = L.lu a
  let unit = and (flatten (tabulate_2d n n (\i j -> f64.abs l[i, j] <= 1 && (i != j || l[i, j] == 1))))
  in near 1e-12 s (L.matmul c (transpose c)) && c == L.lower c && unit && u == L.upper u
     && near 1e-12 (map (\i -> a[i]) p) (L.matmul l u)

entry systems (n: i64) (m: i64) : bool =
  let (a, b) = (regular n, matrix n m 3)
  let l = L.lower (L.add (L.scale 0.1 a) (L.identity n))
  in near 1e-8 b (L.matmul a (L.solve_matrix a b))
     && near 1e-10 b (L.matmul l (L.solve_lower_matrix l b))
     && near 1e-10 b (L.matmul (transpose l) (L.solve_upper_matrix (transpose l) b))

-- Column z is zero.
entry orthogonal (m: i64) (n: i64) (z: i64) : bool =
  let a = map2 (\i row -> map2 (\j x -> if j == z then 0 else if i == j then x + 1 else x) (iota n) row)
               (iota m) (matrix m n 2)
  let (q, r) = L.qr a
  in near 1e-13 a (L.matmul q r) && near 1e-13 (L.matmul (transpose q) q) (L.identity n)
     && r == L.upper r && all (>= 0) (L.diagonal_of r)

-- <w, J v> is <J^T w, v>.
entry derivatives (n: i64) : bool =
  let (v, w) = (matrix n n 4, matrix n n 5)
  let inner (a: [n][n]f64) (b: [n][n]f64) = L.dot (flatten a) (flatten b)
  let agree (f: [n][n]f64 -> [n][n]f64) x =
    let (p, q) = (inner w (jvp f x v), inner (vjp f x w) v)
    in f64.abs (p - q) <= 1e-7 * f64.max 1 (f64.abs p)
  in agree L.cholesky (definite n) && agree (\a -> L.solve_matrix a w) (regular n)
     && agree (\a -> let (_, l, u) = L.lu a in L.add (L.scale 2 l) u) (regular n)
     && agree (\a -> let (q, r) = L.qr a in L.add (L.scale 2 q) r) (regular n)

-- The first column with a NaN: that of the first negative pivot.
entry indefinite (n: i64) (k: i64) : i64 =
  let a = tabulate_2d n n (\i j -> if i != j then 0.25 / f64.i64 n else if i == k then -1 else 1)
  let bad = map (\column -> any f64.isnan column) (transpose (L.cholesky a))
  in i64.minimum (map2 (\j b -> if b then j else n) (iota n) bad)

-- A column of zeros and a row that is twice another.
entry singular (n: i64) : bool =
  let a = tabulate_2d n n (\i j -> if j == 3 then 0 else (regular n)[if i == 37 then 2 else i, j])
  let (p, l, u) = L.lu a
  in near 1e-12 (map (\i -> a[i]) p) (L.matmul l u)

-- Reduction to tridiagonal form in blocks; one matrix has equal eigenvalues.
entry spectrum (n: i64) : bool =
  let whole (a: [n][n]f64) =
    let (w, v) = L.eigh a
    let scaled = map (map2 (*) w) v
    in near 1e-12 a (L.matmul scaled (transpose v)) && near 1e-12 (L.identity n) (L.matmul (transpose v) v)
       && near 1e-12 [w] [L.eigenvalues a]
  let x = map f64.i64 (iota n)
  in whole (L.symmetric (matrix n n 3)) && whole (L.add (L.outer x x) (L.identity n))

-- Columns whose norms differ by 18 orders keep small singular values exact.
entry rotations (m: i64) (n: i64) : bool =
  let a = matrix m n 4
  let (u, s, v) = L.svd a
  let small = L.matmul (L.qr a).0 (L.diagonal (tabulate n (\i -> 10 ** f64.i64 (-(i * 7 % 19)))))
  let exact = reverse (L.eigenvalues (L.diagonal (tabulate n (\i -> 10 ** f64.i64 (-(i * 7 % 19))))))
  in near 1e-12 a (L.matmul (map (map2 (*) s) u) (transpose v))
     && near 1e-12 (L.identity n) (L.matmul (transpose u) u)
     && near 1e-12 (L.identity n) (L.matmul (transpose v) v)
     && and (map2 (\x y -> f64.abs (x - y) <= 1e-13 * y) (L.singular_values small) exact)
