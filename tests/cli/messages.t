$ printf 'def f (x: i32) =\n  x + f32.sqrt 2\n' > a.fut; dagaz check --error-format=json a.fut
{"file": "a.fut", "range": {"start": {"line": 2, "column": 7}, "end": {"line": 2, "column": 16}}, "severity": "error", "code": "argument-type", "message": "Cannot apply \"+\" to \"f32.sqrt 2\" (invalid type).\nExpected: i32\nActual:   f32\nCannot unify types \"i32\" and \"f32\".", "notes": [], "suggestion": null}
[2]
$ printf 'def f = 1' > a.fut; dagaz check --error-format=xml a.fut
dagaz: option --error-format=xml wants text|json, not 'xml'
[1]
$ printf 'def\t\033[31m = 1\n' > a.fut; dagaz check a.fut
Error at a.fut:1:5-5:
Unexpected character.
    1 | def ?[31m = 1
      |     ^ [token]
[2]
$ printf 'def f =' > a.fut; dagaz check a.fut
Error at a.fut:1:8-8:
Unexpected end of file, expected an expression.
    1 | def f =
      |        ^ [syntax]
[2]
$ printf 'def f = "\303\244\303\266\303\274" + 1' > a.fut; dagaz check a.fut
Error at a.fut:1:9-13:
Cannot apply "+" to ""äöü"" (invalid type).
Expected: (a number)
Actual:   []u8
Cannot unify "[]u8" with the possible types of operand of "+".
    1 | def f = "äöü" + 1
      |         ^^^^^ [argument-type]
[2]
$ (printf 'def f = true'; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do printf ' && true'; done; printf ' && 1'; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do printf ' && true'; done) > a.fut; dagaz check a.fut
Error at a.fut:1:177-177:
Cannot apply "&&" to "1" (invalid type).
Expected: bool
Actual:   (a number)
Cannot unify "bool" with the possible types of integer literal.
    1 | .. true && true && true && true && true && true && 1 && true && true && true && true && true && tru ..
      |                                                    ^ [argument-type]
[2]
$ printf 'def f (x: i32) : bool =\n  if true\n  then x\n  else\n    x + 1\n' > a.fut; dagaz check a.fut
Error at a.fut:2:3-5:9:
Function body does not have expected type.
Expected: bool
Actual:   i32
Cannot unify types "bool" and "i32".
    2 |   if true
      |   ^^^^^^^ [result-type]
   .. |
    5 |     x + 1
      |     ^^^^^
[2]
$ dagaz run --error-format=json missing.fut
{"file": null, "range": null, "severity": "error", "code": "import-missing", "message": "Could not read file \"missing.fut\": No such file or directory.", "notes": [], "suggestion": null}
[2]
