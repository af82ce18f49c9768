-- Loops by themselves beside loops in loops run as strips of two vectors, and end in scalar code;
-- absolute values in them, signed zeros and numbers that are none included.
-- ==
-- entry: beside
-- input { 0i64 3i64 } output { true }
-- input { 1i64 3i64 } output { true }
-- input { 3i64 1i64 } output { true }
-- input { 15i64 3i64 } output { true }
-- input { 16i64 3i64 } output { true }
-- input { 17i64 3i64 } output { true }
-- input { 33i64 0i64 } output { true }
-- input { 130i64 4i64 } output { true }
-- ==
-- entry: absolute
-- input { [0.0, -0.0, 1.5, -1.5, f64.inf, -f64.inf, f64.nan, 2.0, -3.0, 4.0, -5.0, 6.0, -7.0, 8.0,
--          -9.0, 10.0, -11.0, 12.0, -13.0, 14.0, -15.0, 16.0, -17.0, -18.0, -0.0, 20.0, 0.0,
--          -1e-310, 1e-310, 3.0, -2.0, -1.0, -4.0] }
-- output { 33i64 }
-- ==
-- entry: absolute32
-- input { [0.0f32, -0.0f32, 1.5f32, -1.5f32, f32.inf, -f32.inf, f32.nan, 2.0f32, -3.0f32, 4.0f32,
--          -5.0f32, 6.0f32, -7.0f32, 8.0f32, -9.0f32, 10.0f32, -11.0f32, 12.0f32, -13.0f32,
--          14.0f32, -15.0f32,
--          16.0f32, -17.0f32, -18.0f32, -0.0f32, 20.0f32, 0.0f32, -1e-40f32, 1e-40f32,
--          3.0f32, -2.0f32, -1.0f32, -4.0f32] }
-- output { 33i64 }
let near (x: f64) (y: f64) = f64.abs (x - y) <= 1e-12 * (1 + f64.abs y)
let value (i: i64) : f64 = f64.i64 ((i * 37) % 23) / 7 - 1.3

-- A sum, extrema and one nest; what calls of long functions outside loops give is what they give
-- inside.
entry beside (n: i64) (d: i64) : bool =
  let xs = tabulate n value
  let m = tabulate_2d n d (\i j -> value (i + 3 * j))
  let rows = map (\r -> f64.sum (map2 (*) r (tabulate d value))) m
  let sum = f64.sum (map (\x -> f64.exp (f64.abs x)) xs)
  let most = f64.maximum xs
  let least = f64.minimum (map f64.abs rows)
  let (sum', most') =
    loop (s, y) = (0, -f64.inf) for i < n do (s + f64.exp (f64.abs (value i)), f64.max y (value i))
  let least' =
    loop y = f64.inf for i < n do
      f64.min y (f64.abs (loop s = 0 for j < d do s + value (i + 3 * j) * value j))
  let logs = f64.log (1 + sum) + f64.sin sum
  in near sum sum' && most == most' && (n == 0 || near least least')
     && near logs (f64.log (1 + sum') + f64.sin sum')

-- How many bit patterns are right.
entry absolute [n] (xs: [n]f64) : i64 =
  let total = f64.sum (map f64.abs xs)
  let plain x = f64.to_bits x & 0x7fffffffffffffff
  let right x y = if f64.isnan x then f64.isnan y else f64.to_bits y == plain x
  in i64.sum (map i64.bool (map2 right xs (map (\x -> f64.abs x * 1) xs)))
     + (if f64.isnan total then 0 else 1)
entry absolute32 [n] (xs: [n]f32) : i64 =
  let total = f32.sum (map f32.abs xs)
  let right x y = if f32.isnan x then f32.isnan y else f32.to_bits y == (f32.to_bits x & 0x7fffffff)
  in i64.sum (map i64.bool (map2 right xs (map (\x -> f32.abs x * 1) xs)))
     + (if f32.isnan total then 0 else 1)
