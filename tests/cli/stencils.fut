-- Indices that guards and ranges prove: stencils.t counts the tests that are left in loops.
def at_ends [n] (s: [n]f64) = tabulate n (\i -> if i == 0 || i == n - 1 then s[i] else s[i - 1] + s[i + 1])
def outside [n] (s: [n]f64) = tabulate n (\i -> if i < 1 || i >= n - 1 then s[i] else s[i - 1] + s[i + 1])
def inside [n] (s: [n]f64) = tabulate n (\i -> if i > 0 && i < n - 1 then s[i - 1] + s[i + 1] else s[i])
def as_read [n] (s: [n]f64) = tabulate n (\i -> if i > 0 && i + 1 < n then s[i - 1] + s[i + 1] else s[i])
def negated [n] (s: [n]f64) = tabulate n (\i -> if !(i != 0 && i <= n - 2) then s[i] else s[i - 1] + s[i + 1])
def either [n] (s: [n]f64) = tabulate n (\i -> let l = if i > 0 then s[i - 1] else 0
                                               let r = if i + 1 < n then s[i + 1] else 0
                                               in s[i] + 0.1 * (l - 2 * s[i] + r))
def chained [n] (s: [n]f64) = map (\i -> if i == 0 then s[0] else if i == n - 1 then s[n - 1] else s[i - 1] + s[i + 1]) (iota n)
def far [n] (s: [n]f64) = tabulate n (\i -> if i >= 2 && i < n - 2 then s[i - 2] + s[i + 2] else 0)
def ranged [n] (s: [n]f64) = copy s with [1:n - 1] = map (\i -> s[i - 1] + s[i] + s[i + 1]) (1..<n - 1)
def shifted [n] (s: [n]f64) = copy s with [1:n - 1] = tabulate ((n - 1) - 1) (\i -> s[i] + s[i + 1] + s[i + 2])
def clamped [n] (s: [n]f64) = tabulate n (\i -> s[i64.max 0 (i - 1)] + s[i64.min (n - 1) (i + 1)])
def torus [n] (s: [n]f64) = tabulate n (\i -> s[(i + n - 1) % n] + s[(i + 1) % n])
def plane [n] [m] (s: [n][m]f64) = tabulate_2d n m (\i j ->
  if i == 0 || j == 0 || i == n - 1 || j == m - 1 then s[i, j] else s[i - 1, j] + s[i + 1, j] + s[i, j - 1] + s[i, j + 1])

def steps 'a (f: a -> a) (s: a) = loop s for _t < 100i64 do f s
def value [n] (f: [n]f64 -> [n]f64) (s: [n]f64) = f64.sum (steps f s)

entry at_ends_value [n] (s: [n]f64) = value at_ends s
entry at_ends_grad [n] (s: [n]f64) = vjp (value at_ends) s 1
entry outside_value [n] (s: [n]f64) = value outside s
entry outside_grad [n] (s: [n]f64) = vjp (value outside) s 1
entry inside_value [n] (s: [n]f64) = value inside s
entry inside_grad [n] (s: [n]f64) = vjp (value inside) s 1
entry as_read_value [n] (s: [n]f64) = value as_read s
entry as_read_grad [n] (s: [n]f64) = vjp (value as_read) s 1
entry negated_value [n] (s: [n]f64) = value negated s
entry negated_grad [n] (s: [n]f64) = vjp (value negated) s 1
entry either_value [n] (s: [n]f64) = value either s
entry either_grad [n] (s: [n]f64) = vjp (value either) s 1
entry chained_value [n] (s: [n]f64) = value chained s
entry chained_grad [n] (s: [n]f64) = vjp (value chained) s 1
entry far_value [n] (s: [n]f64) = value far s
entry far_grad [n] (s: [n]f64) = vjp (value far) s 1
entry ranged_value [n] (s: [n]f64) = value ranged s
entry ranged_grad [n] (s: [n]f64) = vjp (value ranged) s 1
entry shifted_value [n] (s: [n]f64) = value shifted s
entry shifted_grad [n] (s: [n]f64) = vjp (value shifted) s 1
entry clamped_value [n] (s: [n]f64) = value clamped s
entry clamped_grad [n] (s: [n]f64) = vjp (value clamped) s 1
entry torus_value [n] (s: [n]f64) = value torus s
entry torus_grad [n] (s: [n]f64) = vjp (value torus) s 1
entry plane_value [n] [m] (s: [n][m]f64) = f64.sum (flatten (steps plane s))
entry plane_grad [n] [m] (s: [n][m]f64) = vjp (\s -> f64.sum (flatten (steps plane s))) s 1
