-- | Products of matrices and their transposes, of few and many rows and columns, against integers.
-- ==
-- entry: wrong
-- input { 1i64 1i64 1i64 } output { 0i64 }
-- input { 0i64 3i64 2i64 } output { 0i64 }
-- input { 5i64 0i64 9i64 } output { 0i64 }
-- input { 7i64 9i64 3i64 } output { 0i64 }
-- input { 33i64 20i64 17i64 } output { 0i64 }
-- input { 66i64 50i64 35i64 } output { 0i64 }
-- input { 39i64 130i64 141i64 } output { 0i64 }
def matrix 't (of: i64 -> t) (n: i64) (m: i64) (seed: i64) : [n][m]t =
  tabulate_2d n m (\i j -> of ((i * 7 + j * 5 + seed) % 23 - 11))

def product 't [n] [m] [k] (add: t -> t -> t) (mul: t -> t -> t) (zero: t) (a: [n][m]t) (b: [m][k]t) : [n][k]t =
  map (\r -> map (\c -> reduce_comm add zero (map2 mul r c)) (transpose b)) a

def all 't (add: t -> t -> t) (mul: t -> t -> t) (of: i64 -> t) (n: i64) (m: i64) (k: i64) : [4][n][k]t =
  let mm [n] [m] [k] (a: [n][m]t) (b: [m][k]t) : [n][k]t = product add mul (of 0) a b
  let (a, b) = (opaque (matrix of n m 1), opaque (matrix of m k 2))
  let (at, bt) = (opaque (transpose a), opaque (transpose b))
  in [mm a b, mm (transpose at) b, mm a (transpose bt), mm (transpose at) (transpose bt)]

entry wrong (n: i64) (m: i64) (k: i64) : i64 =
  let is = all (+) (*) id n m k
  let count [r] [p] [q] (xs: [r][p][q]i64) =
    i64.sum (map2 (\x y -> i64.bool (x != y)) (flatten_3d xs) (flatten_3d (is :> [r][p][q]i64)))
  let fs = map (map (map i64.f64)) (all (+) (*) f64.i64 n m k)
  let gs = map (map (map i64.f32)) (all (+) (*) f32.i64 n m k)
  in count fs + count gs
