-- Functions that are called, not inlined, and give back parameters that they consume: the caller may
-- update the results.
-- ==
-- entry: down
-- input { [1, 2, 3] 2i64 } output { [1, 5, 6] [1, 5, 3] [1, 2, 3] }
def fill [n] (xs: *[n]i32) (k: i64) : *[n]i32 =
  if k == 0 then xs
  else let a = fill xs (k - 1)
       in a with [k % n] = a[k % n] + 3
entry down [n] (xs: [n]i32) (k: i64) : ([]i32, []i32, []i32) =
  (fill (copy xs) k, fill (copy xs) (k - 1), xs)

-- ==
-- entry: moves
-- input { [1, 2, 3] [4, 5, 6] 3i64 } output { [9, 11, 3] [4, 23, 7] }
def exchange [n] (xs: *[n]i32) (ys: *[n]i32) (k: i64) : (*[n]i32, *[n]i32) =
  if k == 0 then (xs, ys)
  else let (a, b) = exchange xs ys (k - 1)
       let a[k % n] = b[k % n] + a[0] * b[(k + 1) % n]
       in exchange b a (k - 2 |> i64.max 0)
entry moves [n] (xs: [n]i32) (ys: [n]i32) (k: i64) : ([]i32, []i32) =
  exchange (copy xs) (copy ys) k

-- ==
-- entry: either_way
-- input { [1, 2, 3] true } output { [1, 1, 3] [1, 2, 3] }
-- input { [1, 2, 3] false } output { [1, 2, 3] [1, 2, 3] }
#[noinline]
def given [n] (c: bool) (xs: *[n]i32) (ys: [n]i32) : (*[n]i32, i32) =
  if c then (xs with [0] = 1, ys[0]) else (xs, ys[1])
entry either_way [n] (xs: [n]i32) (c: bool) : ([]i32, []i32) =
  let (a, b) = given c (copy xs) xs
  in (a with [1] = b, xs)

-- ==
-- entry: gradients
-- input { [1.0, 2.0, 3.0] true } output { [4.0, 0.0, 6.0] }
-- input { [1.0, 2.0, 3.0] false } output { [2.0, 4.0, 6.0] }
#[noinline]
def either [n] (c: bool) (xs: *[n]f64) (ys: [n]f64) : (*[n]f64, f64) =
  if c then (xs with [1] = ys[0], ys[0]) else (xs, ys[1])
entry gradients [n] (xs: [n]f64) (c: bool) : []f64 =
  vjp (\xs -> let (a, b) = either c (copy xs) xs
              let a[1] = b + 0 * a[1]
              in f64.sum (map (** 2) a)) xs 1
