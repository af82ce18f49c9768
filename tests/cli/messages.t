$ printf 'def f (x: i32) =\n  x + f32.sqrt 2\n' > a.fut; dagaz check --error-format=json a.fut
{"file": "a.fut", "range": {"start": {"line": 2, "column": 7}, "end": {"line": 2, "column": 17}}, "severity": "error", "code": "argument-type", "message": "Cannot apply \"+\" to \"f32.sqrt 2\" (invalid type).\nExpected: i32\nActual:   f32\nCannot unify types \"i32\" and \"f32\".", "notes": [{"file": "a.fut", "range": {"start": {"line": 2, "column": 3}, "end": {"line": 2, "column": 4}}, "message": "The other operand has the type i32."}], "suggestion": {"message": "convert with \"f32.i32 x\".", "file": "a.fut", "range": {"start": {"line": 2, "column": 3}, "end": {"line": 2, "column": 4}}, "text": "(f32.i32 x)"}}
[2]
$ printf 'def f = 1' > a.fut; dagaz check --error-format=xml a.fut
dagaz: option --error-format=xml wants text|json, not 'xml'
[1]
$ printf 'def\t\033[31m = 1\n' > a.fut; dagaz check a.fut
Error at a.fut:1:5-6:
Unexpected character.
    1 | def ?[31m = 1
      |     ^ [token]
[2]
$ printf 'def f =' > a.fut; dagaz check a.fut
Error at a.fut:1:8-9:
Unexpected end of file, expected an expression.
    1 | def f =
      |        ^ [syntax]
[2]
$ printf 'def f = "\303\244\303\266\303\274" + 1' > a.fut; dagaz check a.fut
Error at a.fut:1:9-14:
Cannot apply "+" to ""äöü"" (invalid type).
Expected: (a number)
Actual:   []u8
Cannot unify "[]u8" with the possible types of operand of "+".
    1 | def f = "äöü" + 1
      |         ^^^^^ [argument-type]
Hint: "+" takes numbers: for every element, write "map (+ 1) ("äöü")".
[2]
$ (printf 'def f = true'; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do printf ' && true'; done; printf ' && 1'; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do printf ' && true'; done) > a.fut; dagaz check a.fut
Error at a.fut:1:177-178:
Cannot apply "&&" to "1" (invalid type).
Expected: bool
Actual:   (a number)
Cannot unify "bool" with the possible types of integer literal.
    1 | .. true && true && true && true && true && true && 1 && true && true && true && true && true && tru ..
      |                                                    ^ [argument-type]
Note at a.fut:1:9-173: The other operand has the type bool.
    1 | def f = true && true && true && true && true && true && true && true && true && true && true &&  ..
      |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
[2]
$ printf 'def f (x: i32) : bool =\n  if true\n  then x\n  else\n    x + 1\n' > a.fut; dagaz check a.fut
Error at a.fut:2:3-5:10:
Function body does not have expected type.
Expected: bool
Actual:   i32
Cannot unify types "bool" and "i32".
    2 |   if true
      |   ^^^^^^^ [result-type]
   .. |
    5 |     x + 1
      |     ^^^^^
Note at a.fut:1:18-22: The result type is declared here.
    1 | def f (x: i32) : bool =
      |                  ^^^^
Hint: convert with "bool.i32".
[2]
$ dagaz run --error-format=json missing.fut
{"file": null, "range": null, "severity": "error", "code": "import-missing", "message": "Could not read file \"missing.fut\": No such file or directory.", "notes": [], "suggestion": null}
[2]
$ printf 'def f (n: i64) = f32.sqrt n\ndef g xs = lenght xs\ndef h xs = sum xs\ndef k (x: i32) = f32 x\n' > a.fut; dagaz check a.fut
Error at a.fut:1:27-28:
Cannot apply "f32.sqrt" to "n" (invalid type).
Expected: f32
Actual:   i64
Cannot unify types "f32" and "i64".
    1 | def f (n: i64) = f32.sqrt n
      |                           ^ [argument-type]
Note: "f32.sqrt" has the type f32 -> f32.
Hint: convert with "f32.i64 n".

Error at a.fut:2:12-18:
Unknown name "lenght".
    2 | def g xs = lenght xs
      |            ^^^^^^ [unknown-name]
Hint: did you mean "length"?

Error at a.fut:3:12-15:
Unknown name "sum".
    3 | def h xs = sum xs
      |            ^^^ [unknown-name]
Hint: did you mean "f64.sum"?

Error at a.fut:4:18-21:
Unknown name "f32".
    4 | def k (x: i32) = f32 x
      |                  ^^^ [unknown-name]
Hint: "f32" is a type and a module: to convert to it, say from what, as in "f32.i64 x".
[2]
$ printf 'def f [n] [m] (xs: [n]i32) (ys: [m]i32) = zip xs ys\ndef g (xs: []i32) = (filter (> 0) xs : [3]i32)\n' > a.fut; dagaz check a.fut
Error at a.fut:1:50-52:
Cannot apply "zip" to "ys" (invalid type).
Expected: [n]i32
Actual:   [m]i32
Sizes "n" and "m" do not match.
    1 | def f [n] [m] (xs: [n]i32) (ys: [m]i32) = zip xs ys
      |                                                  ^^ [argument-type]
Note at a.fut:1:7-10: Size "n" is bound here.
    1 | def f [n] [m] (xs: [n]i32) (ys: [m]i32) = zip xs ys
      |       ^^^
Note at a.fut:1:11-14: Size "m" is bound here.
    1 | def f [n] [m] (xs: [n]i32) (ys: [m]i32) = zip xs ys
      |           ^^^
Hint: if the sizes are equal whenever the program runs, have that checked then: ":> [n]i32".

Error at a.fut:2:21-47:
Expression does not have expected type from explicit type ascription.
Expected: [3]i32
Actual:   *[d₁]i32
Sizes "3" and "d₁" do not match.
    2 | def g (xs: []i32) = (filter (> 0) xs : [3]i32)
      |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^ [ascription]
Note at a.fut:2:22-37: "d₁" is unknown size returned by "filter".
    2 | def g (xs: []i32) = (filter (> 0) xs : [3]i32)
      |                      ^^^^^^^^^^^^^^^
Hint: if the sizes are equal whenever the program runs, have that checked then: ":> [3]i32".
[2]
$ printf 'def g [n] (z: [n]i32) : [3]i32 = z\ndef h (a: [3]i32) = a[0]\ndef k [n] (z: [n]i32) = h z\ndef l [n] (z: [n]i32) : [n]i32 = z ++ [1]\n' > a.fut; dagaz check a.fut 2>&1 | grep -v '|'
Error at a.fut:1:34-35:
Function body does not have expected type.
Expected: [3]i32
Actual:   [n]i32
Sizes "3" and "n" do not match.
Hint: if the sizes are equal whenever the program runs, have that checked then: ":> [3]i32".

Error at a.fut:3:27-28:
Cannot apply "h" to "z" (invalid type).
Expected: [3]i32
Actual:   [n]i32
Sizes "3" and "n" do not match.
Hint: if the sizes are equal whenever the program runs, have that checked then: ":> [3]i32".

Error at a.fut:4:34-42:
Function body does not have expected type.
Expected: [n]i32
Actual:   *[n + 1]i32
Sizes "n" and "n + 1" do not match.
Note at a.fut:4:7-10: Size "n" is bound here.
$ printf 'def f (b: bool) (x: f32) = if b then x else 2i32\ndef g (x: i32) : f32 = x\ndef h (x: i32) = [2f32, x]\n' > a.fut; dagaz check a.fut
Error at a.fut:1:45-49:
Branches differ in type.
Expected: f32
Actual:   i32
Cannot unify types "f32" and "i32".
    1 | def f (b: bool) (x: f32) = if b then x else 2i32
      |                                             ^^^^ [branch-type]
Note at a.fut:1:38-39: The first branch has the type f32.
    1 | def f (b: bool) (x: f32) = if b then x else 2i32
      |                                      ^
Hint: convert with "f32.i32 2i32".

Error at a.fut:2:24-25:
Function body does not have expected type.
Expected: f32
Actual:   i32
Cannot unify types "f32" and "i32".
    2 | def g (x: i32) : f32 = x
      |                        ^ [result-type]
Note at a.fut:2:18-21: The result type is declared here.
    2 | def g (x: i32) : f32 = x
      |                  ^^^
Hint: convert with "f32.i32 x".

Error at a.fut:3:25-26:
Element "x" of array literal differs in type from the others.
Expected: f32
Actual:   i32
Cannot unify types "f32" and "i32".
    3 | def h (x: i32) = [2f32, x]
      |                         ^ [element-type]
Note at a.fut:3:19-23: The first element has the type f32.
    3 | def h (x: i32) = [2f32, x]
      |                   ^^^^
Hint: convert with "f32.i32 x".
[2]
$ printf 'def f (a: *[]i32) = let b = a with [0] = 1 in (a, b)\ndef g (a: []i32) = a with [0] = 1\n' > a.fut; dagaz check a.fut
Error at a.fut:1:48-49:
Using variable "a", but this was consumed at a.fut:1:29-30.  (Possibly through aliases.)
    1 | def f (a: *[]i32) = let b = a with [0] = 1 in (a, b)
      |                                                ^ [use-after-consume]
Note at a.fut:1:29-30: It is consumed here.
    1 | def f (a: *[]i32) = let b = a with [0] = 1 in (a, b)
      |                             ^
Hint: consume a copy there to keep it: "copy a".

Error at a.fut:2:20-21:
Consuming variable "a", which is not consumable.
    2 | def g (a: []i32) = a with [0] = 1
      |                    ^ [not-consumable]
Note at a.fut:2:8-9: It is bound here.
    2 | def g (a: []i32) = a with [0] = 1
      |        ^
Hint: consume a copy instead, "copy a"; of a parameter, a * before its type allows consumption.
[2]
$ printf 'def f (n: i64) = f32.sqrt (n + 1)\n' > a.fut; dagaz check --error-format=json a.fut
{"file": "a.fut", "range": {"start": {"line": 1, "column": 27}, "end": {"line": 1, "column": 34}}, "severity": "error", "code": "argument-type", "message": "Cannot apply \"f32.sqrt\" to \"n + 1\" (invalid type).\nExpected: f32\nActual:   i64\nCannot unify types \"f32\" and \"i64\".", "notes": [{"file": null, "range": null, "message": "\"f32.sqrt\" has the type f32 -> f32."}], "suggestion": {"message": "convert with \"f32.i64 (n + 1)\".", "file": "a.fut", "range": {"start": {"line": 1, "column": 27}, "end": {"line": 1, "column": 34}}, "text": "(f32.i64 (n + 1))"}}
[2]
$ printf 'def f (p: {size: i32}) =\n  p.szie\n' > a.fut; dagaz check --error-format=json a.fut
{"file": "a.fut", "range": {"start": {"line": 2, "column": 3}, "end": {"line": 2, "column": 9}}, "severity": "error", "code": "no-field", "message": "Cannot project field \"szie\".\nCannot unify record type with fields {szie} and \"{size: i32}\": no field \"szie\".", "notes": [], "suggestion": {"message": "did you mean field \"size\"?", "file": "a.fut", "range": {"start": {"line": 2, "column": 5}, "end": {"line": 2, "column": 9}}, "text": "size"}}
[2]
$ # Names of lib/ad say what to import.
$ echo 'def f (x: [2]f64) = (jacobian (map f64.sin) x, stop_gradient x)' > ad.fut; dagaz check ad.fut 2>&1 | grep -v '|'; printf '%s\n' 'import "lib/ad"' 'module d = mk_ad f64' 'def f (x: f64) = derivative f64.sin x' > ad.fut; dagaz check ad.fut 2>&1 | tail -1
Error at ad.fut:1:22-30:
Unknown name "jacobian".
Hint: write import "lib/ad" and module ad = mk_ad f64 before it, and ad.jacobian here.
Hint: did you mean "d.derivative"?
$ printf '%s\n' 'import "lib/ad"' 'def f (x: [2]f64) = ad.grad f64.sum x' > ad.fut; dagaz check ad.fut 2>&1 | grep -v '|'
Error at ad.fut:2:21-28:
Unknown name "ad".
Hint: write import "lib/ad" and module ad = mk_ad f64 before it.
$ # An entry point that calls what has no type is not blamed for it.
$ printf 'def half (x: f64) = [f64.hlaf x]\nentry main (x: f64) = half x\n' > a.fut; dagaz check a.fut 2>&1 | grep '^Error'
Error at a.fut:1:22-30:
