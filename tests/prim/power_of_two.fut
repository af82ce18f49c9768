-- Of a tree to which add_function.sh has added f64.power_of_two: interpreted, compiled, in vectors,
-- in reductions, loops and branches, and both derivatives, against `2 ** x`.
def ln2 = f64.log 2
def close (a: f64) (b: f64) = f64.abs (a - b) <= 1e-12 * f64.max 1 (f64.abs b)
def some (n: i64) = tabulate n (\i -> f64.i64 i / 7 - 20)
def all_close [n] (xs: [n]f64) (ys: [n]f64) = and (map2 close xs ys)

-- ==
-- entry: value
-- input { 3.0 } output { 8.0 }
-- input { -1.0 } output { 0.5 }
entry value (x: f64) = f64.power_of_two x

-- ==
-- entry: types
-- input { 3.0f32 } output { 8.0f32 8.0f16 }
entry types (x: f32) = (f32.power_of_two x, f16.power_of_two (f16.f32 x))

-- ==
-- entry: in_map in_sum in_loop in_branch
-- input { 1i64 } output { true }
-- input { 301i64 } output { true }
entry in_map (n: i64) = all_close (map f64.power_of_two (some n)) (map (2 **) (some n))
entry in_sum (n: i64) =
  close (f64.sum (map f64.power_of_two (some n))) (f64.sum (map (2 **) (some n)))
entry in_loop (n: i64) =
  let go f = loop s = 0.5 for i < n do 0.25 * f (f64.sin (s + f64.i64 i))
  in close (go f64.power_of_two) (go (2 **))
entry in_branch (n: i64) =
  let go f = map (\x -> if x > 0 then f x else x) (some n)
  in all_close (go f64.power_of_two) (go (2 **))

-- ==
-- entry: forward reverse second
-- input { 1i64 } output { true }
-- input { 301i64 } output { true }
entry forward (n: i64) =
  all_close (map (\x -> jvp f64.power_of_two x 1) (some n)) (map (\x -> ln2 * 2 ** x) (some n))
entry reverse (n: i64) =
  all_close (vjp (\xs -> f64.sum (map f64.power_of_two xs)) (some n) 1)
            (map (\x -> ln2 * 2 ** x) (some n))
entry second (n: i64) =
  all_close (map (\x -> jvp (\y -> vjp f64.power_of_two y 1) x 1) (some n))
            (map (\x -> ln2 * ln2 * 2 ** x) (some n))

entry gradient [n] (xs: [n]f64) = f64.sum (map (\x -> f64.power_of_two (f64.sin x)) xs)
