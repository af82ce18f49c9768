-- Partial derivatives in both modes at ordinary and at special points: the rows of the operation
-- table where derivatives are easily wrong (ties, NaN, zero, jumps, clamps), and what carries none.
-- Each number stands there twice: by forward and by reverse mode.
-- ==
-- entry: arcs
-- input { 0.5 } output { [0.8, 0.8, 0.25464790894703254, 0.25464790894703254, 1.1547005383792515, 1.1547005383792515, 0.36755259694786137, 0.36755259694786137, -1.1547005383792515, -1.1547005383792515, -0.36755259694786137, -0.36755259694786137, 0.89442719099991588, 0.89442719099991588, 1.3333333333333333, 1.3333333333333333] }
-- input { -0.25 } output { [0.94117647058823529, 0.94117647058823529, 0.29958577523180298, 0.29958577523180298, 1.0327955589886445, 1.0327955589886445, 0.3287490368327999, 0.3287490368327999, -1.0327955589886445, -1.0327955589886445, -0.3287490368327999, -0.3287490368327999, 0.97014250014533189, 0.97014250014533189, 1.0666666666666667, 1.0666666666666667] }
-- ==
-- entry: angles
-- input { 0.25 } output { [0.96891242171064478, 0.96891242171064478, -0.24740395925452293, -0.24740395925452293, 1.0651994967328499, 1.0651994967328499, 2.2214414690791831, 2.2214414690791831, -2.2214414690791831, -2.2214414690791831, 6.2831853071795865, 6.2831853071795865] }
-- input { 0.0 } output { [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 3.1415926535897932, 3.1415926535897932, 0.0, 0.0, 3.1415926535897932, 3.1415926535897932] }
-- ==
-- entry: hyperbolic
-- input { 1.0 } output { [1.5430806348152438, 1.5430806348152438, 1.1752011936438015, 1.1752011936438015, 0.41997434161402607, 0.41997434161402607, 0.57735026918962576, 0.57735026918962576] }
-- ==
-- entry: exponentials
-- input { 2.0 } output { [7.3890560989306502, 7.3890560989306502, 2.7725887222397812, 2.7725887222397812, 230.25850929940457, 230.25850929940457, 7.3890560989306502, 7.3890560989306502, 0.5, 0.5, 0.7213475204444817, 0.7213475204444817, 0.21714724095162591, 0.21714724095162591, 0.33333333333333333, 0.33333333333333333] }
-- ==
-- entry: roots
-- input { 4.0 } output { [0.25, 0.25, -0.0625, -0.0625, 0.13228342099734996, 0.13228342099734996] }
-- ==
-- entry: roots_at_zero
-- input { 0.0 } output { [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
-- input { -0.0 } output { [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
-- ==
-- entry: jumps
-- input { 2.0 } output { [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
-- input { 2.5 } output { [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
-- ==
-- entry: errors
-- input { 0.5 } output { [0.87878257893544479, 0.87878257893544479, -0.87878257893544479, -0.87878257893544479] }
-- ==
-- entry: scaled
-- input { 1.5 } output { [8.0, 8.0, 0.25, 0.25, 4.0, 4.0, 2.0, 2.0] }
-- ==
-- entry: quadrant
-- input { 1.0 2.0 } output { [0.40000000000000002, 0.40000000000000002, -0.20000000000000001, -0.20000000000000001] }
-- input { 0.0 0.0 } output { [0.0, 0.0, 0.0, 0.0] }
-- input { 0.0 -1.0 } output { [-1.0, -1.0, 0.0, 0.0] }
-- input { -2.0 -1.0 } output { [-0.2, -0.2, 0.4, 0.4] }
-- input { 1e200 1e200 } output { [5.0e-201, 5.0e-201, -5.0e-201, -5.0e-201] }
-- ==
-- entry: quadrant_pi
-- input { 1.0 2.0 } output { [0.12732395447351627, 0.12732395447351627, -0.063661977236758134, -0.063661977236758134] }
-- input { 0.0 0.0 } output { [0.0, 0.0, 0.0, 0.0] }
-- ==
-- entry: signs
-- input { 2.0 -3.0 } output { [-1.0, -1.0, 0.0, 0.0] }
-- input { -2.0 -3.0 } output { [1.0, 1.0, 0.0, 0.0] }
-- input { -2.0 3.0 } output { [-1.0, -1.0, 0.0, 0.0] }
-- input { 0.0 1.0 } output { [0.0, 0.0, 0.0, 0.0] }
-- input { 2.0 -0.0 } output { [-1.0, -1.0, 0.0, 0.0] }
-- ==
-- entry: remainders
-- input { 7.0 3.0 } output { [1.0, 1.0, -2.0, -2.0] }
-- input { -7.0 3.0 } output { [1.0, 1.0, 2.0, 2.0] }
-- input { 7.5 -2.0 } output { [1.0, 1.0, 3.0, 3.0] }
-- input { 1.0 3.0 } output { [1.0, 1.0, 0.0, 0.0] }
-- ==
-- entry: least
-- input { 1.0 2.0 } output { [1.0, 1.0, 0.0, 0.0] }
-- input { 2.0 1.0 } output { [0.0, 0.0, 1.0, 1.0] }
-- input { 2.0 2.0 } output { [0.5, 0.5, 0.5, 0.5] }
-- input { 0.0 -0.0 } output { [0.5, 0.5, 0.5, 0.5] }
-- input { f64.inf f64.inf } output { [0.5, 0.5, 0.5, 0.5] }
-- input { f64.nan 2.0 } output { [0.0, 0.0, 1.0, 1.0] }
-- input { 2.0 f64.nan } output { [1.0, 1.0, 0.0, 0.0] }
-- ==
-- entry: greatest
-- input { 1.0 2.0 } output { [0.0, 0.0, 1.0, 1.0] }
-- input { 2.0 1.0 } output { [1.0, 1.0, 0.0, 0.0] }
-- input { 2.0 2.0 } output { [0.5, 0.5, 0.5, 0.5] }
-- input { 0.0 -0.0 } output { [0.5, 0.5, 0.5, 0.5] }
-- input { f64.inf f64.inf } output { [0.5, 0.5, 0.5, 0.5] }
-- input { f64.nan 2.0 } output { [0.0, 0.0, 1.0, 1.0] }
-- input { 2.0 f64.nan } output { [1.0, 1.0, 0.0, 0.0] }
-- ==
-- entry: powers
-- input { 2.0 3.0 } output { [12.0, 12.0, 5.5451774444795625, 5.5451774444795625] }
-- input { 0.0 0.0 } output { [0.0, 0.0, 0.0, 0.0] }
-- input { 0.0 1.0 } output { [1.0, 1.0, 0.0, 0.0] }
-- input { 0.0 0.5 } output { [0.0, 0.0, 0.0, 0.0] }
-- input { 0.0 2.0 } output { [0.0, 0.0, 0.0, 0.0] }
-- input { -2.0 3.0 } output { [12.0, 12.0, 0.0, 0.0] }
-- ==
-- entry: lengths
-- input { 3.0 4.0 } output { [0.59999999999999998, 0.59999999999999998, 0.80000000000000004, 0.80000000000000004] }
-- input { 0.0 0.0 } output { [0.0, 0.0, 0.0, 0.0] }
-- input { 0.0 -2.0 } output { [0.0, 0.0, -1.0, -1.0] }
-- input { 3e200 4e200 } output { [0.59999999999999998, 0.59999999999999998, 0.80000000000000004, 0.80000000000000004] }
-- ==
-- entry: quotients
-- input { 1.0 2.0 } output { [0.5, 0.5, -0.25, -0.25] }
-- input { 0.0 4.0 } output { [0.25, 0.25, 0.0, 0.0] }
-- ==
-- entry: neighbours
-- input { 1.0 2.0 } output { [1.0, 1.0, 0.0, 0.0] }

def both (f: f64 -> f64) (x: f64) = [jvp f x 1, vjp f x 1]
def both2 (f: (f64, f64) -> f64) (x: f64) (y: f64) =
  let (a, b) = vjp f (x, y) 1
  in [jvp f (x, y) (1, 0), a, jvp f (x, y) (0, 1), b]

entry arcs (x: f64) =
  both (\x -> f64.atan x) x
  ++ both (\x -> f64.atanpi x) x
  ++ both (\x -> f64.asin x) x
  ++ both (\x -> f64.asinpi x) x
  ++ both (\x -> f64.acos x) x
  ++ both (\x -> f64.acospi x) x
  ++ both (\x -> f64.asinh x) x
  ++ both (\x -> f64.atanh x) x
entry angles (x: f64) =
  both (\x -> f64.sin x) x
  ++ both (\x -> f64.cos x) x
  ++ both (\x -> f64.tan x) x
  ++ both (\x -> f64.sinpi x) x
  ++ both (\x -> f64.cospi x) x
  ++ both (\x -> f64.tanpi x) x
entry hyperbolic (x: f64) =
  both (\x -> f64.sinh x) x
  ++ both (\x -> f64.cosh x) x
  ++ both (\x -> f64.tanh x) x
  ++ both (\x -> f64.acosh (x + 1)) x
entry exponentials (x: f64) =
  both (\x -> f64.exp x) x
  ++ both (\x -> 2 ** x) x
  ++ both (\x -> 10 ** x) x
  ++ both (\x -> f64.exp x - 1) x
  ++ both (\x -> f64.log x) x
  ++ both (\x -> f64.log2 x) x
  ++ both (\x -> f64.log10 x) x
  ++ both (\x -> f64.log1p x) x
entry roots (x: f64) =
  both (\x -> f64.sqrt x) x
  ++ both (\x -> 1 / f64.sqrt x) x
  ++ both (\x -> f64.cbrt x) x
entry roots_at_zero (x: f64) =
  both (\x -> f64.sqrt x) x
  ++ both (\x -> f64.cbrt x) x
  ++ both (\x -> f64.abs x) x
entry jumps (x: f64) =
  both (\x -> f64.floor x) x
  ++ both (\x -> f64.ceil x) x
  ++ both (\x -> f64.round x) x
  ++ both (\x -> f64.trunc x) x
  ++ both (\x -> f64.sgn x) x
entry errors (x: f64) =
  both (\x -> f64.erf x) x
  ++ both (\x -> f64.erfc x) x
entry scaled (x: f64) =
  both (\x -> f64.ldexp x 3) x
  ++ both (\x -> f64.ldexp x (-2)) x
  ++ both (\x -> f64.mad x 3 x) x
  ++ both (\x -> f64.fma 2 x 1) x
entry quadrant (x: f64) (y: f64) = both2 (\(x, y) -> f64.atan2 x y) x y
entry quadrant_pi (x: f64) (y: f64) = both2 (\(x, y) -> f64.atan2pi x y) x y
entry signs (x: f64) (y: f64) = both2 (\(x, y) -> f64.copysign x y) x y
entry remainders (x: f64) (y: f64) = both2 (\(x, y) -> x % y) x y
entry least (x: f64) (y: f64) = both2 (\(x, y) -> f64.min x y) x y
entry greatest (x: f64) (y: f64) = both2 (\(x, y) -> f64.max x y) x y
entry powers (x: f64) (y: f64) = both2 (\(x, y) -> x ** y) x y
entry lengths (x: f64) (y: f64) = both2 (\(x, y) -> f64.hypot x y) x y
entry quotients (x: f64) (y: f64) = both2 (\(x, y) -> x / y) x y
entry neighbours (x: f64) (y: f64) = both2 (\(x, y) -> f64.nextafter x y) x y
