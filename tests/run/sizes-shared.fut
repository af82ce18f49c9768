-- Size parameters that only the type of a function argument shows, in functions that are not copied to
-- their calls.
-- ==
-- input { 2i64 [1.0, 2.0] } output { 15.0 7.0 7i64 3i64 5i64 9i64 }

#[noinline]
def over [n] [m] (f: [n]f64 -> [m]f64) (x: [n]f64) : f64 = f64.i64 m + f64.sum (f x)

#[noinline]
def total [m] (_f: i64 -> [m]f64) : i64 = m

-- The size goes on to another such function.
#[noinline]
def onwards [m] (f: i64 -> [m]f64) : i64 = total f + total (\i -> f i ++ [1.0]) - 2

entry main (n: i64) (x: []f64) =
  let k = n * n + 1
  let f (v: []f64) : [k]f64 = map (\i -> v[0] * f64.i64 i) (iota k)
  let l = k + 2
  let g (i: i64) : [l]f64 = map (\j -> f64.i64 (i * j)) (iota l)
  in (over f x, over (\v -> map (+ 1) v) x, total g, total (\i -> replicate 3 (f64.i64 i)),
      total (\i -> replicate 5 (f64.i64 i)), onwards (\i -> replicate k (f64.i64 i)))
