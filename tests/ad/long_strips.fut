-- | Return code of a stencil whose cells hold nine numbers: long strips that read and write with a
-- stride and at indices that go round. Forward and reverse mode agree.
-- ==
-- entry: modes_agree
-- input { 3i64 20i64 3i64 } output { true }
-- input { 2i64 16i64 2i64 } output { true }
-- input { 4i64 7i64 2i64 } output { true }
-- input { 2i64 53i64 1i64 } output { true }
import "../../bench/ad/lattice"

entry modes_agree (h: i64) (w: i64) (steps: i64) : bool =
  let s = state h w
  let direction = tabulate_3d h w 9 (\y x i -> f64.i64 ((y * 31 + x * 17 + i * 7) % 23) - 11)
  let forward = jvp (run steps) s direction
  let products = map2 (*) (flatten_3d (vjp (run steps) s 1)) (flatten_3d direction)
  in f64.abs (f64.sum products - forward) < 1e-12 * f64.sum (map f64.abs products)
