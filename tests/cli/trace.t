$ printf '%s\n' 'entry main (x: i32) (xs: []f64) =' '  let _ = trace (x, xs)' '  let y = #[trace] x + 1' '  let zs = #[trace(rows)] (map (\v -> [v, v]) xs)' '  let s = reduce (\a b -> trace (a + b)) 0 xs' '  in s + f64.i32 y + zs[0, 1] + break 1' > t.fut
$ echo '3 [1, 2]' | dagaz run --interp t.fut
trace: (3i32, [1f64, 2f64])
t.fut:3:11-25: 4i32
rows: [[1f64, 1f64], [2f64, 2f64]]
trace: 1f64
trace: 3f64
9f64
$ echo '3 [1, 2]' | dagaz run t.fut
trace: (3i32, [1f64, 2f64])
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
$ # Tuples, records and sums are printed whole, as they are written.
$ echo '3 [1, 2, 3, 4, 5]' | dagaz run --interp $DAGAZ_ROOT/tests/cli/trace.fut 2>&1 | tee i.out; echo '3 [1, 2, 3, 4, 5]' | dagaz run $DAGAZ_ROOT/tests/cli/trace.fut 2>&1 | sort > c.out; sort i.out | diff - c.out
trace: (3i32, [1f64, 2f64, 3f64, 4f64, 5f64])
trace: {deep = ([1f64, 2f64, 3f64, 4f64, 5f64], (true, ())), name = 3i32, s = #some 3i32}
trace: [(1f64, {a = 1i32, b = [1f64, 1f64]}), (2f64, {a = 2i32, b = [2f64, 2f64]}), (3f64, {a = 3i32, b = [3f64, 3f64]}), (4f64, {a = 4i32, b = [4f64, 4f64]}), (5f64, {a = 5i32, b = [5f64, 5f64]})]
shapes: [#circle 1f64, #box {h = 4f64, w = 2f64}, #none, #many (3i32, -1i32) [4f64, 4f64] (#a 4i32), #many (3i32, -1i32) [5f64, 5f64] (#b)]
trace: #box {h = 4f64, w = 2f64}
trace: ()
trace: [(), (), (), (), ()]
trace: []
f: (<function>, #only 3i32)
4i32
$ echo 3 0i64 | dagaz run -e derivative $DAGAZ_ROOT/tests/cli/trace.fut; echo 3 1i64 | dagaz run --interp -e derivative $DAGAZ_ROOT/tests/cli/trace.fut
trace: (9f64, 0i64, #pos)
trace (tangent): (6f64, 0i64, #pos)
trace: (9f64, 0i64, #pos)
12f64
trace: (9f64, 1i64, #neg 3f64)
trace (tangent): (6f64, 1i64, #neg 1f64)
trace: (9f64, 1i64, #neg 3f64)
54f64
$ zeros() { printf "%0$1d" 0 | tr 0 "$2"; }; for n in 18 70; do echo "entry main (x: i32) = let _a = #[trace(deep)] $(zeros $n '[')(x, x)$(zeros $n ']') in x" > d.fut; echo 3 | CFLAGS='-O0 -w -std=gnu11 -fsanitize=undefined -fno-sanitize-recover=all' dagaz run d.fut; done
deep: [[[[[[[[[[[[[[[[[[(3i32, 3i32)]]]]]]]]]]]]]]]]]]
3i32
deep: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[..]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
3i32
