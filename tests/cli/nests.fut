-- What the return sweeps of perfect nests look like: nests.t counts.
def deep [n] [m] (a: [n][m]f64) = map (map (\x -> f64.sin x * f64.exp x)) a
entry nest [n] [m] (a: [n][m]f64) (u: [n][m]f64) = vjp deep a u
def rows [n] [m] [k] (a: [n][m][k]f64) = map (map (\r -> f64.sum (map (\x -> f64.sin x) r))) a
entry nest3 [n] [m] [k] (a: [n][m][k]f64) (u: [n][m]f64) = vjp rows a u
