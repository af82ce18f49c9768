-- Derivatives to second order against each other and against differences; for the other files here.

def unit (n: i64) (i: i64) : [n]f64 = tabulate n (\j -> f64.bool (i == j))

-- Whether a and b agree within t of the largest number in either (or 1).
def near [m] (t: f64) (a: [m]f64) (b: [m]f64) : bool =
  let size = f64.maximum ([1] ++ map f64.abs a ++ map f64.abs b)
  in and (map2 (\a b -> f64.abs (a - b) <= t * size) a b)

def largest [m] (a: [m]f64) (b: [m]f64) : f64 = f64.maximum (map2 (\a b -> f64.abs (a - b)) a b)

-- 0 if all agree.  Digits say what does not: 1 forward and reverse mode, 2 reverse mode and
-- differences, 3 forward over reverse and forward over forward mode, 4 that and differences.
def second [n] (f: [n]f64 -> f64) (x: [n]f64) : i64 =
  let reverse x = vjp f x 1
  let forward x = tabulate n (\i -> jvp f x (unit n i))
  let step i s = map2 (\x u -> x + s * u * 1e-4 * (1 + f64.abs x)) x (unit n i)
  -- Central differences of two widths, extrapolated.
  let slope i (g: [n]f64 -> [n]f64) : [n]f64 =
    let d s = map2 (\a b -> (a - b) / ((step i s)[i] - (step i (-s))[i]))
                   (g (step i s)) (g (step i (-s)))
    in map2 (\a b -> (4 * a - b) / 3) (d 0.5) (d 1)
  let g = reverse x
  let h = tabulate n (\i -> jvp reverse x (unit n i))
  let same t a b = near t (flatten a) (flatten b)
  let value x = let v = f x in replicate n v
  let first = tabulate n (\i -> (slope i value)[i])
  let faults = [near 1e-9 g (forward x), near 1e-7 g first,
                same 1e-8 h (tabulate n (\i -> jvp forward x (unit n i))),
                same 1e-6 h (tabulate n (\i -> slope i reverse))]
  in loop code = 0i64 for i < 4 do if faults[i] then code else code * 10 + i + 1

-- The same for second derivatives in reverse over reverse mode.
def second_reverse [n] (f: [n]f64 -> f64) (x: [n]f64) : bool =
  let reverse x = vjp f x 1
  let rows g = flatten (tabulate n g)
  in near 1e-8 (rows (\i -> jvp reverse x (unit n i))) (rows (\i -> vjp reverse x (unit n i)))
