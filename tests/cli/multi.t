$ cp $DAGAZ_ROOT/tests/cli/multi*.c $DAGAZ_ROOT/tests/c/examples/*.[ch] $DAGAZ_ROOT/tests/cli/inner.c .
$ dagaz tangent polar.c --head "move(p dt -> q)" --multi 8 && cat polar_dv.c && grep -n -A2 NBDirsMax polar_dv.h
/* Made by `dagaz tangent` from polar.c. */
#include "polar_dv.h"
#include <stdlib.h>
#include <math.h>
#include <string.h>

static void polar_dv(double x, double xd[NBDirsMax], double y, double yd[NBDirsMax], double *r, double (*rd)[NBDirsMax], double *phi, double (*phid)[NBDirsMax], int nbdirs);

/*  Differentiation of move in forward (tangent), several directions, mode:
     variations   of useful results: *q
     with respect to varying inputs: *p dt  */
void move_dv(const double *p, double (*pd)[NBDirsMax], double dt, double dtd[NBDirsMax], double *q, double (*qd)[NBDirsMax], int nbdirs) {
  int nd; double td[NBDirsMax], td0[NBDirsMax], t, t0, t1, t2;
  double rd[NBDirsMax];
  double r;
  double phid[NBDirsMax];
  double phi;
  for (nd = 0; nd < nbdirs; nd++) {
    td[nd] = pd[0][nd];
    td0[nd] = pd[1][nd];
  }
  polar_dv(p[0], td, p[1], td0, &r, &rd, &phi, &phid, nbdirs);
  t = cos(phi + dt);
  t0 = sin(phi + dt);
  for (nd = 0; nd < nbdirs; nd++)
    qd[0][nd] = (rd[nd]*(1 + dt) + r*dtd[nd])*t - r*(1 + dt)*(t0*(phid[nd] + dtd[nd]));
  q[0] = r*(1 + dt)*t;
  t1 = sin(phi + dt);
  t2 = cos(phi + dt);
  for (nd = 0; nd < nbdirs; nd++)
    qd[1][nd] = (rd[nd]*(1 + dt) + r*dtd[nd])*t1 + r*(1 + dt)*(t2*(phid[nd] + dtd[nd]));
  q[1] = r*(1 + dt)*t1;
}

/*  Differentiation of polar in forward (tangent), several directions, mode:
     variations   of useful results: *r *phi
     with respect to varying inputs: x y *r *phi  */
static void polar_dv(double x, double xd[NBDirsMax], double y, double yd[NBDirsMax], double *r, double (*rd)[NBDirsMax], double *phi, double (*phid)[NBDirsMax], int nbdirs) {
  int nd; double t, t0, t1, t2;
  t = sqrt(x*x + y*y);
  t0 = t == 0 ? 0 : 1/(2*t);
  for (nd = 0; nd < nbdirs; nd++)
    (*rd)[nd] = t0*(2*x*xd[nd] + 2*y*yd[nd]);
  *r = t;
  t1 = x/(hypot(y, x) == 0 ? 1 : hypot(y, x))/(hypot(y, x) == 0 ? 1 : hypot(y, x));
  t2 = y/(hypot(y, x) == 0 ? 1 : hypot(y, x))/(hypot(y, x) == 0 ? 1 : hypot(y, x));
  for (nd = 0; nd < nbdirs; nd++)
    (*phid)[nd] = t1*yd[nd] - t2*xd[nd];
  *phi = atan2(y, x);
}
10:#ifndef NBDirsMax
11:#define NBDirsMax 8
12-#endif
13-/*  Differentiation of move in forward (tangent), several directions, mode:
--
16:void move_dv(const double *p, double (*pd)[NBDirsMax], double dt, double dtd[NBDirsMax], double *q, double (*qd)[NBDirsMax], int nbdirs);
17-#ifdef __cplusplus
18-}
$ dagaz tangent multi.c --head "all(all)/(x y)" --multi 6 && dagaz tangent multi.c --head "all(all)/(x y)" && gcc -std=c11 -Wall -Wextra -Werror -O1 -fsanitize=address,undefined -o multi multi_main.c multi.c multi_d.c multi_dv.c -lm && ./multi
0: as one by one value slope
1: as one by one value slope
2: as one by one value slope
3: as one by one value slope
$ sed -n '/^static double \*(/,/^}/p; /^static void change/,/^}/p' multi_dv.c
static void change_dv(double x, double xd[NBDirsMax], double *change, double changed[NBDirsMax], int nbdirs);
static void add_dv(double *to, double (*tod)[NBDirsMax], double by, double byd[NBDirsMax], int nbdirs);

/*  Differentiation of all in forward (tangent), several directions, mode:
     variations   of useful results: all
     with respect to varying inputs: *x y  */
void all_dv(int n, const double *x, double (*xd)[NBDirsMax], double y, double yd[NBDirsMax], double *all, double alld[NBDirsMax], int nbdirs) {
  int nd; double yd0[NBDirsMax], td[NBDirsMax], td1[NBDirsMax], td2[NBDirsMax], td3[NBDirsMax], q, t1;
  for (nd = 0; nd < nbdirs; nd++)
    yd0[nd] = yd[nd];
  double listd[3][NBDirsMax];
  double list[3] = {x[0], 2, y*y};
  memset(listd, 0, sizeof listd);
  for (nd = 0; nd < nbdirs; nd++) {
    listd[0][nd] = xd[0][nd];
    listd[1][nd] = 0;
    listd[2][nd] = 2*y*yd0[nd];
  }
  double copyd[3][NBDirsMax];
  double copy[3];
  Part_diffv partd;
  Part part = {y, .b = {x[1], x[2]*y}};
  memset(&partd, 0, sizeof partd);
  for (nd = 0; nd < nbdirs; nd++) {
    partd.a[nd] = yd0[nd];
    partd.b[0][nd] = xd[1][nd];
    partd.b[1][nd] = xd[2][nd]*y + x[2]*yd0[nd];
  }
  Part_diffv otherd = partd;
  Part other = part;
  double *m;
  for (nd = 0; nd < nbdirs; nd++)
    td[nd] = yd0[nd];
  double (*md)[NBDirsMax] = make_dv(n, y, td, &m, nbdirs);
  double sd[NBDirsMax];
  double td0[NBDirsMax];
  double t;
  for (nd = 0; nd < nbdirs; nd++)
    td1[nd] = xd[1][nd];
  change_dv(x[1], td1, &t, td0, nbdirs);
  double t0d[NBDirsMax];
  double t0;
  for (nd = 0; nd < nbdirs; nd++)
    td2[nd] = yd0[nd];
  change_dv(y, td2, &t0, t0d, nbdirs);
  for (nd = 0; nd < nbdirs; nd++)
    sd[nd] = td0[nd] + t0d[nd];
  double s = t + t0;
  float singled[NBDirsMax];
  for (nd = 0; nd < nbdirs; nd++)
    singled[nd] = (float)(xd[2][nd]*0.5);
  float single = (float)(x[2]*0.5);
  memcpy(copyd, listd, sizeof(double [3][NBDirsMax]));
  memcpy(copy, list, sizeof list);
  for (nd = 0; nd < nbdirs; nd++)
    td3[nd] = xd[0][nd];
  add_dv(&y, &yd0, x[0], td3, nbdirs);
  for (nd = 0; nd < nbdirs; nd++)
    otherd.b[1][nd] += yd0[nd];
  other.b[1] += y;
  for (int i = 0; i < n; i++) {
    q = x[i]/(1 + y*y);
    for (nd = 0; nd < nbdirs; nd++)
      md[i][nd] = md[i][nd]*q + m[i]*((xd[i][nd] - q*(2*y*yd0[nd]))/(1 + y*y));
    m[i] = m[i]*q;
    for (nd = 0; nd < nbdirs; nd++)
      sd[nd] += m[i] > 0 ? md[i][nd]*list[i%3] + m[i]*listd[i%3][nd] : copyd[0][nd];
    s += m[i] > 0 ? m[i]*list[i%3] : copy[0];
  }
  free(md);
  free(m);
  t1 = pow(y, 3);
  for (nd = 0; nd < nbdirs; nd++)
    alld[nd] = sd[nd] + singled[nd] + partd.b[1][nd] + otherd.b[1][nd] + otherd.a[nd] + 3*(y*y)*yd0[nd];
  *all = s + single + part.b[1] + other.b[1] + other.a + t1;
}
static void change_dv(double x, double xd[NBDirsMax], double *change, double changed[NBDirsMax], int nbdirs) {
  int nd; double xd0[NBDirsMax], t;
  for (nd = 0; nd < nbdirs; nd++) {
    xd0[nd] = xd[nd];
    xd0[nd] = 2*x*xd0[nd];
  }
  x = x*x + 1;
  t = cos(x);
  for (nd = 0; nd < nbdirs; nd++)
    changed[nd] = t*xd0[nd];
  *change = sin(x);
}
$ for f in "march:march" "mixture:log_sum_exp Qtimesx(out)/(Qdiag ltri x)" "chol:chol" "relax:relax" "talk:f" "exits:sumtil g" "inner:untagged tagged named members"; do dagaz tangent ${f%%:*}.c --head "${f#*:}" --multi 3 -o many && gcc -std=c11 -Wall -Wextra -Werror -c many_dv.c && echo "${f%%:*} compiles"; done
march compiles
mixture compiles
chol compiles
relax compiles
talk compiles
exits compiles
inner compiles
$ printf '#include <stdlib.h>\ndouble f(double x) {\n  double *p = malloc(8);\n  p[0] = x*x;\n  x = p[0];\n  free(p);\n  return x;\n}\n' > bytes.c && dagaz tangent bytes.c --head f --multi 2
Error at bytes.c:3:3-25:
The size of active memory is not in terms of `sizeof`.
    3 |   double *p = malloc(8);
      |   ^^^^^^^^^^^^^^^^^^^^^^ [c-unsupported]
Hint: write n*sizeof(double)
[2]
$ printf 'double f(double x) {\n  double s = 0;\n  for (double t = x; t < 3; t += x) s += t;\n  return s;\n}\n' > heads.c && dagaz tangent heads.c --head f --multi 2
Error at heads.c:3:29-35:
An active value is computed in the step of a loop, for several directions.
    3 |   for (double t = x; t < 3; t += x) s += t;
      |                             ^^^^^^ [c-unsupported]
[3]
$ dagaz tangent talk.c --head f --multi 2 --context
dagaz: --multi takes a number up to 4096, or `runtime`, and goes without --context
[1]
$ dagaz adjoint talk.c --head f --multi 2 --context
dagaz: --multi takes a number up to 4096, or `runtime`, and goes without --context
[1]
$ dagaz adjoint polar.c --head "move(p dt -> q)" --multi 3 && sed -n '/^void/,$p' polar_bv.c && grep -n -A2 NBDirsMax polar_bv.h
void move_bv(const double *p, double (*pb)[NBDirsMax], double dt, double dtb[NBDirsMax], double *q, double (*qb)[NBDirsMax], int nbdirs) {
  (void)q;
  double r;
  double phi;
  int nd;
  double tb2;
  double tb3;
  double tb4;
  double tb8;
  double tb9;
  double tb10;
  double rb[NBDirsMax] = {0};
  double phib[NBDirsMax] = {0};
  dz_tape tape = {0};
  polar_fwd(p[0], p[1], &r, &rb, &phi, &phib, &tape);
  for (long i = 0; i < 2; i++)
    for (nd = 0; nd < nbdirs; nd++)
      pb[i][nd] = 0;
  for (nd = 0; nd < nbdirs; nd++)
    dtb[nd] = 0;
  double t1 = sin(phi + dt);
  double t2 = cos(phi + dt);
  for (nd = 0; nd < nbdirs; nd++) {
    tb8 = t1*qb[1][nd];
    tb9 = r*(1 + dt)*qb[1][nd];
    tb10 = t2*tb9;
    rb[nd] += (1 + dt)*tb8;
    dtb[nd] += r*tb8 + tb10;
    phib[nd] += tb10;
    qb[1][nd] = 0;
  }
  double t = cos(phi + dt);
  double t0 = sin(phi + dt);
  for (nd = 0; nd < nbdirs; nd++) {
    tb2 = t*qb[0][nd];
    tb3 = r*(1 + dt)*qb[0][nd];
    tb4 = -(t0*tb3);
    rb[nd] += (1 + dt)*tb2;
    dtb[nd] += r*tb2 + tb4;
    phib[nd] += tb4;
    qb[0][nd] = 0;
  }
  polar_bwd(p[0], pb[0], p[1], pb[1], &r, &rb, &phi, &phib, nbdirs, &tape);
  dz_tape_free(&tape);
}
10:#ifndef NBDirsMax
11:#define NBDirsMax 3
12-#endif
13-/*  Differentiation of move in reverse (adjoint), several directions, mode:
--
16:void move_bv(const double *p, double (*pb)[NBDirsMax], double dt, double dtb[NBDirsMax], double *q, double (*qb)[NBDirsMax], int nbdirs);
17-#ifdef __cplusplus
18-}
$ dagaz adjoint polar.c --head "move(p dt -> q)" && for m in "--multi 3" ""; do dagaz adjoint multi.c --head "all(all)/(x y)" --length "x[n]" $m; done && gcc -std=c11 -Wall -Wextra -Werror -O1 -fsanitize=address,undefined -o adjoints multi_adjoint.c polar.c polar_b.c polar_bv.c multi.c multi_b.c multi_bv.c -lm && ./adjoints
all, 0: as one by one
all, 1: as one by one
all, 2: as one by one
move, 0: as one by one
move, 1: as one by one
$ sed -n '/^static void add_bwd.*{/,/^}/p; /^  for (i = n - 1/,/^  }/p' multi_bv.c
  for (i = n - 1; i >= 0; i--) {
    for (nd = 0; nd < nbdirs; nd++) {
      xb[nd] += pb[i][nd];
      pb[i][nd] = 0;
    }
  }
static void add_bwd(double *to, double (*tob)[NBDirsMax], double by, double byb[NBDirsMax], int nbdirs, dz_tape *tape0) {
  (void)by;
  int nd;
  double byb0[NBDirsMax] = {0};
  for (nd = 0; nd < nbdirs; nd++)
    byb0[nd] = 0;
  *to = dz_pop_real(tape0);
  for (nd = 0; nd < nbdirs; nd++) {
    byb0[nd] += (*tob)[nd];
    byb[nd] += byb0[nd];
  }
}
  for (i = n - 1; i >= 0; i--) {
    for (nd = 0; nd < nbdirs; nd++) {
      if (m[i] > 0) {
        mb[i][nd] += list[i%3]*sb[nd];
      }
      if (m[i] > 0) {
        listb[i%3][nd] += m[i]*sb[nd];
      }
      if (!(m[i] > 0)) {
        copyb[0][nd] += sb[nd];
      }
    }
    m[i] = dz_pop_real(&tape);
    q = x[i]/(1 + y*y);
    for (nd = 0; nd < nbdirs; nd++) {
      tb4 = m[i]*mb[i][nd]/(1 + y*y);
      tb5 = -(q*tb4);
      xb[i][nd] += tb4;
      yb0[nd] += 2*y*tb5;
      mb[i][nd] = q*mb[i][nd];
    }
  }
$ for f in "march:march" "mixture:log_sum_exp Qtimesx(out)/(Qdiag ltri x)" "chol:chol" "relax:relax" "talk:f" "exits:sumtil g" "inner:untagged tagged named members"; do dagaz adjoint ${f%%:*}.c --head "${f#*:}" --multi 3 -o many && gcc -std=c11 -Wall -Wextra -Werror -c many_bv.c && echo "${f%%:*} compiles"; done
march compiles
mixture compiles
chol compiles
relax compiles
talk compiles
exits compiles
inner compiles
$ printf 'static double *at(double *a, int i) { return a + i; }\ndouble f(double *x) { double *p = at(x, 1); return *p * x[0]; }\n' > at.c; dagaz tangent at.c --head "f(f)/(x)" --multi runtime 2>&1 | sed -n '2p; $p'; dagaz tangent at.c --head "f(f)/(x)" --multi 4 -o at && gcc -Wall -Werror -c at_dv.c && echo compiled
A function that returns a pointer to numbers, for a number of directions that is known when it runs.
Hint: say the most directions, --multi 16, or give the pointer through a parameter
compiled
