-- The example's objective and gradient on a problem small enough to check by hand: one component
-- in one dimension, one point, no prior weight: terms of a Gaussian.
-- ==
-- entry: both
-- input { [0.5] [[0.25]] [[0.0]] [[1.25]] } output { -2.612085713764618 [0.0] [[1.0]] [[-1.0]] }

import "../../examples/gmm"

entry both [n] [k] [d] (alpha: [k]f64) (mu: [k][d]f64) (q: [k][d]f64) (x: [n][d]f64) =
  let l = map (const []) alpha
  let g = gradient alpha mu q l x 1 0
  in (objective alpha mu q l x 1 0, g.0, g.1, g.2)
