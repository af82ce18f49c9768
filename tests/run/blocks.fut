-- Initial values that share a block: each state of a loop or scan gets its own.
-- ==
-- entry: twice
-- input { [[1,2,3],[4,5,6]] } output { [[1,2,3],[5,7,9]] [[2,4,6],[10,14,18]] }
-- ==
-- entry: beside
-- input { [1,2,3] } output { [5,3,4] [8,12,16] }
-- ==
-- entry: crossed
-- input { [1,2,3] } output { [6,9,12] [10,15,20] }
-- ==
-- entry: self
-- input { [[1,2],[3,4]] } output { [[4,6],[8,11]] }

-- The same neutral element twice.
entry twice [n] (xss: [n][3]i32) =
  let zero = replicate 3 0
  in unzip (scan (\(a, b) (c, d) -> (map2 (+) a c, map2 (+) b d)) (zero, zero)
                 (zip xss (map (map (* 2)) xss)))

-- The initial value of one state is read by the body of the loop.
entry beside [n] (xs: [n]i32) =
  let z = map (+ 1) xs
  in loop (p, q) = (copy z, copy z) for i < 3 do (p with [0] = i + p[0], map2 (+) q z)

entry crossed [n] (xs: [n]i32) =
  let z = map (+ 1) xs
  in loop (p, q) = (z, z) for _i < 3 do (q, map2 (+) q p)

-- The neutral element is a row of the input.
entry self [n] (xss: [n][2]i32) =
  let z = map (map (+ 1)) xss
  in scan (map2 (+)) z[0] z
