-- Values of every kind at the edge of a library; names that are words of C++.
type point = {x: f64, y: f64}
type~ shape = #dot point | #row ([]f64) i32 | #none
type t' = {class: i32, t': bool}
def bad = 3i64
entry norm (p: point) = f64.sqrt (p.x * p.x + p.y * p.y)
entry mirror (r: {x: i32, y: []f64}) = {y = reverse r.y, x = -r.x}
entry pairs (a: []i32) (p: point) : [](i32, point) = map (\i -> (i, p)) a
entry grow (s: *shape) : shape =
  match s
  case #dot p -> #row [p.x, p.y] 2
  case #row a n -> #row (map (2 *) a) (n + 1)
  case #none -> #row [] 0
entry third (a: []f32) = a[3]
entry value_and_grad [n] (xs: [n]f64) = vjp2 (\xs -> f64.sum (map (\x -> x * x) xs)) xs 1
entry set (xs: *[]f64) (i: i64) (v: f64) = xs with [i] = v
entry scale [n][m] (k: f16) (a: [n][m]f16) = map (map (* k)) a
entry flags (n: i64) = map (\i -> i % 2 == 0) (iota n)
entry double (p: t') : t' = {class = 2 * p.class, t' = !p.t'}
entry point (x: f64) : point = {x, y = x + 1}
entry main (x: i64) (y: u8) : (i64, (u8, bool)) = (x + bad, (y, x > 0))
entry cube (n: i64) : [][][]i64 = tabulate_3d 2 3 n (\i j k -> i * 100 + j * 10 + k)
entry grid (n: i64) : [][]point = tabulate_2d 2 n (\i j -> {x = f64.i64 i, y = f64.i64 j})
