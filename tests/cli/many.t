$ cp $DAGAZ_ROOT/tests/cli/many*.c $DAGAZ_ROOT/tests/c/examples/*.[ch] $DAGAZ_ROOT/tests/cli/inner.c .
$ dagaz adjoint talk.c --head "f(v4)/(v1 v3)" --multi runtime && sed -n '/^void/,$p' talk_bv.c
void f_bv(int nbdirs, double v1, double v1b[nbdirs], double p1, double v3, double v3b[nbdirs], double *v4, double (*v4b)[nbdirs]) {
  (void)v4;
  int nd;
  double tb0;
  double v2b[nbdirs];
  memset(v2b, 0, sizeof v2b);
  double v2 = 2*v1 + 5;
  for (nd = 0; nd < nbdirs; nd++) {
    v1b[nd] = 0;
    v3b[nd] = 0;
  }
  double q = p1*v3/v2;
  for (nd = 0; nd < nbdirs; nd++) {
    tb0 = (*v4b)[nd]/v2;
    v2b[nd] += (*v4b)[nd] - q*tb0;
    v3b[nd] += p1*tb0;
    (*v4b)[nd] = 0;
    v1b[nd] += 2*v2b[nd];
    v2b[nd] = 0;
  }
}
$ H="all(all z)/(x y z)"; for m in tangent adjoint; do dagaz $m many.c --head "$H" --length "x[n] z[n]" --multi runtime && dagaz $m many.c --head "$H" --length "x[n] z[n]"; done
$ gcc -std=c11 -Wall -Wextra -Werror -O1 -fsanitize=address,undefined -o many many_main.c many.c many_d.c many_dv.c many_b.c many_bv.c -lm && ./many
0 differ
$ for f in "march:march(march y)/(y e)" "mixture:log_sum_exp Qtimesx(out)/(Qdiag ltri x)" "chol:chol" "relax:relax(u)/(u f c)" "polar:move(p dt -> q)"; do for m in tangent adjoint; do dagaz $m ${f%%:*}.c --head "${f#*:}" --multi runtime -o many || echo ${f%%:*}; done; gcc -std=c11 -Wall -Wextra -Werror -c many_dv.c many_bv.c || echo ${f%%:*}; done
$ printf 'typedef struct { double a; } T;\ndouble f(T *t) {\n  return t->a*t->a;\n}\n' > record.c && dagaz tangent record.c --head f --multi runtime
Error at record.c:1:16-17:
An active struct, for a number of directions that is known when it runs.
    1 | typedef struct { double a; } T;
      |                ^ [c-unsupported]
Hint: say the most directions, --multi 16, or pass its members
[2]
$ printf 'double f(double x) {\n  if (x > 1) goto end;\n  x *= x;\nend:\n  return x;\n}\n' > jump.c && dagaz tangent jump.c --head f --multi runtime
Error at jump.c:2:14-23:
`goto`, or a declaration in a switch, for a number of directions that is known when it runs.
    2 |   if (x > 1) goto end;
      |              ^^^^^^^^^ [c-unsupported]
Hint: say the most directions, --multi 16
[2]
$ printf 'double f(double x, int nbdirs) {\n  return nbdirs*x;\n}\n' > name.c && dagaz adjoint name.c --head f --multi runtime
Error at name.c:1:8-9:
A variable is called `nbdirs`, as the number of directions is.
    1 | double f(double x, int nbdirs) {
      |        ^ [c-unsupported]
Hint: rename it
[2]
$ dagaz tangent talk.c --head f --multi many
dagaz: --multi takes a number up to 4096, or `runtime`, and goes without --context
[1]
$ dagaz tangent talk.c --head f --multi 0
dagaz: --multi takes a number up to 4096, or `runtime`, and goes without --context
[1]
