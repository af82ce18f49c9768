-- Calls that update what they consume in place, wherever it lies (mem/facts.c).

def mark [n] (a: *[n]i64) (lo: i64) (hi: i64) : *[n]i64 =
  if hi - lo < 1 then a
  else if hi - lo == 1 then a with [lo] = a[lo] + hi
  else let m = (lo + hi) / 2
       let a = mark a lo m
       let a = mark a m hi
       in a with [lo] = a[lo] + 100 * (hi - lo)

-- A copy, a constant, a replicate, an iota.
-- ==
-- entry: blocks
-- input { [5i64, 6i64, 7i64] } output { [306i64, 208i64, 10i64] [301i64, 202i64, 3i64] [301i64, 203i64, 5i64] 3i64 }
entry blocks [n] (x: [n]i64) =
  let zero = replicate n 0i64
  in (mark (copy x) 0 n, mark zero 0 n, mark (iota n) 0 n, (mark [1, 2, 3] 1 2)[1] - 1)

-- Rows of a map, slices and columns of an array.
-- ==
-- entry: parts
-- input { [[1i64, 2i64], [3i64, 4i64]] }
-- output { [[202i64, 4i64], [204i64, 6i64]] [[202i64, 4i64], [3i64, 4i64]] [[202i64, 2i64], [5i64, 4i64]] }
entry parts [n][m] (x: [n][m]i64) =
  let rows = map (\r -> mark (copy r) 0 m) x
  let a = copy x
  let a[0] = mark (copy a[0]) 0 m
  let b = copy x
  let c = mark (copy b[:, 0]) 0 n
  in (rows, a, b with [:, 0] = c)

-- Loops, branches, two arrays that change places, a result that is another array.
def both [n] (k: i64) (a: *[n]i64) (b: *[n]i64) : (*[n]i64, *[n]i64) =
  if k == 0 then (a, b)
  else let (b, a) = both (k - 1) b a
       in (a with [k % n] = b[k % n] + 1, b)
def other [n] (k: i64) (a: *[n]i64) : *[n]i64 =
  if k == 0 then map (+ 1) a
  else let r = other (k - 1) (a with [0] = k) in r with [n - 1] = r[0] + k
-- ==
-- entry: control
-- input { [1i64, 2i64, 3i64] [7i64, 8i64, 9i64] 3i64 }
-- output { [305i64, 406i64, 12i64] [8i64, 9i64, 3i64] [7i64, 8i64, 4i64] [2i64, 3i64, 5i64] [208i64, 10i64, 9i64] }
entry control [n] (x: [n]i64) (y: [n]i64) (k: i64) =
  let l = loop a = copy x for i < k do mark (a with [0] = a[0] + i) i n
  let (p, q) = both k (copy x) (copy y)
  let c = if k > 2 then mark (copy y) 0 2 else copy y
  in (l, p, q, other k (copy x), c)

-- An entry point is called from outside and by itself.
-- ==
-- entry: down
-- input { [1i64, 2i64, 3i64] 2i64 } output { [1i64, 7i64, 8i64] }
entry down [n] (a: *[n]i64) (i: i64) : *[n]i64 =
  if i == 0 then a else let b = down (a with [i] = a[i] + 5) (i - 1) in b
