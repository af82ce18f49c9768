-- lib/special: the derivatives of lgamma under their names.
-- ==
-- entry: main
-- input { 1.0 } output { -0.5772156649015329 1.6449340668482264 -2.4041138063191885 6.493939402266829 true }
-- input { 2.5 } output { 0.7031566406452432 0.4903577561002348 -0.2362040516417274 0.2239058488172521 true }
import "lib/special"
module special = mk_special f64
entry main (x: f64) =
  let near a b = f64.abs (a - b) < 1e-12
  in (special.digamma x, special.trigamma x, special.tetragamma x, special.polygamma x 3,
      near (special.digamma x) (vjp f64.lgamma x 1) && near (special.trigamma x) (jvp special.digamma x 1)
      && near (special.polygamma x 2) (special.tetragamma x))
