-- Small dense Jacobians by vertex elimination, against reverse mode.
def unit (n: i64) : [n][n]f64 = tabulate_2d n n (\i j -> if i == j then 1 else 0)
def close (x: f64) (y: f64) = x == y || f64.abs (x - y) <= 1e-11 * (1 + f64.abs x)
def agree [n] [m] (f: [n]f64 -> [m]f64) (x: [n]f64) : bool =
  let by_reverse = mjp f x (unit m)
  let rows = #[strategy(elimination)] mjp f x (unit m)
  let columns = #[strategy(elimination)] jmp f x (unit n)
  let one = #[strategy(elimination)] vjp f x (map f64.i64 (iota m))
  in and (map2 close (flatten by_reverse) (flatten rows))
     && and (map2 close (flatten by_reverse) (flatten (transpose columns)))
     && and (map2 close one (vjp f x (map f64.i64 (iota m))))

-- Straight lines, small maps, reductions, loops, branches, arrays from outside.
-- ==
-- entry: forms
-- input { [1.0, -2.0, 0.5] [3.0, 4.0, 5.0] } output { [true, true, true, true, true, true, true] }
-- input { [0.0, 0.0, 0.0] [3.0, 4.0, 5.0] } output { [true, true, true, true, true, true, true] }
entry forms (x: [3]f64) (w: [3]f64) : []bool =
  [agree (\(x: [3]f64) -> [x[0] * x[1] + x[2], f64.sin (x[0] * x[1]) * f64.exp x[2]]) x,
   agree (\(x: [3]f64) -> [f64.sum (map2 (*) x w), f64.product (map (+ 1) x)]) x,
   agree (\(x: [3]f64) -> loop y = x for i < 4 do map (\a -> a * y[i % 3] + w[i % 3]) y) x,
   agree (\(x: [3]f64) -> let r = f64.sum (map (\a -> a * a) x)
                         in if r != 0 then let s = f64.sqrt r
                                           in [f64.sin s * x[0] / s, f64.cos s, x[2]]
                         else [x[0], 1 - r / 2, x[2]]) x,
   agree (\(x: [3]f64) -> [f64.max x[0] x[1], f64.abs x[2] + x[0], f64.min x[1] 0]) x,
   agree (\(x: [3]f64) -> [x[0], x[0] + 1, 7, x[1] * x[1]]) x,
   agree (\(x: [3]f64) -> copy x with [1] = x[0] * x[2]) x]

-- Inside a map, and differentiated once more.
-- ==
-- entry: nested
-- input { [[1.0, -2.0], [0.5, 3.0]] } output { true true }
entry nested [n] (xs: [n][2]f64) : (bool, bool) =
  let f (x: [2]f64) : [2]f64 = [f64.sin (x[0] * x[1]) / (x[1] * x[1] + 1), x[0] * x[0] * x[1]]
  let blocks = map (\x -> #[strategy(elimination)] mjp f x (unit 2)) xs
  let twice g x = jvp (\x -> flatten (g x)) x [1, 2]
  let a = map (\x -> twice (\x -> #[strategy(elimination)] mjp f x (unit 2)) x) xs
  let b = map (\x -> twice (\x -> mjp f x (unit 2)) x) xs
  in (and (map (\x -> agree f x) xs) && length blocks == n, and (map2 close (flatten a) (flatten b)))

-- Tuples and scalars as arguments and results.
-- ==
-- entry: tuples
-- input { 2.0 [3.0, 4.0] } output { 42.0 [20.0, 4.0] 21.0 }
entry tuples (s: f64) (v: [2]f64) : (f64, [2]f64, f64) =
  let f (s: f64, v: [2]f64) = (s * s * v[0], s * v[1])
  let (ds, dv) = #[strategy(elimination)] vjp f (s, v) (3, 1.5)
  let (a, _) = #[strategy(elimination)] jvp f (s, v) (1, [2.25, 0])
  in (ds, map (\x -> f64.round (x * 5 / 3)) [dv[0], dv[1] * 0.8], a)
