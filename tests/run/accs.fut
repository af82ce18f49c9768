-- Two-dimensional scatters and histograms, flattened updates, streams of accumulator writes.
-- ==
-- entry: grid
-- input { [0i64,1i64] [1i64,0i64] [5,6] } output { [[0,5],[6,0]] }
-- ==
-- entry: sums
-- input { [0i64,1i64,0i64] [1,2,3] } output { [4,2] }

entry grid [n] (is: [n]i64) (js: [n]i64) (vs: [n]i32) =
  scatter_2d (replicate 2 (replicate 2 0)) (zip is js) vs
entry sums [n] (is: [n]i64) (vs: [n]i32) = hist (+) 0 2 is vs
