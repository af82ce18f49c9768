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
