-- max y x gives equal numbers to y, the later one, in both modes; alone, by column, in bins.
-- ==
-- entry: reduced binned
-- input { [1.0,7.0,7.0,2.0] } output { [0.0,0.0,1.0,0.0] [0.0,0.0,1.0,0.0] }
-- input { [3.0,3.0,3.0,3.0] } output { [0.0,0.0,0.0,1.0] [0.0,0.0,0.0,1.0] }
-- ==
-- entry: columns
-- input { [1i64,7i64,7i64] } output { [0i64,0i64,1i64] [0i64,0i64,1i64] }
def both [n] (f: [n]f64 -> f64) (xs: [n]f64) =
  (vjp f xs 1, tabulate n (\i -> jvp f xs (tabulate n (\j -> f64.bool (i == j)))))
entry reduced [n] (xs: [n]f64) = both (reduce (\x y -> f64.max y x) (-f64.inf)) xs
entry binned [n] (xs: [n]f64) =
  both (\xs -> (reduce_by_index [-f64.inf] (\x y -> f64.max y x) (-f64.inf) (replicate n 0) xs)[0]) xs
entry columns [n] (xs: [n]i64) =
  let f xs = (reduce (map2 (\x y -> i64.max y x)) [i64.lowest] (map (\x -> [x]) xs))[0]
  in (vjp f xs 1, tabulate n (\i -> jvp f xs (tabulate n (\j -> i64.bool (i == j)))))
