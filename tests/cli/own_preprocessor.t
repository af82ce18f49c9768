$ printf '%s\n' '#include <math.h>' '#include "sizes.h"' '#define SQUARE(x) ((x)*(x))' '#define JOIN(a, b) a ## b' '#define SUM(first, ...) plus(first, __VA_ARGS__)' '#define f(x) x + f' 'double plus(double a, double b) { return a + b; }' 'double g(double x) {' '#if defined(N) && N >= 3 && !(N % 2 == 0)' '  double JOIN(y, 1) = SQUARE(x + 1)  /* kept */;' '#else' '  no such text' '#endif' '  return SUM(y1,' '             M_PI + N);' '}' > pp.c; printf '%s\n' '#pragma once' '#include "sizes.h"' '#define N 5' > sizes.h
$ dagaz ctree --own-preprocessor --print pp.c
#include <math.h>
#include "sizes.h"

double plus(double a, double b) {
  return a + b;
}

double g(double x) {
  double y1 = ((x + 1)*(x + 1));
  /* kept */
  return plus(y1, 3.14159265358979323846 + 5);
}
$ dagaz adjoint --own-preprocessor pp.c --head g --stdout | sed -n '/g_b(/,$p'
void g_b(double x, double *xb, double gb) {
  double y1b = 0;
  double tb = 0;
  double y1 = ((x + 1)*(x + 1));
  *xb = 0;
  tb += gb;
  gb = 0;
  double tb0 = tb;
  tb = 0;
  plus_b(y1, &y1b, 3.14159265358979323846 + 5, tb0);
  *xb += 2*(x + 1)*y1b;
  y1b = 0;
}

/*  Differentiation of plus in reverse (adjoint) mode:
     gradient     of useful results: plus
     with respect to varying inputs: a  */
static void plus_b(double a, double *ab, double b, double plusb) {
  (void)a;
  (void)b;
  *ab += plusb;
  plusb = 0;
}
$ printf '%s\n' '#define x 3' '#define f(a) f(x * (a))' '#undef x' '#define x 2' '#define g f' '#define z z[0]' '#define h g(~' '#define m(a) a(w)' '#define w 0,1' '#define t(a) a' '#define str(s) # s' '#define xstr(s) str(s)' '#define glue(a, b) a ## b' '#define LOW LOW "x"' 'int k = sizeof str(a  "b\n" c) + sizeof xstr(x) + glue(1, 2) + __LINE__ + - -1;' 'int s = sizeof __FILE__;' > rescan.c
$ dagaz ctree --own-preprocessor --print rescan.c
int k = sizeof "a \"b\\n\" c" + sizeof "2" + 12 + 15 + - -1;
int s = sizeof "rescan.c";
$ printf '%s\n' 'printf "%s\n" "$@" > bad.c; dagaz ctree --own-preprocessor bad.c; echo "status $?"' > try.sh
$ sh try.sh 'int a;' '#include <no/such.h>'
Error at bad.c:2:1-21:
There is no header "no/such.h".
    2 | #include <no/such.h>
      | ^^^^^^^^^^^^^^^^^^^^ [c-preprocessor]
Hint: headers of the C library that are known here: assert.h ctype.h float.h inttypes.h limits.h math.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h time.h
status 2
$ sh try.sh '#if 1 +' '#endif'
Error at bad.c:1:1-8:
The condition ends too early.
    1 | #if 1 +
      | ^^^^^^^ [c-preprocessor]
status 2
$ sh try.sh '#if 4 / (2 - 2)' '#endif'
Error at bad.c:1:1-16:
Division by zero in a condition.
    1 | #if 4 / (2 - 2)
      | ^^^^^^^^^^^^^^^ [c-preprocessor]
status 2
$ sh try.sh '#ifdef A' 'int a;'
Error at bad.c:1:1-9:
This #if has no #endif.
    1 | #ifdef A
      | ^^^^^^^^ [c-preprocessor]
status 2
$ sh try.sh 'int a;' '#endif'
Error at bad.c:2:1-7:
#endif without #if.
    2 | #endif
      | ^^^^^^ [c-preprocessor]
status 2
$ sh try.sh '#if 0' '#elif 1' '#else' '#else' '#endif'
Error at bad.c:4:1-6:
#else after #else.
    4 | #else
      | ^^^^^ [c-preprocessor]
status 2
$ sh try.sh '#define F(x, y) x' 'int a = F(1);'
Error at bad.c:2:1-14:
Macro `F` has 2 parameters and gets 1 arguments.
    2 | int a = F(1);
      | ^^^^^^^^^^^^^ [c-preprocessor]
status 2
$ sh try.sh '#define F(x) x' 'int a = F(1' ';'
Error at bad.c:2:1-12:
The arguments of macro `F` do not end.
    2 | int a = F(1
      | ^^^^^^^^^^^ [c-preprocessor]
status 2
$ sh try.sh '#define F(x) #y' 
Error at bad.c:1:1-16:
# before what is no parameter of macro `F`.
    1 | #define F(x) #y
      | ^^^^^^^^^^^^^^^ [c-preprocessor]
status 2
$ sh try.sh '#define J(a, b) a ## b' 'int c = J(+, =*);'
Error at bad.c:2:8-18:
Expected an expression before `+=`.
    2 | int c = J(+, =*);
      |        ^^^^^^^^^^ [c-syntax]
status 2
$ sh try.sh '#error this is wrong' 'int a'
Error at bad.c:1:1-21:
#error this is wrong
    1 | #error this is wrong
      | ^^^^^^^^^^^^^^^^^^^^ [c-preprocessor]
status 2
$ sh try.sh '#include "bad.c"'
Error at bad.c:1:1-17:
Files include each other without end.
    1 | #include "bad.c"
      | ^^^^^^^^^^^^^^^^ [c-preprocessor]
status 2
$ sh try.sh '#define A B B B B B B B B B B' '#define B C C C C C C C C C C' '#define C D D D D D D D D D D' '#define D E E E E E E E E E E' '#define E F F F F F F F F F F' '#define F G G G G G G G G G G' '#define G 1 1 1 1 1 1 1 1 1 1' 'int a = A;'
Error at bad.c:8:1-11:
Macros expand to more than 1000000 tokens.
    8 | int a = A;
      | ^^^^^^^^^^ [c-preprocessor]
status 2
$ sh try.sh '#define' 'int a;'
Error at bad.c:1:1-8:
#define without a name.
    1 | #define
      | ^^^^^^^ [c-preprocessor]
status 2
$ sh try.sh '#frobnicate'
Error at bad.c:1:1-12:
Unknown directive #frobnicate.
    1 | #frobnicate
      | ^^^^^^^^^^^ [c-preprocessor]
status 2
$ sh try.sh 'int a; /* not closed'
Error at bad.c:1:1-21:
This comment is not closed.
    1 | int a; /* not closed
      | ^^^^^^^^^^^^^^^^^^^^ [c-preprocessor]
status 2
$ sh try.sh '#' ' #  ' 'int a;' '#'
global int a
status 0
$ sh try.sh '#warning old' 'int a;'
Warning at bad.c:1:1-13:
#warning old
    1 | #warning old
      | ^^^^^^^^^^^^ [c-preprocessor]
global int a
status 0
$ printf '%s\n' 'double f(double x) { return K*x; }' > k.c; dagaz ctree --own-preprocessor -D K=4 --print k.c; dagaz ctree --own-preprocessor -DK -UK k.c

double f(double x) {
  return 4*x;
}
Error at k.c:1:29-30:
`K` is not declared.
    1 | double f(double x) { return K*x; }
      |                             ^ [c-undeclared]
[2]
$ mkdir inc; echo '#define K 7' > inc/k.h; printf '%s\n' '#include <k.h>' 'double f(double x) { return K*x; }' > i.c; dagaz ctree --own-preprocessor -I inc --print i.c
#include <k.h>

double f(double x) {
  return 7*x;
}
$ for f in talk march mixture relax chol polar exits; do dagaz ctree $DAGAZ_ROOT/tests/c/examples/$f.c > system; dagaz ctree --own-preprocessor $DAGAZ_ROOT/tests/c/examples/$f.c > own; cmp system own && echo same; done
same
same
same
same
same
same
same
$ for i in 1 2 3 4 5 6 7 8; do dagaz cgen --seed $i > r.c; dagaz ctree r.c > system; dagaz ctree --own-preprocessor r.c > own; cmp system own && echo same; done
same
same
same
same
same
same
same
same
$ dagaz adjoint $DAGAZ_ROOT/tests/c/examples/march.c --own-preprocessor --head "march(march y)/(y e)" --lines march.json && cat march.json
[[12, 2], [13, 4], [15, 3], [17, 3], [18, 4], [19, 5], [20, 5], [21, 6], [22, 6], [25, 8], [26, 8], [27, 4], [28, 6], [29, 6], [30, 6], [31, 5], [32, 5], [33, 5], [34, 5], [35, 5], [37, 3]]
