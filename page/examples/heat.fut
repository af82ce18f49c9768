-- Heat on a rod, steps forward in time; how far the ends are from a wanted temperature.
def spread [n] (c: f64) (u: [n]f64) : [n]f64 =
  map (\i -> if i == 0 || i == n - 1 then u[i]
             else u[i] + c * (u[i - 1] - 2 * u[i] + u[i + 1])) (iota n)

entry miss [n] (c: f64) (steps: i64) (start: [n]f64) (wanted: [n]f64) : f64 =
  let u = loop u = start for _i < steps do spread c u
  in f64.sum (map2 (\a b -> (a - b) ** 2) u wanted)
