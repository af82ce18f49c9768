$ printf '%s\n' '1 + 2' 'it * 2' 'def f (x: f64) = x * x' 'f 3' ':vjp 3' ':jvp 3 0.5' 'def g (x: f64) (y: f64) = x * f64.sin y' ':vjp (2, 0)' ':type g' 'g' '(1i8, {a = true, b = [1.5f32]})' 'def h (b: bool) : #some (i32, bool) | #none = if b then #some (1, b) else #none' '(h true, h false)' | dagaz repl
3i32
6i32
9f64
(9f64, 6f64)
(9f64, 3f64)
(0f64, (0f64, 2f64))
: (x: f64) -> (y: f64) -> f64
: (x: f64) -> (y: f64) -> f64
(1i8, {a = true, b = [1.5f32]})
(#some (1i32, true), #none)
$ printf '%s\n' 'def x = 1i64' 'def f y = x + y' 'def x = 2.5' '(x, f 1)' 'type t = i32' 'type t = bool' 'true : t' 'entry main (x: i32) = x' 'main 1' 'def sq (x: f64) = x ** 2' 'def sq (x: f64) = x ** 3' ':vjp 2' 'it.0' 'it_1.0' 'import "lib/ad"' 'open import "lib/ad"' | dagaz repl
(2.5f64, 2i64)
true
1i32
(8f64, 12f64)
8f64
2.5f64
$ printf '%s\n' '1 +' 'x' 'def x = y' 'def x = 2' 'x' '[1, 2][x]' '1 / (x - 2)' ':nonsense' ':' ')' ':vjp 1' ':list' ':clear' 'x' ':q' '3' | dagaz repl
Error at input:1:4-5:
Unexpected end of file, expected an expression.
    1 | 1 +
      |    ^ [syntax]
Error at input.fut:2:1-2:
Unknown name "x".
    2 | x
      | ^ [unknown-name]
Error at input.fut:1:9-10:
Unknown name "y".
    1 | def x = y
      |         ^ [unknown-name]
2i32
Error: Index [2] out of bounds for array of shape [2].
Error: division by zero
No command ':nonsense'; :help lists them.
No command ':'; :help lists them.
Error at input:1:1-2:
Unexpected token: ')', expected an expression.
    1 | )
      | ^ [syntax]
Declare a function first.
def x = 2
def it_1 =
  x
Error at input.fut:2:1-2:
Unknown name "x".
    2 | x
      | ^ [unknown-name]
$ printf '%s\n' 'def double (x: i32) = 2 * x' > lib.fut; printf '%s\n' 'import "lib"' 'def twice (x: i32) = double (double x)' > a.fut; printf '%s\n' 'twice 3' 'double 1' ':{' 'def k x =' '  let y = twice x' '  in y + 1' ':}' 'k 1' ':load absent.fut' ':load lib.fut' 'twice 1' | dagaz repl a.fut
12i32
2i32
5i32
Cannot read 'absent.fut': No such file or directory
Error at lib.fut:4:1-6:
Unknown name "twice".
    4 | twice 1
      | ^^^^^ [unknown-name]
$ printf '%s' 'import "lib/ad"' | dagaz repl
$ printf '1 + 1' | dagaz repl
2i32
$ dagaz repl < /dev/null
$ printf '%s\n' ':derive' 'def f (x: f64) (y: f64) = x * f64.sin y' ':derive' ':derive jvp' 'def n (x: i32) = x' ':d vjp f' ':derive' ':derive absent' '1' | dagaz repl
Declare a function first.
entry f_vjp (x: f64) (y: f64) (seed: f64) =
  -- line 1: def f (x: f64) (y: f64) = x * f64.sin y
  let sin = f64.sin y
  let x_adj = seed * sin
  let y_adj = seed * x * f64.cos y
  in (x * sin, x_adj, y_adj)
entry f_jvp (x: f64) (y: f64) (d_x: f64) (d_y: f64) =
  -- line 1: def f (x: f64) (y: f64) = x * f64.sin y
  let sin = f64.sin y
  in (x * sin, d_x * sin + d_y * f64.cos y * x)
entry f_vjp (x: f64) (y: f64) (seed: f64) =
  -- line 1: def f (x: f64) (y: f64) = x * f64.sin y
  let sin = f64.sin y
  let x_adj = seed * sin
  let y_adj = seed * x * f64.cos y
  in (x * sin, x_adj, y_adj)
Error at input.fut:2:5-6:
cannot derive "n": it has no floating-point parameter
    2 | def n (x: i32) = x
      |     ^
Error:
cannot derive "absent": there is no such entry point
1i32
