-- Loops, and derivatives of derivatives.
-- ==
-- entry: nothing_passed
-- input { 0.5 [1.0,2.0] } output { 1.0 [0.0,0.0] }
-- ==
-- entry: strips
-- input { [0i64,1i64,2i64,3i64,4i64,7i64,8i64,9i64,26i64,27i64,28i64,63i64,64i64,99i64,100i64,1000i64] }
-- output { true }
-- ==
-- entry: strips_in_place
-- input { [1.0,2.0,0.5,3.0,1.5] } output { [6.0,48.0,0.75,162.0,20.25] }
-- ==
-- entry: powers
-- input { 3i64 1.0 } output { 16.0 }
-- input { 0i64 1.0 } output { 1.0 }
-- ==
-- entry: in_place
-- input { [1.0,2.0,0.5] } output { [2.5,2.5,1.0] }
-- ==
-- entry: doubling
-- input { 3.0 } output { 64.0 }
-- ==
-- entry: only_written
-- input { [2.0,3.0,1.0,2.0] } output { [13.0,12.0,30.0,11.0] }
-- input { [2.0] } output { [1.0] }
-- input { empty([0]f64) } output { empty([0]f64) }
-- ==
-- entry: halving
-- input { [1.0,2.0,3.0,4.0] } output { [24.0,12.0,8.0,6.0] }
-- ==
-- entry: hessian_vector
-- input { 2.0 3.0 1.0 -1.0 } output { 2.0 -14.0 }
-- ==
-- entry: reverse_over_reverse
-- input { 1.0 } output { 80.0 }
-- ==
-- entry: branches
-- input { [2.0,3.0,5.0,7.0,1.0] [0i64,1i64,2i64,3i64,9i64] } output { [4.0,0.0,3650.0,3764.0,0.0] [4.0,0.0,3650.0,3764.0,0.0] }
-- input { [2.0,3.0,5.0,7.0,1.0] [2i64,0i64,0i64,3i64,2i64] } output { [8.0,1120176.0,0.0,0.0,10.0] [8.0,1120176.0,0.0,0.0,10.0] }
-- input { [2.0,3.0] [5i64,1i64] } output { [3.0,1.0] [3.0,1.0] }
-- input { empty([0]f64) empty([0]i64) } output { empty([0]f64) empty([0]f64) }

def f_powers (n: i64) (x: f64) = loop a = x for i < n do a * a + f64.i64 i
entry powers (n: i64) (x: f64) = vjp (f_powers n) x 1
entry in_place [n] (xs: [n]f64) =
  vjp (\(xs: [n]f64) ->
         let ys = loop ys = copy xs for i < n - 1 do
                    ys with [i + 1] = ys[i + 1] + 0.5 * ys[i] * ys[i]
         in ys[n - 1])
      xs 1
entry doubling (x: f64) = vjp (\x -> loop s = x while s < 100 do 2 * s) x 1
entry halving [n] (xs: [n]f64) =
  vjp (\(xs: [n]f64) ->
         let ys = loop (ys: []f64) = xs for _i < 2i64 do
                    let h = length ys / 2 in map2 (*) (take h ys) (drop h ys :> [h]f64)
         in ys[0])
      xs 1
def f_cubic (x: f64, y: f64) = x * x * y + y * y * y
entry hessian_vector (x: f64) (y: f64) (dx: f64) (dy: f64) =
  jvp (\p -> vjp f_cubic p 1) (x, y) (dx, dy)
entry reverse_over_reverse (x: f64) = vjp (\y -> vjp (f_powers 3) y 1) x 1

-- ys is no part of the states held, but goes through all iterations.
entry only_written [n] (xs: [n]f64) =
  let f (xs: [n]f64) =
    #[checkpoint(2)]
    loop (ys, t) = (copy xs, 1) for i < n do
      let t = xs[i] * t + 1 in (ys with [i] = t, t)
  in vjp (\xs -> (f xs).0) xs (replicate n 1)

-- Branches that write several times, once, or not at all; where and how often depends on data.
def chain [n] (ks: [n]i64) (xs: [n]f64) : [n]f64 =
  loop ys = copy xs for i < n do
    if ks[i] == 0
    then let ys[i] = ys[i] * ys[i]
         in ys with [(i + 1) % n] = 2 * ys[i]
    else if ks[i] == 1 then ys
    else if ks[i] < 4
    then loop ys for k < 2 do ys with [(i + k * ks[i]) % n] = ys[(i + k) % n] * ys[i]
    else ys with [i] = 3 * ys[i]
entry branches [n] (xs: [n]f64) (ks: [n]i64) : ([n]f64, [n]f64) =
  let unit i = tabulate n (\j -> f64.bool (i == j))
  in (vjp (chain ks) xs (replicate n 1),
      tabulate n (\i -> f64.sum (jvp (chain ks) xs (unit i))))
-- The loop that updates u passes no derivative on, but what it overwrites is wanted before it.
entry nothing_passed [n] (x: f64) (xs: [n]f64) =
  vjp (\(x: f64, xs: [n]f64) ->
         let u = map f64.cos xs
         let u = if 0 < n then u with [0] = f64.min u[0] x else u
         let v = loop u for _i < n do u with [0] = f64.min u[0] 0
         let larger (a, b) (c, d) = if a < c then (c, d) else (a, b)
         in x + (reduce larger (-f64.inf, 0) (zip v (replicate n 0))).1)
      (x, xs) 1
-- Loops in two, three and four levels: of n factors 1, whose product has the derivative n.
def strip_product (n: i64) (x: f64) : (f64, f64, f64) =
  (#[stripmine(2)] loop y = 1 for _i < n do y * x,
   #[stripmine(3)] loop y = 1 for _i < n do y * x,
   #[stripmine(4)] loop y = 1 for _i < n do y * x)
entry strips (ns: []i64) : bool =
  let is_count n = vjp (strip_product n) 1 (1, 0, 0) == f64.i64 n
                   && vjp (strip_product n) 1 (0, 1, 0) == f64.i64 n
                   && vjp (strip_product n) 1 (0, 0, 1) == f64.i64 n
  in all is_count ns
-- Each number to the power of three, in two steps, the second before the next number is reached.
entry strips_in_place [n] (xs: [n]f64) : [n]f64 =
  let cubes = \xs -> #[stripmine(2)] loop ys = copy xs for i < n do
                       let a = ys[i]
                       let ys = ys with [i] = a * a
                       in ys with [i] = ys[i] * a
  in vjp cubes xs (map (* 2) xs)
