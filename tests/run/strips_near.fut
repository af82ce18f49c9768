-- | Long bodies over rows of three: access with a constant stride is in line in full strips.
-- ==
-- entry: reals singles wide narrow
-- input { 0i64 } output { [0.0, 0.0, 0.0] }
-- input { 8i64 } output { [947.0, 180.0, 180.0] }
-- input { 37i64 } output { [4474.0, 841.0, 706.0] }
-- input { 100i64 } output { [12026.0, 2310.0, 1894.0] }
def table : [12]i64 = [1, -2, 3, 5, -7, 4, 6, -1, 2, 8, -3, 9]

def rows 't (n: i64) (of: i64 -> t) : [n][3]t = tabulate_2d n 3 (\i j -> of ((i * 7 + j * 5) % 11 - 4))

-- The numbers are small, so that all four types compute the same.
def mixed 't (add: t -> t -> t) (mul: t -> t -> t) (most: t -> t -> t) (from: i64 -> t) (m: i64) (r: [3]t) : [3]t =
  let ps = map (\c -> let k = from c
                      in add (mul (most r[0] k) r[1]) (most (mul k r[2]) (add r[0] k))) table
  let qs = map (\c -> let k = from c in most (add r[2] k) (mul r[1] (most k r[0]))) table
  let end = loop x = ps[3] for i < m do add (most x r[1]) (add qs[7] (from i))
  in [reduce add (from 0) ps, reduce most (from (-9)) qs, end]

def total 't [n] (add: t -> t -> t) (zero: t) (rs: [n][3]t) : [3]t =
  map (reduce add zero) (transpose rs)

def all 't [n] (f: [3]t -> [3]t) (rs: [n][3]t) : [n][3]t =
  (opaque (map (map f) (opaque [rs, reverse rs])))[1]

entry reals (n: i64) : [3]f64 =
  rows n f64.i64 |> all (mixed (+) (*) f64.max f64.i64 (n % 3)) |> total (+) 0
entry singles (n: i64) : [3]f64 =
  rows n f32.i64 |> all (mixed (+) (*) f32.max f32.i64 (n % 3)) |> total (+) 0 |> map f64.f32
entry wide (n: i64) : [3]f64 =
  rows n id |> all (mixed (+) (*) i64.max id (n % 3)) |> total (+) 0 |> map f64.i64
entry narrow (n: i64) : [3]f64 =
  rows n i32.i64 |> all (mixed (+) (*) i32.max i32.i64 (n % 3)) |> total (+) 0 |> map f64.i32
