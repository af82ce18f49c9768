-- What many threads add to few places by atomic operations: integers, of every width; floats in any order.
-- ==
-- entry: integers
-- input { 3i64 20011i64 } auto output
-- input { 19000i64 20011i64 } auto output
-- input { 5i64 0i64 } auto output
-- ==
-- entry: narrow
-- input { 3i64 20011i64 } auto output
-- input { 19000i64 20011i64 } auto output
-- ==
-- entry: floats
-- input { 3i64 20011i64 } auto output
-- input { 19000i64 20011i64 } auto output

def keys (k: i64) (n: i64) = map (\i -> (i * i * 7919 + i * 31) % (k + 2)) (iota n)
def values (n: i64) = map (\i -> (i * 6364136223846793005 + 1442695040888963407) ^ (i << 33)) (iota n)

-- The least and the most of a type, carries from one half of a number into the other.
def all_of 't (k: i64) (n: i64) (of: i64 -> t) (zero: t) (ones: t) (least: t) (most: t)
    (ops: ((t -> t -> t), (t -> t -> t), (t -> t -> t), (t -> t -> t), (t -> t -> t), (t -> t -> t))) =
  let (is, vs) = (keys k n, map of (values n))
  let (add, and, or, xor, min, max) = ops
  in (hist add zero k is vs, hist and ones k is vs, hist or zero k is vs, hist xor zero k is vs,
      hist min most k is vs, hist max least k is vs)

entry integers (k: i64) (n: i64) =
  (all_of k n i32.i64 0 (-1) i32.lowest i32.highest
     ((+), (i32.&), (i32.|), (i32.^), i32.min, i32.max),
   all_of k n id 0 (-1) i64.lowest i64.highest
     ((+), (i64.&), (i64.|), (i64.^), i64.min, i64.max),
   all_of k n u32.i64 0 u32.highest u32.lowest u32.highest
     ((+), (u32.&), (u32.|), (u32.^), u32.min, u32.max),
   all_of k n u64.i64 0 u64.highest u64.lowest u64.highest
     ((+), (u64.&), (u64.|), (u64.^), u64.min, u64.max))

-- In copies.
entry narrow (k: i64) (n: i64) =
  (all_of k n i8.i64 0 (-1) i8.lowest i8.highest ((+), (i8.&), (i8.|), (i8.^), i8.min, i8.max),
   all_of k n u16.i64 0 u16.highest u16.lowest u16.highest
     ((+), (u16.&), (u16.|), (u16.^), u16.min, u16.max),
   hist (||) false k (keys k n) (map (> 0) (values n)),
   hist (*) 1i64 k (keys k n) (values n))

-- Sums of small integers and products of powers of two are exact in any order.
entry floats (k: i64) (n: i64) =
  let is = keys k n
  let vs = map (\v -> f64.i64 (v % 1000) + 0.5) (values n)
  let ps = map (\v -> if v % 2 == 0 then 2f64 else 0.5) (values n)
  in (hist (+) 0 k is vs, hist f64.min f64.inf k is vs, hist f64.max (-f64.inf) k is vs,
      hist (*) 1 k is ps,
      hist (+) 0 k is (map f32.f64 vs), hist f32.min f32.inf k is (map f32.f64 vs),
      hist f32.max (-f32.inf) k is (map f32.f64 vs), hist (*) 1 k is (map f32.f64 ps))
