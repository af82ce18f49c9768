-- Second-order array combinators.

-- | A function of every element.
#[inline]
def map 'a [n] 'x (f: a -> x) (as: [n]a) : *[n]x = intrinsics.map f as

-- | The same as `map`.
#[inline]
def map1 'a [n] 'x (f: a -> x) (as: [n]a) : *[n]x = intrinsics.map f as

-- | A function of the elements of two arrays, pair by pair.
#[inline]
def map2 'a 'b [n] 'x (f: a -> b -> x) (as: [n]a) (bs: [n]b) : *[n]x =
  intrinsics.map (\(a, b) -> f a b) (intrinsics.zip as bs)

-- | A function of the elements of three arrays.
#[inline]
def map3 'a 'b 'c [n] 'x (f: a -> b -> c -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) : *[n]x =
  intrinsics.map (\(a, (b, c)) -> f a b c) (intrinsics.zip as (intrinsics.zip bs cs))

-- | A function of the elements of four arrays.
#[inline]
def map4 'a 'b 'c 'd [n] 'x (f: a -> b -> c -> d -> x)
    (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) : *[n]x =
  intrinsics.map (\((a, b), (c, d)) -> f a b c d)
    (intrinsics.zip (intrinsics.zip as bs) (intrinsics.zip cs ds))

-- | A function of the elements of five arrays.
#[inline]
def map5 'a 'b 'c 'd 'e [n] 'x (f: a -> b -> c -> d -> e -> x)
    (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e) : *[n]x =
  intrinsics.map (\(((a, b), (c, d)), e) -> f a b c d e)
    (intrinsics.zip (intrinsics.zip (intrinsics.zip as bs) (intrinsics.zip cs ds)) es)

-- | Combine all elements with an associative operator whose neutral element is given.
#[inline]
def reduce [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : a = intrinsics.reduce op ne as

-- | A reduction whose operator is commutative as well.
#[inline]
def reduce_comm [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : a = intrinsics.reduce_comm op ne as

-- | Inclusive prefix reductions.
#[inline]
def scan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : *[n]a = intrinsics.scan op ne as

-- | Exclusive prefix reductions: the first result is the neutral element.
#[inline]
def exscan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : *[n]a =
  let sums = intrinsics.scan op ne as
  in intrinsics.map (\i -> if i == 0 then ne else sums[i - 1]) (0..1..<n)

-- | Whether every element has the property.
#[inline]
def all [n] 'a (f: a -> bool) (as: [n]a) : bool =
  intrinsics.reduce_comm (\x y -> x && y) true (intrinsics.map f as)

-- | Whether one element has the property.
#[inline]
def any [n] 'a (f: a -> bool) (as: [n]a) : bool =
  intrinsics.reduce_comm (\x y -> x || y) false (intrinsics.map f as)

-- | Combine values into the cells their indices name; indices out of range are ignored.
#[inline]
def reduce_by_index 'a [k] [n] (dest: *[k]a) (f: a -> a -> a) (ne: a) (is: [n]i64) (as: [n]a)
    : *[k]a =
  intrinsics.hist_1d 1 dest f ne is as

-- | A generalised histogram of k cells.
#[inline]
def hist 'a [n] (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (as: [n]a) : *[k]a =
  intrinsics.hist_1d 1 (intrinsics.replicate k ne) op ne is as

-- The position of a cell in the flattened array, or -1 where a coordinate is out of range.
local
#[inline]
def flat_cell_2d (n: i64) (m: i64) (i: i64, j: i64) : i64 =
  if 0 <= i && i < n && 0 <= j && j < m then i * m + j else -1

local
#[inline]
def flat_cell_3d (n: i64) (m: i64) (l: i64) (i: i64, j: i64, k: i64) : i64 =
  if 0 <= i && i < n && 0 <= j && j < m && 0 <= k && k < l then (i * m + j) * l + k else -1

-- | As `reduce_by_index`, into a matrix by pairs of indices.
def reduce_by_index_2d 'a [k] [n] [m] (dest: *[k][m]a) (f: a -> a -> a) (ne: a)
    (is: [n](i64, i64)) (as: [n]a) : *[k][m]a =
  let cells = intrinsics.map (flat_cell_2d k m) is
  in intrinsics.unflatten k m (intrinsics.hist_1d 1 (intrinsics.flatten dest) f ne cells as)

-- | As `reduce_by_index`, into three dimensions by triples of indices.
def reduce_by_index_3d 'a [k] [n] [m] [l] (dest: *[k][m][l]a) (f: a -> a -> a) (ne: a)
    (is: [n](i64, i64, i64)) (as: [n]a) : *[k][m][l]a =
  let cells = intrinsics.map (flat_cell_3d k m l) is
  let flat = intrinsics.flatten (intrinsics.flatten dest)
  let done = intrinsics.hist_1d 1 flat f ne cells as
  in intrinsics.unflatten k m (intrinsics.unflatten (k * m) l done)

-- | Write values at indices; indices out of range are ignored.
#[inline]
def scatter 't [k] [n] (dest: *[k]t) (is: [n]i64) (vs: [n]t) : *[k]t =
  intrinsics.scatter dest is vs

-- | An array of `k` times `x` but for the values at their indices.
#[inline]
def spread 't [n] (k: i64) (x: t) (is: [n]i64) (vs: [n]t) : *[k]t =
  intrinsics.scatter (intrinsics.replicate k x) is vs

-- | As `scatter`, into a matrix by pairs of indices.
def scatter_2d 't [k] [n] [l] (dest: *[k][n]t) (is: [l](i64, i64)) (vs: [l]t) : *[k][n]t =
  let cells = intrinsics.map (flat_cell_2d k n) is
  in intrinsics.unflatten k n (intrinsics.scatter (intrinsics.flatten dest) cells vs)

-- | As `scatter`, into three dimensions by triples of indices.
def scatter_3d 't [k] [n] [o] [l] (dest: *[k][n][o]t) (is: [l](i64, i64, i64)) (vs: [l]t)
    : *[k][n][o]t =
  let cells = intrinsics.map (flat_cell_3d k n o) is
  let flat = intrinsics.flatten (intrinsics.flatten dest)
  in intrinsics.unflatten k n (intrinsics.unflatten (k * n) o (intrinsics.scatter flat cells vs))

-- Inclusive prefix counts of true.
local
#[inline]
def count_true [n] (flags: [n]bool) : *[n]i64 =
  intrinsics.scan (\x y -> intrinsics.add x y) 0i64
    (intrinsics.map (\b -> if b then 1i64 else 0i64) flags)

local
#[inline]
def last_or_zero [n] (counts: [n]i64) : i64 = if n == 0 then 0 else counts[n - 1]

-- | The elements that satisfy the predicate, in order.
#[inline]
def filter [n] 'a (p: a -> bool) (as: [n]a) : *[]a =
  let flags = intrinsics.map p as
  let counts = count_true flags
  let m = last_or_zero counts
  let places =
    intrinsics.map (\(b, c) -> if b then c - 1 else -1) (intrinsics.zip flags counts)
  in intrinsics.scatter (intrinsics.scratch m as) places as

-- | The elements that satisfy the predicate, and the others, each in order.
#[inline]
def partition [n] 'a (p: a -> bool) (as: [n]a) : ?[k].([k]a, [n - k]a) =
  let flags = intrinsics.map p as
  let counts = count_true flags
  let m = last_or_zero counts
  let places =
    intrinsics.map (\(i, (b, c)) -> if b then c - 1 else m + i - c)
      (intrinsics.zip (0..1..<n) (intrinsics.zip flags counts))
  let both = intrinsics.scatter (intrinsics.scratch n as) places as
  in (both[:m], both[m:n])

-- | Three parts: where p1 holds, where only p2 holds, and the rest.
#[inline]
def partition2 [n] 'a (p1: a -> bool) (p2: a -> bool) (as: [n]a)
    : ?[k][l].([k]a, [l]a, [n - k - l]a) =
  let class = intrinsics.map (\a -> if p1 a then 0i8 else if p2 a then 1i8 else 2i8) as
  let firsts = count_true (intrinsics.map (\c -> c == 0i8) class)
  let seconds = count_true (intrinsics.map (\c -> c == 1i8) class)
  let k = last_or_zero firsts
  let l = last_or_zero seconds
  let place (i: i64, (c: i8, (a: i64, b: i64))) : i64 =
    if c == 0i8 then a - 1 else if c == 1i8 then k + b - 1 else k + l + i - a - b
  let places =
    intrinsics.map place
      (intrinsics.zip (0..1..<n) (intrinsics.zip class (intrinsics.zip firsts seconds)))
  let parts = intrinsics.scatter (intrinsics.scratch n as) places as
  in (parts[:k], parts[k:k + l] :> [l]a, parts[k + l:n] :> [n - k - l]a)

local
#[inline]
def length_of [n] 't (_: [n]t) : i64 = n

-- Where each segment starts, from the segment sizes.
local
#[inline]
def segment_offsets [n] (sizes: [n]i64) : *[n]i64 =
  exscan (\x y -> intrinsics.add x y) 0i64 sizes

-- | Map to arrays of any lengths and lay the results end to end.  Gives the segment sizes, a flag
-- at each segment's first element, the segment offsets, the elements, and the extra results.
def flatmap [n] 'a 'b 'c (f: a -> ?[k].([k]b, c)) (as: [n]a)
    : ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c) =
  let (sizes, extras) =
    intrinsics.unzip (intrinsics.map (\a -> let (bs, c) = f a in (length_of bs, c)) as)
  let offsets = segment_offsets sizes
  let m = if n == 0 then 0 else offsets[n - 1] + sizes[n - 1]
  let starts =
    intrinsics.map (\(s, o) -> if s == 0 then -1 else o) (intrinsics.zip sizes offsets)
  let flags =
    intrinsics.scatter (intrinsics.replicate m false) starts (intrinsics.replicate n true)
  let rows = if n == 0 then [] else let (bs, _) = f as[0] in bs[0:0]
  let data =
    loop data = intrinsics.scratch m rows
    for i < n do
      let (bs, _) = f as[i]
      let o = offsets[i]
      in data with [o:o + length_of bs] = bs
  in (sizes, flags, offsets, data, extras)

-- | The same, without extra results.
def flatmap' [n] 'a 'b (f: a -> ?[k].[k]b) (as: [n]a) : ?[m].([n]i64, [m]bool, [n]i64, [m]b) =
  let (sizes, flags, offsets, data, _) = flatmap (\a -> (f a, ())) as
  in (sizes, flags, offsets, data)
