$ printf '%s\n' 'entry main (x: i32) (xs: []f64) =' '  let _ = trace (x, xs)' '  let y = #[trace] x + 1' '  let zs = #[trace(rows)] (map (\v -> [v, v]) xs)' '  let s = reduce (\a b -> trace (a + b)) 0 xs' '  in s + f64.i32 y + zs[0, 1] + break 1' > t.fut
$ echo '3 [1, 2]' | dagaz run --interp t.fut
trace: 3i32
trace: [1f64, 2f64]
t.fut:3:11-25: 4i32
rows: [[1f64, 1f64], [2f64, 2f64]]
trace: 1f64
trace: 3f64
9f64
$ echo '3 [1, 2]' | dagaz run t.fut
trace: 3i32
trace: [1f64, 2f64]
t.fut:3:11-25: 4i32
trace: 1f64
trace: 3f64
rows: [[1f64, 1f64], [2f64, 2f64]]
9f64
$ printf '%s\n' 'def f (x: f64) = 3 * trace (x * x)' 'entry main (x: f64) = jvp f x 1 + vjp f x 1' > d.fut
$ echo 5 | dagaz run d.fut
trace: 25f64
trace (tangent): 10f64
trace: 25f64
60f64
