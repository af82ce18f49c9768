-- Operators that check what they combine: a statement of theirs binds nothing.
-- ==
-- entry: sum bins
-- input { 9.0 [1.0, 2.0, 0.5] } output { [1.0, 1.0, 1.0] }
-- ==
-- entry: most
-- input { 9.0 [1.0, 2.0, 0.5] } output { [0.0, 1.0, 0.0] }
-- ==
-- entry: pair
-- input { 9.0 [1.0, 2.0, 0.5] } output { [2.0, 1.5, 3.0] }
-- ==
-- entry: rows
-- input { 9.0 [1.0, 2.0, 0.5] } output { [2.0, 2.0, 2.0] }
-- ==
-- entry: scanned
-- input { 9.0 [1.0, 2.0, 0.5] } output { [3.0, 2.0, 1.0] }
-- ==
-- entry: forward
-- input { 9.0 [1.0, 2.0, 0.5] } output { 3.5 }
-- input { 3.0 [1.0, 2.0, 0.5] } error: Assertion is false: a \+ b < k

entry sum [n] (k: f64) (xs: [n]f64) =
  vjp (reduce (\a b -> assert (a + b < k) (a + b)) 0) xs 1
entry most [n] (k: f64) (xs: [n]f64) =
  vjp (reduce (\a b -> assert (a < k) (f64.max a b)) (-1)) xs 1
entry pair [n] (k: f64) (xs: [n]f64) =
  vjp (\xs -> let (a, b) = reduce (\(a, b) (c, d) -> assert (a < k) (a * c, b + d)) (1, 0)
                                  (zip xs xs)
              in a + b) xs 1
entry rows [n] (k: f64) (xs: [n]f64) =
  vjp (\xs -> f64.sum (reduce (map2 (\a b -> assert (a < k) (a + b))) [0, 0]
                              (map (\x -> [x, x]) xs))) xs 1
entry scanned [n] (k: f64) (xs: [n]f64) =
  vjp (\xs -> f64.sum (scan (\a b -> assert (a + b < k) (a + b)) 0 xs)) xs 1
entry bins [n] (k: f64) (xs: [n]f64) =
  vjp (\xs -> f64.sum (hist (\a b -> assert (a + b < k) (a + b)) 0 3 (map (% 3) (iota n)) xs)) xs 1
entry forward [n] (k: f64) (xs: [n]f64) =
  jvp (reduce (\a b -> assert (a + b < k) (a + b)) 0) xs xs
