-- Arrays: sizes, parts, building and reshaping.
open import "zip"

-- | The number of elements.
#[inline]
def length [n] 't (_: [n]t) : i64 = n

-- | Whether there are no elements.
#[inline]
def null [n] 't (_: [n]t) : bool = n == 0

-- | The first element; there must be one.
#[inline]
def head [n] 't (x: [n]t) : t = x[0]

-- | The last element; there must be one.
#[inline]
def last [n] 't (x: [n]t) : t = x[n - 1]

-- | All elements but the first.
#[inline]
def tail [n] 't (x: [n]t) : [n - 1]t = x[1:]

-- | All elements but the last.
#[inline]
def init [n] 't (x: [n]t) : [n - 1]t = x[0:n - 1]

-- | The first `i` elements.
#[inline]
def take [n] 't (i: i64) (x: [n]t) : [i]t = x[0:i]

-- | All but the first `i` elements.
#[inline]
def drop [n] 't (i: i64) (x: [n]t) : [n - i]t = x[i:]

-- | The same array under another name for its size; checked at run time.
#[inline]
def sized [m] 't (n: i64) (xs: [m]t) : [n]t = xs :> [n]t

-- | Two parts, whose sizes come from the context.
#[inline]
def split [n] [m] 't (xs: [n + m]t) : ([n]t, [m]t) = (xs[0:n], xs[n:n + m] :> [m]t)

-- | The elements in opposite order.
#[inline]
def reverse [n] 't (x: [n]t) : [n]t = x[::-1]

-- | One array after the other.
#[inline]
def (++) [n] [m] 't (xs: [n]t) (ys: [m]t) : *[n + m]t = intrinsics.concat xs ys

-- | One array after the other, as a function with a name.
#[inline]
def concat [n] [m] 't (xs: [n]t) (ys: [m]t) : *[n + m]t = intrinsics.concat xs ys

-- | The numbers from 0 below `n`.
#[inline]
def iota (n: i64) : *[n]i64 = 0..1..<n

-- | The indices of an array.
#[inline]
def indices [n] 't (_: [n]t) : *[n]i64 = 0..1..<n

-- | Rotate left; the amount may be negative or larger than the array.
#[inline]
def rotate [n] 't (r: i64) (a: [n]t) =
  let k = if n == 0 then 0 else r % n
  in intrinsics.concat a[k:n] a[0:k] :> [n]t

-- | `n` times the same value.
#[inline]
def replicate 't (n: i64) (x: t) : *[n]t = intrinsics.replicate n x

-- | As many copies as the context asks for.
#[inline]
def rep 't [n] (x: t) : *[n]t = intrinsics.replicate n x

-- | A fresh copy, which may be updated in place.
#[inline]
def copy '~t (a: t) : *t = intrinsics.manifest a

-- | A fresh copy laid out in memory row by row.
#[inline]
def manifest '~t (a: t) : *t = intrinsics.manifest a

-- | The rows one after the other.
#[inline]
def flatten [n] [m] 't (xs: [n][m]t) : [n * m]t = intrinsics.flatten xs

-- | All elements of three dimensions one after the other.
#[inline]
def flatten_3d [n] [m] [l] 't (xs: [n][m][l]t) : [n * m * l]t =
  intrinsics.flatten (intrinsics.flatten xs)

-- | All elements of four dimensions one after the other.
#[inline]
def flatten_4d [n] [m] [l] [k] 't (xs: [n][m][l][k]t) : [n * m * l * k]t =
  intrinsics.flatten (intrinsics.flatten (intrinsics.flatten xs))

-- | The elements as rows, whose number and length the context says.
#[inline]
def unflatten 't [n] [m] (xs: [n * m]t) : [n][m]t = intrinsics.unflatten n m xs

-- | The elements as an array of three dimensions.
#[inline]
def unflatten_3d 't [n] [m] [l] (xs: [n * m * l]t) : [n][m][l]t =
  intrinsics.unflatten n m (intrinsics.unflatten (n * m) l xs)

-- | The elements as an array of four dimensions.
#[inline]
def unflatten_4d 't [n] [m] [l] [k] (xs: [n * m * l * k]t) : [n][m][l][k]t =
  intrinsics.unflatten n m (intrinsics.unflatten (n * m) l (intrinsics.unflatten (n * m * l) k xs))

-- | Rows and columns exchanged.
#[inline]
def transpose [n] [m] 't (a: [n][m]t) : [m][n]t = intrinsics.transpose a

-- | Whether all are true.
#[inline]
def and [n] (xs: [n]bool) : bool = intrinsics.reduce_comm (\x y -> x && y) true xs

-- | Whether one is true.
#[inline]
def or [n] (xs: [n]bool) : bool = intrinsics.reduce_comm (\x y -> x || y) false xs

-- | Fold from the left, in order.
#[inline]
def foldl [n] 'a 'b (f: a -> b -> a) (acc: a) (bs: [n]b) : a =
  loop acc for b in bs do f acc b

-- | Fold from the right, in order.
#[inline]
def foldr [n] 'a 'b (f: b -> a -> a) (acc: a) (bs: [n]b) : a =
  foldl (\x y -> f y x) acc (reverse bs)

-- | The values of a function at 0, 1, .. below `n`.
#[inline]
def tabulate 'a (n: i64) (f: i64 -> a) : *[n]a = intrinsics.map f (0..1..<n)

-- | The values of a function at all pairs of indices.
#[inline]
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a) : *[n][m]a =
  intrinsics.map (\i -> intrinsics.map (f i) (0..1..<m)) (0..1..<n)

-- | The values of a function at all triples of indices.
#[inline]
def tabulate_3d 'a (n: i64) (m: i64) (o: i64) (f: i64 -> i64 -> i64 -> a) : *[n][m][o]a =
  intrinsics.map (\i -> intrinsics.map (\j -> intrinsics.map (f i j) (0..1..<o)) (0..1..<m))
    (0..1..<n)
