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
$ printf '%s\n' '1 +' '' 'x' 'def x = y' 'def x = 2' 'x' '[1, 2][x]' '1 / (x - 2)' ':nonsense' ':' ')' ':vjp 1' ':list' ':clear' 'x' ':q' '3' | dagaz repl
Error at 1:4-5:
Unexpected end of file, expected an expression.
    1 | 1 +
      |    ^ [syntax]
Error at 1:1-2:
Unknown name "x".
    1 | x
      | ^ [unknown-name]
Error at 1:9-10:
Unknown name "y".
    1 | def x = y
      |         ^ [unknown-name]
2i32
Error: Index [2] out of bounds for array of shape [2].
Error: division by zero
No command ':nonsense'; :help lists them.
No command ':'; :help lists them.
Error at 1:1-2:
Unexpected token: ')', expected an expression.
    1 | )
      | ^ [syntax]
Declare a function first.
def x = 2
def it_1 =
x
Error at 1:1-2:
Unknown name "x".
    1 | x
      | ^ [unknown-name]
$ printf '%s\n' 'def double (x: i32) = 2 * x' > lib.fut; printf '%s\n' 'import "lib"' 'def twice (x: i32) = double (double x)' > a.fut; printf '%s\n' 'twice 3' 'double 1' ':{' 'def k x =' '  let y = twice x' '  in y + 1' ':}' 'k 1' ':load absent.fut' ':load lib.fut' 'twice 1' | dagaz repl a.fut
12i32
2i32
5i32
Cannot read 'absent.fut': No such file or directory
Error at 1:1-6:
Unknown name "twice".
    1 | twice 1
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
Error at earlier input:1:5-6:
cannot derive "n": it has no floating-point parameter
    1 | def n (x: i32) = x
      |     ^
Error:
cannot derive "absent": there is no such entry point
1i32
$ printf '%s\n' 'let y = 3' 'y' 'let y = 4 in y + it' 'let f (x: f64) =' 'let s = f64.sin x' 'in s * x' 'f 0' '[1,' '' ' 2]' '(1,' '2,' '  true + 1)' '(1,' ' 2)' 'let a = 1' 'let b = a' 'in' 'b + y' 'if y < 4 then' '1' 'else 2' 'module m = {' 'def k = 1' '}' 'm.k' '#[noinline]' 'def n (x: i32) = x' 'n 5' '' '2 *' '' 'it + q' 'def g x =' '  x + q' 'n true' '(let z = 1 in' 'z' | dagaz repl
3i32
7i32
0f64
Error at 1:4-5:
Unexpected end of file, expected an expression.
    1 | [1,
      |    ^ [syntax]
Error at 1:2-3:
Unexpected token: ']', expected the end of the expression.
    1 | 2]
      |  ^ [syntax]
Error at 3:3-7:
Cannot apply "+" to "true" (invalid type).
Expected: (a number)
Actual:   bool
Cannot unify "bool" with the possible types of operand of "+".
    3 |   true + 1)
      |   ^^^^ [argument-type]
(1i32, 2i32)
Error at 1:1-3:
Unexpected token: 'in', expected an expression.
    1 | in
      | ^^ [syntax]
4i32
1i32
1i32
5i32
Error at 1:4-5:
Unexpected end of file, expected an expression.
    1 | 2 *
      |    ^ [syntax]
Error at 1:6-7:
Unknown name "q".
    1 | it + q
      |      ^ [unknown-name]
Error at 2:7-8:
Unknown name "q".
    2 |   x + q
      |       ^ [unknown-name]
Error at 1:3-7:
Cannot apply "n" to "true" (invalid type).
Expected: i32
Actual:   bool
Cannot unify types "i32" and "bool".
    1 | n true
      |   ^^^^ [argument-type]
Note at earlier input:2:5-6: "n" has the type (x: i32) -> i32.
    2 | def n (x: i32) = x
      |     ^
Hint: convert with "i32.bool true".
Error at 2:2-3:
Unexpected end of file, expected ')'.
    2 | z
      |  ^ [syntax]
Note at 1:1-2: This bracket is open.
    1 | (let z = 1 in
      | ^
$ typed() { rm -f out; (printf "$1"; until [ -s out ]; do sleep 0.1; done; sleep 1; kill -INT $(cat pid); sleep 1; printf 'it * 3\n') | sh -c 'echo $$ > pid; exec dagaz repl > out'; cat out; }; typed '1 + 1\n(2,\n'; typed '1 + 1\nit *'; typed '1 + 1\n:{\ndef f = 1\n'
2i32
6i32
2i32
6i32
2i32
6i32
