$ printf 'static int evaluations = 0;\nstatic double last;\nstatic int other;\nstatic double sq(double x) { evaluations++; return x*x; }\ndouble f(double x) { evaluations += 1; last = 3; return sq(x)*sq(2*x); }\ndouble g(double x) { other++; return other > 1 ? x : sq(x); }\nint count(void) { return evaluations + (int)last; }\n' > st.c
$ # A counter of the file that no derivative reads has a copy there; a variable that is read would differ from the function's.
$ dagaz tangent st.c --head "f(f)/(x)" && gcc -Wall -Wextra -Werror -c st_d.c && grep '^static [id]' st_d.c
static int evaluations = 0;
static double last;
static double sq_d(double x, double xd, double *sq);
static double sq_d(double x, double xd, double *sq) {
$ dagaz tangent st.c --head "f(f)/(x)" --multi 4 && gcc -Wall -Wextra -Werror -c st_dv.c && dagaz adjoint st.c --head "f(f)/(x)" && gcc -Wall -Wextra -Werror -c st_b.c && echo compiled
compiled
$ dagaz tangent st.c --head "g(g)/(x)"
Error at st.c:3:12-17:
A static variable of the file that is written.
    3 | static int other;
      |            ^^^^^ [c-global]
Hint: make it a parameter of the functions that use it
[2]
$ printf 'double f(double x) {\n  static int first = 1, calls;\n  calls++;\n  if (first) { first = 0; return 3*x; }\n  return x*x;\n}\n' > first.c
$ # The same inside a function: a reverse sweep would restore what the next call is to find.
$ dagaz adjoint first.c --head "f(f)/(x)"
Error at first.c:2:14-19:
A static variable that is written.
    2 |   static int first = 1, calls;
      |              ^^^^^ [c-global]
Hint: make it a parameter of the functions that use it
[2]
$ sed 's/first)/calls)/; s/first = 0;//' first.c > calls.c && dagaz adjoint calls.c --head "f(f)/(x)"
Error at calls.c:2:25-30:
A static variable that is written.
    2 |   static int first = 1, calls;
      |                         ^^^^^ [c-global]
Hint: make it a parameter of the functions that use it
[2]
$ sed '/first) /d' first.c > counter.c && dagaz adjoint counter.c --head "f(f)/(x)" && gcc -Wall -Wextra -Werror -Wno-unused-variable -c counter_b.c && echo compiled
compiled
