-- Functions that call themselves last: loops (opt/tail.c).

-- A consumed parameter, updated in every call and given back.
def fill [n] (a: *[n]f64) (i: i64) : *[n]f64 = if i == n then a else fill (a with [i] = a[i] + 1) (i + 1)
-- ==
-- entry: filled
-- input { [1.0, 2.0, 3.0] } output { 9.0 }
entry filled [n] (x: [n]f64) = f64.sum (fill (copy x) 0)

-- Deeper than any stack.
def up (n: i64) (s: i64) : i64 = if n == 0 then s else up (n - 1) (s + 1)
-- ==
-- entry: counted
-- input { 3000000i64 } output { 3000000i64 }
entry counted (n: i64) = up n 0

-- Calls under nested branches, several bases, of which one needs what the path computes.
def find [n] (xs: [n]i64) (x: i64) (lo: i64) (hi: i64) : i64 =
  if hi <= lo then -1
  else let m = (lo + hi) / 2
       in if xs[m] == x then m else if xs[m] < x then find xs x (m + 1) hi else find xs x lo m
-- ==
-- entry: finds
-- input { [1i64, 3i64, 5i64, 7i64, 9i64] } output { [0i64, -1i64, 1i64, 4i64, -1i64] }
entry finds [n] (xs: [n]i64) = map (\x -> find xs x 0 n) [1, 2, 3, 9, 10]

-- The base consumes, and the path consumes before the base is known.
def marks [n] (a: *[n]i32) (i: i64) : (i64, *[n]i32) =
  let a = a with [i] = 1
  let j = (i * 2 + 1) % n
  in if a[j] == 1 then (j, a with [0] = 7) else marks a j
-- ==
-- entry: marked
-- input { [0, 0, 0, 0, 0, 0, 0] } output { 0i64 [7, 1, 0, 1, 0, 0, 0] }
entry marked (a: *[]i32) = marks a 0

-- The path consumes and nobody needs the array after it.
def walk [n] (a: *[n]i64) (i: i64) (s: i64) : i64 =
  let x = a[i]
  let a = a with [i] = -1
  in if x < 0 then s else walk a x (s + x)
-- ==
-- entry: walked
-- input { [3i64, 0i64, 1i64, 2i64] } output { 6i64 }
entry walked (a: *[]i64) = walk a 0 0

-- Arrays made anew, of other sizes in every call.
def halves [n] (xs: [n]f64) (d: i64) : f64 =
  if n <= 1 then f64.sum xs * f64.i64 d
  else halves (map2 (+) (take (n / 2) xs) (take (n / 2) (drop 1 xs) :> [n / 2]f64)) (d + 1)
-- ==
-- entry: halved
-- input { [1.0, 2.0, 3.0, 4.0] } output { 16.0 }
entry halved [n] (xs: [n]f64) = halves xs 0

-- Slices are passed on as they are, not copied: this stays a function.
def total [n] (xs: [n]f64) (s: f64) : f64 = if n == 0 then s else total (drop 1 xs) (s + xs[0])
-- ==
-- entry: totalled
-- input { [1.0, 2.0, 3.0] } output { 6.0 }
entry totalled [n] (xs: [n]f64) = total xs 0

-- Parameters that change places.
def fib (n: i64) (a: f64) (b: f64) : f64 = if n == 0 then a else fib (n - 1) b (a + b)
def pingpong [n] (k: i64) (a: *[n]f64) (b: *[n]f64) : (*[n]f64, *[n]f64) =
  if k == 0 then (a, b) else pingpong (k - 1) b (a with [k % n] = b[0] + f64.i64 k)
-- ==
-- entry: exchanged
-- input { [1.0, 2.0] [3.0, 4.0] } output { 55.0 [3.0, 4.0] [1.0, 4.0] }
entry exchanged [n] (a: *[n]f64) (b: *[n]f64) =
  let (a, b) = pingpong 5 a b in (fib 10 0 1, a, b)

-- A call that fails inside says so.
-- ==
-- entry: outside
-- input { [1i64, 9i64] } error: out of bounds
entry outside (a: []i64) =
  find a 5 9 12

-- Some calls stand last, others do not.
def ack (m: i64) (n: i64) : i64 =
  if m == 0 then n + 1 else if n == 0 then ack (m - 1) 1 else ack (m - 1) (ack m (n - 1))
-- ==
-- entry: ackermann
-- input { 2i64 3i64 } output { 9i64 }
entry ackermann (m: i64) (n: i64) = ack m n

-- The function's size results change.
def grow [n] (xs: [n]i32) (k: i64) : []i32 = if k == 0 then xs else grow (xs ++ xs) (k - 1)
-- ==
-- entry: grown
-- input { [1, 2] 2i64 } output { [1, 2, 1, 2, 1, 2, 1, 2] }
entry grown (xs: []i32) (k: i64) = grow xs k
