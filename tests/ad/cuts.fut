-- Bits, indices, sizes and trip numbers have no derivative, what they are made of may: simplified
-- before it is differentiated, a program must not become one that passes it on; nor lose it where a
-- number is known.  Each number stands there twice, by forward and by reverse mode.
-- ==
-- entry: bits
-- input { 5u64 3i64 } output { [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64] }
-- ==
-- entry: ties
-- input { 2i64 2i64 } output { [3i64, 3i64, 100i64, 100i64] }
-- input { 2i64 1i64 } output { [103i64, 103i64, 0i64, 0i64] }
-- ==
-- entry: clamped_twice
-- input { 0i64 } output { [0i64, 0i64] }
-- input { 1i64 } output { [1i64, 1i64] }
-- ==
-- entry: counts
-- input { -2i64 } output { [0i64, 0i64] }
-- input { 3i64 } output { [0i64, 0i64] }
-- ==
-- entry: asserted
-- input { 3i64 } output { [2i64, 2i64] }
-- ==
-- entry: trips
-- input { 4i64 } output { [0i64, 0i64, 0i64, 0i64] }
-- ==
-- entry: sizes_asked
-- input { 5i64 } output { [1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 5i64, 5i64, 0i64, 0i64] }
-- ==
-- entry: truths
-- input { true } output { [false, false, true, true] }

def both (f: i64 -> i64) (x: i64) : []i64 = [jvp f x 1, vjp f x 1]

entry bits (x: u64) (y: i64) =
  let unsigned = \f -> [i64.u64 (jvp f x 1), i64.u64 (vjp f x 1)]
  in unsigned (\x -> x & x) ++ unsigned (\x -> x | x) ++ unsigned (\x -> x ^ 0)
     ++ both (\y -> y & y) y ++ both (\y -> y | 0) y ++ both (\y -> y ^ 0) y

entry ties (x: i64) (y: i64) =
  let f = \(x, y) -> 3 * i64.max x y + 100 * i64.max y x
  let (a, b) = vjp f (x, y) 1
  in [jvp f (x, y) (1, 0), a, jvp f (x, y) (0, 1), b]

entry clamped_twice (x: i64) =
  both (\x -> let y = i64.max x 0 in i64.max 0 y) x

entry counts (x: i64) =
  both (\x -> (iota 9)[i64.max 0 (i64.min x 8)]) x

entry asserted (x: i64) =
  both (\x -> let y = assert (x == 3) x in 2 * y) x

entry trips (n: i64) =
  both (\n -> loop s = 0 for _i < n do s + 2) n ++ both (\n -> i64.sum (replicate n 1)) n

-- A size is the number it was made of, through calls, branches and loops; that of a filter counts.
def size [k] (_xs: [k]i64) = k
#[noinline]
def upto (n: i64) = iota n
#[noinline]
def size_beside [k] (xs: [k]i64) = k + xs[0]

entry sizes_asked (n: i64) =
  both (\n -> size_beside (iota n)) n ++ both (\n -> size (upto n)) n
     ++ both (\n -> size (if n > 3 then iota n else iota (n + 1))) n
     ++ both (\n -> size (loop xs = [1] for _i < n do xs ++ iota n)) n
     ++ both (\n -> size (filter (< n) (iota 9))) n

entry truths (x: bool) =
  let both = \f -> [jvp f x true, vjp f x true]
  in both (\x -> x == true) ++ both (\x -> !(!x))
