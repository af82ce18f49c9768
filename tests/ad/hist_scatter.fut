-- Histograms, scatters, in-place updates.
-- ==
-- entry: hist_sum
-- input { [0i64,2i64,0i64,7i64] [1.0,1.0,1.0] [1.0,2.0,3.0,4.0] }
-- output { [10.0,2.0,6.0] [10.0,6.0,10.0,0.0] }
-- ==
-- entry: hist_max
-- input { [0i64,1i64,1i64,1i64,-1i64] [5.0,0.0,0.0] [4.0,2.0,7.0,3.0,9.0] [1.0,2.0,3.0] }
-- output { [1.0,0.0,3.0] [0.0,0.0,2.0,0.0,0.0] }
-- ==
-- entry: hist_product
-- input { [0i64,0i64,1i64,1i64,1i64] [2.0,3.0,1.0] [1.0,6.0,1.0,1.0,5.0] [1.0,1.0,1.0] }
-- output { [0.0,0.0,1.0] [10.0,0.0,0.0,0.0,0.0] }
-- ==
-- entry: hist_general
-- input { [1i64,1i64,0i64] [0.0,1.0] [2.0,3.0,4.0] [1.0,1.0] } output { [5.0,12.0] [8.0,6.0,1.0] }
-- ==
-- entry: hist_bins_alone
-- input { [0i64,0i64,2i64] [3.0,16.0,14.0] [4.0,9.0,2.0] }
-- output { true [0.0,1.0,0.0] [0.0,0.0,0.0] }
-- input { [0i64,0i64,1i64] [3.0,1.0,16.0] [4.0,5.0,2.0] }
-- output { true [1.0,1.0,1.0] [1.0,1.0,1.0] }
-- ==
-- entry: hist_bins_elsewhere
-- input { [2.0] [1.5,2.5,3.5] } output { [2.0,0.0,0.0] [2.0,0.0,0.0] }
-- ==
-- entry: scattered
-- input { [3i64,-1i64,1i64] [9.0,9.0,9.0,9.0] [1.0,2.0,3.0] [1.0,2.0,3.0,4.0] }
-- output { [2.0,0.0,6.0,0.0] [4.0,0.0,2.0] }
-- ==
-- entry: scattered_twice
-- input { 5.0 } output { 15.0 3.0 }
-- ==
-- entry: update
-- input { [3.0,5.0] } output { [30.0,9.0] }
-- ==
-- entry: update_in_branch
-- input { true [2.0,3.0] } output { [36.0,30.0] }
-- input { false [2.0,3.0] } output { [4.0,0.0] }
-- ==
-- entry: update_in_loop_in_branch
-- input { [true,false] [[2.0,3.0,5.0],[7.0,8.0,9.0]] }
-- output { [[19.0,12.0,6.0],[0.0,1.0,1.0]] }

entry hist_sum [k] [n] (is: [n]i64) (dst: [k]f64) (vs: [n]f64) =
  vjp (\(dst: [k]f64, vs: [n]f64) ->
         f64.sum (map (\x -> x * x) (reduce_by_index (copy dst) (+) 0 is vs)))
      (dst, vs) 1
entry hist_max [k] [n] (is: [n]i64) (dst: [k]f64) (vs: [n]f64) (g: [k]f64) =
  vjp (\(dst: [k]f64, vs: [n]f64) -> reduce_by_index (copy dst) f64.max (-f64.inf) is vs)
      (dst, vs) g
entry hist_product [k] [n] (is: [n]i64) (dst: [k]f64) (vs: [n]f64) (g: [k]f64) =
  vjp (\(dst: [k]f64, vs: [n]f64) ->
         reduce_by_index (copy dst) (*) 1 is (map (\v -> v - 1) vs))
      (dst, vs) g
entry hist_general [k] [n] (is: [n]i64) (dst: [k]f64) (vs: [n]f64) (g: [k]f64) =
  vjp (\(dst: [k]f64, vs: [n]f64) ->
         reduce_by_index (copy dst) (\x y -> x + y + x * y) 0 is vs)
      (dst, vs) g
-- No value reaches a bin: it keeps what it was, also where adding zero would change that.
entry hist_bins_alone [k] [n] (is: [n]i64) (dst: [k]f64) (vs: [n]f64) =
  let add x y = if 15 - x < y then 15 else x + y
  let f (dst: [k]f64, vs: [n]f64) = reduce_by_index (copy dst) add 0 is vs
  let (ddst, dvs) = vjp f (dst, vs) (replicate k 1)
  let slope i = f64.sum (jvp f (dst, vs) (tabulate k (\j -> if i == j then 1 else 0), replicate n 0))
  in (and (map2 (==) ddst (map slope (iota k))), ddst, dvs)
-- Bins whose derivative goes to another component of the result: c to d.
entry hist_bins_elsewhere [k] [n] (vs: [n]f64) (dst: [k]f64) =
  let add (a, c, d) (a', c', d') = (a + a', c + c', d + d' + (c * a' + a * c'))
  let f (dst: [k]f64) =
    let bins = map (\c -> (0, c, 0)) dst
    in map (.2) (reduce_by_index bins add (0, 0, 0) (indices vs) (map (\v -> (v, v, v)) vs))
  in (jvp f dst (replicate k 1), vjp f dst (replicate k 1))
entry scattered [k] [n] (is: [n]i64) (xs: [k]f64) (vs: [n]f64) (g: [k]f64) =
  vjp (\(xs: [k]f64, vs: [n]f64) -> scatter (map (2 *) xs) is vs) (xs, vs) g
def f_twice (x: f64) = (scatter (replicate 2 0) [1i64, 1i64] [x, 3 * x])[1]
entry scattered_twice (x: f64) = (f_twice x, vjp f_twice x 1)
entry update [n] (xs: [n]f64) =
  vjp (\(xs: [n]f64) ->
         let a = xs[0] * xs[1]
         let ys = copy xs with [1] = a
         in ys[0] * ys[1])
      xs 1
entry update_in_branch (c: bool) (xs: [2]f64) =
  vjp (\(xs: [2]f64) ->
         let ys = copy xs
         let zs = if c then let z = ys[0] * ys[1] in ys with [0] = z else ys with [1] = 0
         in f64.sum (map (\z -> z * z) zs))
      xs 1
entry update_in_loop_in_branch [n] [m] (cs: [n]bool) (xss: [n][m]f64) =
  vjp (\(xss: [n][m]f64) ->
         map2 (\c xs ->
                 let ys = copy xs
                 in if c then loop ys for i < m - 1 do ys with [i + 1] = ys[i] * ys[i + 1]
                    else ys with [0] = 1)
              cs xss)
      xss (replicate n (replicate m 1))
