$ echo 'def f (x: i32) = x + true' > a.fut; dagaz check a.fut
Error at a.fut:1:22-26:
Cannot apply "+" to "true" (invalid type).
Expected: i32
Actual:   bool
Cannot unify types "i32" and "bool".
    1 | def f (x: i32) = x + true
      |                      ^^^^ [argument-type]
Note at a.fut:1:18-19: The other operand has the type i32.
    1 | def f (x: i32) = x + true
      |                  ^
Hint: convert with "i32.bool true".
[2]
$ echo 'entry main (x: i32) = x + 1' > b.fut; dagaz check b.fut
$ dagaz check missing.fut
Error:
Could not read file "missing.fut": No such file or directory.
[2]
$ dagaz check
usage: dagaz check FILE.fut..  (dagaz help check says more)
[1]
$ dagaz nonsense 2>&1 | head -1
dagaz: no command 'nonsense'; `dagaz help` lists the commands.
$ dagaz check --nonsense b.fut
dagaz: unknown option '--nonsense'; see `dagaz help check`
[1]
