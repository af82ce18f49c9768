-- Products whose columns are copied to panels (imp/vector/panels.c): as many elements of the result
-- as given by a formula differ from it.
-- ==
-- entry: wrong wrong_of_two wrong_gradient wrong_of_left wrong_of_right wrong_of_both wrong_of_f32 wrong_of_shared wrong_weights wrong_of_swapped
-- compiled input { 65i64 130i64 133i64 } output { 0i64 }
-- compiled input { 32i64 128i64 128i64 } output { 0i64 }
-- compiled input { 71i64 1100i64 15i64 } output { 0i64 }
-- compiled input { 7i64 130i64 133i64 } output { 0i64 }
-- compiled input { 18i64 131i64 133i64 } output { 0i64 }
-- compiled input { 133i64 131i64 11i64 } output { 0i64 }
-- compiled input { 64i64 0i64 20000i64 } output { 0i64 }

def left n m = tabulate_2d n m (\i k -> f64.i64 (i + k))
def right m l = tabulate_2d m l (\k j -> f64.i64 (k - j))
-- sum over k of (i + k) (k - j)
def formula (m: i64) (i: i64) (j: i64) : f64 =
  let s1 = m * (m - 1) / 2
  let s2 = m * (m - 1) * (2 * m - 1) / 6
  in f64.i64 (s2 + (i - j) * s1 - m * i * j)

def product [n] [m] [l] (a: [n][m]f64) (b: [m][l]f64) : [n][l]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a

-- The product is whole before it is read: it would not be one if it were compared at once.
def differ [n] [l] (m: i64) (scale: f64) (product: [n][l]f64) : i64 =
  let c = opaque product
  let wrong = tabulate_2d n l (\i j -> i64.bool (c[i, j] != scale * formula m i j))
  in i64.sum (map i64.sum wrong)

entry wrong (n: i64) (m: i64) (l: i64) : i64 =
  differ m 1 (product (left n m) (right m l))

-- Two matrices are read by columns.
entry wrong_of_two (n: i64) (m: i64) (l: i64) : i64 =
  let b = right m l
  let c = map (map (* 2)) b
  let sums =
    map (\r -> map2 (\x y -> let (s, t) = reduce (\p q -> (p.0 + q.0, p.1 + q.1)) (0, 0)
                                            (map3 (\u v w -> (u * v, u * w)) r x y)
                             in s + t) (transpose b) (transpose c)) (left n m)
  in differ m 3 sums

-- The derivative in the right matrix' direction: the product is linear in it.
entry wrong_gradient (n: i64) (m: i64) (l: i64) : i64 =
  let a = left n m
  in differ m 1 (jvp (product a) (tabulate_2d m l (\_ _ -> 1)) (right m l))

-- Transposed operands: strips around rows, both of which are copied.
def transposed [n] [m] [l] (a: [m][n]f64) (b: [m][l]f64) : [n][l]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) (transpose a)

entry wrong_of_left (n: i64) (m: i64) (l: i64) : i64 =
  differ m 1 (transposed (tabulate_2d m n (\k i -> f64.i64 (i + k))) (right m l))

entry wrong_of_right (n: i64) (m: i64) (l: i64) : i64 =
  differ m 1 (map (\r -> map (\c -> f64.sum (map2 (*) r c)) (tabulate_2d l m (\j k -> f64.i64 (k - j))))
                  (left n m))

entry wrong_of_both (n: i64) (m: i64) (l: i64) : i64 =
  let b = tabulate_2d l m (\j k -> f64.i64 (k - j))
  let a = tabulate_2d m n (\k i -> f64.i64 (i + k))
  in differ m 1 (map (\r -> map (\c -> f64.sum (map2 (*) r c)) b) (transpose a))

-- Small numbers, as f32 holds no others: (i + k) % 5 and (k + 2 j) % 7.
def small_left (i: i64) (k: i64) = (i + k) % 5
def small_right (k: i64) (j: i64) = (k + 2 * j) % 7

entry wrong_of_f32 (n: i64) (m: i64) (l: i64) : i64 =
  let a = tabulate_2d m n (\k i -> f32.i64 (small_left i k))
  let b = tabulate_2d m l (\k j -> f32.i64 (small_right k j))
  let c = opaque (map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) (transpose a))
  let at i j = i64.sum (tabulate m (\k -> small_left i k * small_right k j))
  in i64.sum (flatten (tabulate_2d n l (\i j -> i64.bool (c[i, j] != f32.i64 (at i j)))))

-- Two products in one nest share the rows that they read.
entry wrong_of_shared (n: i64) (m: i64) (l: i64) : i64 =
  let a = tabulate_2d m n (\k i -> f64.i64 (i + k))
  let b = right m l
  let d = map (map (* 2)) b
  let c = map (\r -> map2 (\x y -> let (s, t) = reduce (\p q -> (p.0 + q.0, p.1 + q.1)) (0, 0)
                                                  (map3 (\u v w -> (u * v, u * w)) r x y)
                                   in s + t) (transpose b) (transpose d)) (transpose a)
  in differ m 3 c

-- A dense layer's gradient by its weights, a^T s.
entry wrong_weights (n: i64) (m: i64) (l: i64) : i64 =
  let a = tabulate_2d m n (\k i -> f64.i64 (i + k))
  in differ m 1 (vjp (product a) (tabulate_2d n l (\_ _ -> 0)) (right m l))

-- A transposed product is computed in the order of its result.
entry wrong_of_swapped (n: i64) (m: i64) (l: i64) : i64 =
  let a = left n m
  in differ m 1 (transpose (map (\c -> map (\r -> f64.sum (map2 (*) r c)) a) (transpose (right m l))))
