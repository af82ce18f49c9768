$ dagaz help | sed -n '1,4p;$p'
dagaz: a differentiating compiler for the Futhark array language

  dagaz check       type-check programs
  dagaz c           compile to C and on to a program
`dagaz help COMMAND` says how to use it, with its options and an example.
$ dagaz help check
usage: dagaz check [OPTION..] FILE.fut..

Reads each program and its imports and reports errors and warnings: syntax,
names, types, sizes, consumption, and derivatives that are lost. Status 2 when
a program is rejected.

Options:
  -w                           print no warnings
      --Werror                 treat warnings as errors
      --error-format=..        text|json: how to print messages

Example:
  dagaz check --Werror model.fut
$ dagaz check --help | head -3
usage: dagaz check [OPTION..] FILE.fut..

Reads each program and its imports and reports errors and warnings: syntax,
$ dagaz repl --help
usage: dagaz repl [FILE.fut]

Evaluates expressions and declarations line by line, in the scope of a program
if one is named. `:help` lists its commands.

Example:
  dagaz repl model.fut
$ dagaz chek a.fut
dagaz: no command 'chek': did you mean 'check'? `dagaz help` lists the commands.
[1]
$ dagaz nonsense
dagaz: no command 'nonsense'; `dagaz help` lists the commands.
[1]
$ dagaz help nonsense
dagaz: no command 'nonsense'; `dagaz help` lists the commands.
[1]
$ dagaz check --werror a.fut
dagaz: unknown option '--werror': did you mean '--Werror'?
[1]
$ dagaz check --nonsense a.fut
dagaz: unknown option '--nonsense'; see `dagaz help check`
[1]
$ dagaz run -z a.fut
dagaz: unknown option '-z'; see `dagaz help run`
[1]
$ dagaz check
usage: dagaz check FILE.fut..  (dagaz help check says more)
[1]
$ dagaz completion csh
usage: dagaz completion bash | zsh | fish  (dagaz help completion says more)
[1]
$ dagaz version; dagaz --version
dagaz 0.1.0
dagaz 0.1.0
$ echo 'entry main (x: i32) = x' > a.fut; dagaz test a.fut
dagaz: no test blocks in a.fut
[1]
$ dagaz test -e main a.fut a.fut
dagaz: no test blocks in a.fut and the others for this entry point
[1]
$ dagaz bench a.fut
dagaz: no test blocks with inputs in a.fut
[1]
$ mkdir -p empty; dagaz test empty
dagaz: no programs in empty
[1]
$ dagaz test
usage: dagaz test [--interp] FILE..  (dagaz help test says more)
[1]
$ dagaz bench
usage: dagaz bench FILE.. | --compare OLD.json NEW.json  (dagaz help bench says more)
[1]
$ echo 'def f (x: i32) : f32 = x' > b.fut; echo 'def g = 1.0i32' > c.fut; dagaz check b.fut a.fut c.fut
Error at b.fut:1:24-25:
Function body does not have expected type.
Expected: f32
Actual:   i32
Cannot unify types "f32" and "i32".
    1 | def f (x: i32) : f32 = x
      |                        ^ [result-type]
Note at b.fut:1:18-21: The result type is declared here.
    1 | def f (x: i32) : f32 = x
      |                  ^^^
Hint: convert with "f32.i32 x".
Error at c.fut:1:12-15:
Unknown name "i32".
    1 | def g = 1.0i32
      |            ^^^ [unknown-name]
Hint: "i32" is a type and a module: to convert to it, say from what, as in "i32.i64 x".
[2]
