-- Sizes of an entry point that inference or a pattern shows in its parameters.
-- ==
-- entry: scale
-- input { [1.0, 2.0] 3.0 } output { [3.0, 6.0] }
-- ==
-- entry: area
-- input { 2i64 3i64 } output { 204i64 }

type grid [w] [h] = {cells: [w][h]i64}
type~ any_grid = grid [] []

entry scale [n] xs k : [n]f64 = map (* k) xs

entry make (n: i64) (m: i64) : any_grid = {cells = tabulate_2d n m (\i j -> i * 10 + j)}

entry size [h] [w] ({cells = cells: [w][h]i64}: any_grid) = cells[0, 1] + w * 100 + h

entry area n m = size (make n m)
