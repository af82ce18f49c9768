-- Special points: what a mask or a branch keeps out stays out; norms and roots at zero; and safe
-- products lose no second derivative where the first is zero.
-- ==
-- entry: prefix_masked
-- input { [1.0, 2.0, 1000.0, 3.0] [1.0, 1.0, 0.0, 0.0] }
-- output { [1.2689414213699951, 0.7310585786300049, 0.0, 0.0] }
-- ==
-- entry: norm
-- input { [0.0, 0.0] [1.0, 1.0] } output { [0.0, 0.0] 0.0 }
-- input { [3.0, 4.0] [1.0, 0.0] } output { [0.6, 0.8] 0.6 }
-- ==
-- entry: roots
-- input { 0.0 } output { 0.0 0.0 0.0 0.0 }
-- ==
-- entry: masked
-- input { [0.0, 1.0] }
-- output { [0.0, 0.5] [0.0, 1.0] [0.0, -1.0] [0.0, 1.0] [0.0, 1.5] }
-- input { [-1.0] } output { [0.0] [0.0] [0.0] [0.0] [0.0] }
-- ==
-- entry: masked_forward
-- input { [0.0, 1.0] }
-- output { [0.0, 0.5] [0.0, 1.0] [0.0, -1.0] [0.0, 1.0] [0.0, 1.5] }
-- input { [-1.0] } output { [0.0] [0.0] [0.0] [0.0] [0.0] }
-- ==
-- entry: edges
-- input { 1.0 } output { [0.0, 0.0, 0.0, 0.0] }
-- ==
-- entry: overflow
-- input { [800.0, 1.0] } output { [0.0, 2.718281828459045] }
-- ==
-- entry: factor
-- input { -1.0 5.0 } output { 0.0 0.0 }
-- ==
-- entry: poles
-- input { 0.0 } output { f64.inf -f64.inf }
-- ==
-- entry: curvature
-- input { 1.0 } output { 0.5 0.5 0.5 0.5 }
-- ==
-- entry: curvature_log
-- input { 1.0 } output { 2.0 2.0 2.0 2.0 }
-- ==
-- entry: untaken
-- input { 2.0 [-f64.inf, 0.5, f64.inf] } output { 1.5 1.5 }
-- input { 2.0 [f64.nan] } output { 0.0 0.0 }
-- ==
-- entry: weighted_logs
-- input { [0.0, 1.0, 2.0] [1.0, 2.0, 4.0] }
-- output { [0.0, 2.0, 2.0] [0.0, 0.0, 0.6931471805599453] }

def square (x: f64) = x * x
def length_of [n] (xs: [n]f64) = f64.sqrt (f64.sum (map square xs))
entry norm [n] (xs: [n]f64) (dx: [n]f64) = (vjp length_of xs 1, jvp length_of xs dx)

entry roots (x: f64) = (vjp f64.sqrt x 1, jvp f64.sqrt x 1, vjp f64.cbrt x 1, jvp f64.cbrt x 1)

-- The value is computed, then not taken.
def only_positive (f: f64 -> f64) (x: f64) = let y = f x in if x > 0 then y else 0
def functions 'a (d: (f64 -> f64) -> a) =
  (d (only_positive f64.sqrt), d (only_positive f64.log), d (only_positive (\x -> 1 / x)),
   d (only_positive (\x -> x * f64.log x)), d (only_positive (\x -> x ** 1.5)))
entry masked [n] (xs: [n]f64) = functions (\f -> vjp (map f) xs (map (const 1) xs))
entry masked_forward [n] (xs: [n]f64) = functions (\f -> jvp (map f) xs (map (const 1) xs))

entry edges (x: f64) =
  let inside f x = let y = f x in if x < 1 then y else 0
  in [vjp (inside f64.asin) x 1, vjp (inside f64.acos) x 1, vjp (inside f64.atanh) x 1,
      vjp (inside (\x -> f64.log (1 - x))) x 1]

entry overflow [n] (xs: [n]f64) =
  vjp (map (\x -> let y = f64.exp x in if x < 700 then y else 0)) xs (map (const 1) xs)

-- The factor's partial is the NaN of the root.
entry factor (x: f64) (w: f64) =
  vjp (\(x, w) -> let y = w * f64.sqrt x in if x > 0 then y else 0) (x, w) 1

-- What nothing masks is as IEEE says.
entry poles (x: f64) = (vjp f64.log x 1, vjp (\x -> 1 / x) x 1)

def all_orders (f: f64 -> f64) (x: f64) =
  (jvp (\x -> jvp f x 1) x 1, jvp (\x -> vjp f x 1) x 1, vjp (\x -> jvp f x 1) x 1,
   vjp (\x -> vjp f x 1) x 1)
entry curvature = all_orders (\x -> square (f64.sqrt x - 1))
entry curvature_log = all_orders (\x -> square (f64.log x))

-- Prefixes of a sum in logarithms, of which only those before an overflow are wanted.
entry prefix_masked [n] (xs: [n]f64) (g: [n]f64) =
  vjp (scan (\x y -> f64.log (f64.exp x + f64.exp y)) (-f64.inf)) xs g

-- A product in a branch that is not taken, of a number that came as infinite or not a number: the
-- gradient, and the gradient of a gradient.
def finite_sum [n] (bs: [n]f64) (x: f64) =
  f64.sum (map (\b -> if f64.abs b < 1e3 then x * b else if b < 1e3 then x else 0) bs)
entry untaken [n] (x: f64) (bs: [n]f64) =
  (vjp (finite_sum bs) x 1, vjp (\x -> vjp (\y -> finite_sum bs (x * y)) 1 1) x 1)

-- A logarithm computed for all, and used for some.
entry weighted_logs [n] (xs: [n]f64) (ws: [n]f64) =
  let logs = map f64.log xs
  let f (ls, ws) = f64.sum (map3 (\x l w -> if x > 0 then l * w else 0) xs ls ws)
  let (_, dws) = vjp f (logs, ws) 1
  in (vjp (\xs -> f64.sum (map3 (\x l w -> if x > 0 then l * w else 0) xs (map f64.log xs) ws)) xs 1, dws)

-- Missing data, and sums that overflow: what a mask keeps out adds nothing, whatever the operation; in one map,
-- over several, in loops, through filter and scatter, and in second derivatives.
-- ==
-- entry: missing
-- input { [1.0, 2.0, 5.0] [3.0, f64.nan, 4.0] }
-- output { [-4.0, 0.0, 2.0] [-4.0, 0.0, 2.0] [-4.0, 0.0, 2.0] [-4.0, 0.0, 2.0] [-4.0, 0.0, 2.0] }
-- input { [1.0, 2.0, 5.0] [3.0, f64.inf, 4.0] }
-- output { [-4.0, 0.0, 2.0] [-4.0, 0.0, 2.0] [-4.0, 0.0, 2.0] [-4.0, 0.0, 2.0] [-4.0, 0.0, 2.0] }
-- ==
-- entry: missing_shared
-- input { 1.0 [3.0, f64.nan, f64.inf, 4.0] } output { -10.0 4.0 -10.0 4.0 }
-- ==
-- entry: beyond
-- input { 1e70 [1e-80, 1e80] } output { 4e130 0.0 }
-- ==
-- entry: no_angle
-- input { [1.0, 2.0] [0.5, f64.inf] } output { [0.0707372016677029, 0.0] }
def finite (x: f64) = !(f64.isnan x) && !(f64.isinf x)
entry missing [n] (xs: [n]f64) (ds: [n]f64) =
  let kept = map finite ds
  let where k r = if k then r else 0
  let residuals xs = map2 (\x d -> square (x - d)) xs ds
  let one xs = f64.sum (map3 (\k x d -> let r = square (x - d) in where k r) kept xs ds)
  let several xs = f64.sum (map2 where kept (residuals xs))
  let steps xs = loop s = 0 for i < n do let r = square (xs[i] - ds[i]) in if kept[i] then s + r else s
  let filtered xs = f64.sum (filter finite (residuals xs))
  let scattered xs =
    f64.sum (scatter (replicate n 0) (map2 (\k i -> if k then i else -1) kept (iota n)) (residuals xs))
  in (vjp one xs 1, vjp several xs 1, vjp steps xs 1, vjp filtered xs 1, vjp scattered xs 1)
entry missing_shared [n] (x: f64) (ds: [n]f64) =
  let f x = let rs = map (\d -> square (x - d)) ds
            in f64.sum (map2 (\d r -> if finite d then r else 0) ds rs)
  in (vjp f x 1, jvp (\x -> vjp f x 1) x 1, jvp f x 1, vjp (\x -> vjp f x 1) x 1)
entry beyond [n] (x: f64) (ds: [n]f64) =
  let f d x = let y = x * x * x * x * d in if y < 1e300 then y else 0
  in (vjp (f ds[0]) x 1, vjp (f ds[1]) x 1)
entry no_angle [n] (xs: [n]f64) (ds: [n]f64) =
  let f xs = f64.sum (map2 (\d y -> if finite d then y else 0) ds (map2 (\x d -> f64.sin (x + d)) xs ds))
  in vjp f xs 1

-- What histograms leave out, and second derivatives in reverse mode twice.
-- ==
-- entry: left_out
-- input { [1.0, 2.0, 5.0] [3.0, f64.nan, 4.0] }
-- output { [-4.0, 0.0, 2.0] [-4.0, 0.0, 8.0] [-4.0, 0.0, 2.0] [2.0, 0.0, 2.0] [2.0, 0.0, 2.0] }
-- input { [1.0, 2.0, 5.0] [3.0, f64.inf, 4.0] }
-- output { [-4.0, 0.0, 2.0] [-4.0, 0.0, 8.0] [-4.0, 0.0, 2.0] [2.0, 0.0, 2.0] [2.0, 0.0, 2.0] }
entry left_out [n] (xs: [n]f64) (ds: [n]f64) =
  let residuals xs = map2 (\x d -> square (x - d)) xs ds
  let bins = map2 (\d i -> if finite d then i else -1) ds (iota n)
  let sums xs = f64.sum (hist (+) 0 n bins (residuals xs))
  let products xs = let h = hist (*) 1 n bins (residuals xs) in h[0] + 4 * h[2] + h[1]
  let least xs = f64.sum (map (f64.min 100) (hist f64.min f64.inf n bins (residuals xs)))
  let chosen xs = f64.sum (map2 (\d r -> if finite d then r else 0) ds (residuals xs))
  let twice f = vjp (\xs -> vjp f xs 1) xs (replicate n 1)
  in (vjp sums xs 1, vjp products xs 1, vjp least xs 1, twice sums, twice chosen)

-- Seeds that are zero, at poles of operations that have no other edge.
-- ==
-- entry: unseeded
-- input { 0.5 0.0 } output { 0.0 0.0 [0.0, 0.0] [0.0, 0.0] }
entry unseeded (x: f64) (y: f64) =
  let pair d = let (dx, dy) = d in [dx, dy]
  in (vjp f64.tanpi x 0, jvp f64.tanpi x y, pair (vjp (\(x, y) -> x % y) (x, y) 0),
      [jvp (\(x, y) -> x % y) (x, y) (y, y), vjp (x %) y 0])

-- What comes of infinite numbers and is finite again: what saturates or chooses keeps their derivatives
-- out in both modes, in second derivatives, too.
-- ==
-- entry: saturated
-- input { 0.0 }
-- output { [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
-- ==
-- entry: logistic
-- input { -1000.0 } output { 0.0 0.0 0.0 0.0 0.0 0.0 }
-- input { 1000.0 } output { 0.0 0.0 0.0 0.0 0.0 0.0 }
-- input { 0.0 } output { 0.25 0.25 0.0 0.0 0.0 0.0 }
-- ==
-- entry: soft_minimum
-- input { 0.5 [1.0, f64.inf, 1.0] } output { -0.6931471805599453 -0.6931471805599453 0.0 }
-- ==
-- entry: chosen_seeds
-- input { 1.0 2.0 f64.inf } output { f64.inf 0.0 0.0 f64.inf 0.0 }
def both 'a (d: (f64 -> f64) -> a) =
  (d (\x -> f64.min (1 / x) 10), d (\x -> f64.max 0 (f64.log x)), d (\x -> f64.exp (-1 / x)),
   d (\x -> f64.tanh (1 / x)), d (\x -> f64.atan (1 / x)), d (\x -> 1 / (1 + 1 / (x * x))),
   d (\x -> 1 / (1 + f64.exp (1 / x))), d (\x -> f64.erf (f64.log x)))
def listed (a, b, c, d, e, f, g, h) : [8]f64 = [a, b, c, d, e, f, g, h]
entry saturated (x: f64) = (listed (both (\f -> vjp f x 1)), listed (both (\f -> jvp f x 1)))

def sigmoid (x: f64) = 1 / (1 + f64.exp (-x))
entry logistic (x: f64) =
  let (a, b, c, d) = all_orders sigmoid x
  in (vjp sigmoid x 1, jvp sigmoid x 1, a, b, c, d)

def soft_min [n] (g: f64) (xs: [n]f64) : f64 =
  let m = f64.minimum xs
  in m - g * f64.log (f64.sum (map (\x -> f64.exp ((m - x) / g)) xs))
entry soft_minimum [n] (g: f64) (xs: [n]f64) =
  let f g = soft_min g xs
  in (vjp f g 1, jvp f g 1, jvp (\g -> vjp f g 1) g 1)

-- An infinite derivative goes where it is chosen only.
entry chosen_seeds (x: f64) (y: f64) (s: f64) =
  let (a, b) = vjp (\(x, y) -> f64.min x y) (x, y) s
  let (c, d) = vjp (\(x, y) -> f64.max x y) (x, y) s
  in (a, b, c, d, jvp (\(x, y) -> f64.max x y) (x, y) (s, 0))
