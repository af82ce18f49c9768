$ printf '%s\n' 'def at (xs: []f32) (i: i64) = xs[i]' 'entry main (xs: []f32) (is: []i64) = #[warn(safety_checks)] map (at xs) is' 'entry safe [n] (xs: [n]f32) = #[warn(safety_checks)] map (\i -> xs[i] / 2) (iota n)' 'entry unsafe (xs: []f32) = #[warn(safety_checks)] (#[unsafe] xs[3])' > a.fut
$ dagaz c --c-only a.fut
Warning at a.fut:1:31-36:
Safety check required at run-time.
    1 | def at (xs: []f32) (i: i64) = xs[i]
      |                               ^^^^^ [safety-check]
Note at a.fut:2:61-75: Called from here.
    2 | entry main (xs: []f32) (is: []i64) = #[warn(safety_checks)] map (at xs) is
      |                                                             ^^^^^^^^^^^^^^
$ printf '%s\n' 'entry known (x: f32) = #[unroll] loop a = x for i < 4 do a * a + f32.i32 i' 'entry unknown (n: i32) (x: f32) = #[unroll] loop a = x for i < n do a * a + f32.i32 i' > b.fut
$ dagaz c --c-only b.fut
Warning at b.fut:2:45-86:
#[unroll] on loop with unknown number of iterations.
    2 | entry unknown (n: i32) (x: f32) = #[unroll] loop a = x for i < n do a * a + f32.i32 i
      |                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ [unroll]
$ dagaz c --c-only -w b.fut
$ dagaz c --c-only --Werror b.fut 2> /dev/null
[2]
$ # Directions: of a constant number, of an unknown one, too many.
$ printf '%s\n' 'def f (x: f32) = x * x' 'entry known (x: f32) (d: [3]f32) = copy (#[unroll] jmp f x d)' 'entry unknown (x: f32) (d: []f32) = copy (#[unroll] jmp f x d)' 'entry many (x: f32) (d: [30]f32) = copy (#[unroll] mjp f x d)' > c.fut
$ dagaz c --c-only c.fut
Warning at c.fut:3:53-62:
#[unroll] on map or directions of unknown number.
    3 | entry unknown (x: f32) (d: []f32) = copy (#[unroll] jmp f x d)
      |                                                     ^^^^^^^^^ [unroll]

Warning at c.fut:4:52-61:
#[unroll] on map or directions too large, or too many.
    4 | entry many (x: f32) (d: [30]f32) = copy (#[unroll] mjp f x d)
      |                                                    ^^^^^^^^^ [unroll]
$ # An assertion that no entry point needs.
$ printf '%s\n' 'def check (x: i32) = assert (x < 5) ()' 'entry main (x: i32) = let _ = check x in assert (x > 0) x' > d.fut
$ dagaz c --c-only d.fut
Warning at d.fut:1:22-39:
This assertion is never checked, since its value is not used.
    1 | def check (x: i32) = assert (x < 5) ()
      |                      ^^^^^^^^^^^^^^^^^ [unused-assertion]
Hint: use its value, as in: let x = assert (x > 0) x
$ # Bounds on memory that bound nothing; `check` says so, too.
$ printf '%s\n' 'def run [n] (xs: [n]f64) = #[checkpoint(three)] loop xs for _i < 9i64 do map f64.sin xs' 'entry main [n] (xs: [n]f64) = vjp (\xs -> #[memory_limit] loop xs = run xs for _i < 9i64 do run xs) xs xs' 'entry map [n] (xs: [n]f64) = #[checkpoint] map (\x -> vjp f64.sin x 1) xs' 'entry fine [n] (xs: [n]f64) = #[stripmine(2)] vjp run xs xs' > e.fut
$ dagaz check e.fut
Warning at e.fut:1:28-88:
#[checkpoint] has no effect as it is written.
    1 | def run [n] (xs: [n]f64) = #[checkpoint(three)] loop xs for _i < 9i64 do map f64.sin xs
      |                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ [memory-attribute]
Hint: write #[checkpoint] or #[checkpoint(8)].

Warning at e.fut:2:43-99:
#[memory_limit] has no effect as it is written.
    2 | entry main [n] (xs: [n]f64) = vjp (\xs -> #[memory_limit] loop xs = run xs for _i < 9i64 do run  ..
      |                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ [memory-attribute]
Hint: write #[memory_limit(1_000_000)], in bytes.

Warning at e.fut:3:30-74:
#[checkpoint] has no effect where no loop and no vjp follows.
    3 | entry map [n] (xs: [n]f64) = #[checkpoint] map (\x -> vjp f64.sin x 1) xs
      |                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ [memory-attribute]
Hint: it belongs directly in front of a loop, or of a vjp.
