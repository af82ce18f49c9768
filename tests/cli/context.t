$ cp $DAGAZ_ROOT/tests/c/examples/*.[ch] .
$ echo 'gcc -Wall -Wextra -Werror -Wno-unused-parameter -O1 -o check $1_check.c $1.c $1_d.c $1_b.c -lm' > build
$ dagaz adjoint march.c --head "march(march y)/(y e)" --length "y[k]" --context && sh build march && ./check k=7 | cut -d: -f1
march
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
they agree
$ dagaz tangent mixture.c --context --head "log_sum_exp(log_sum_exp)/(x) Qtimesx(out)/(Qdiag ltri x)" && sh build mixture && ./check n=4 d=5 | grep agree
they agree
$ dagaz adjoint relax.c --context --head "relax(u f c -> u)" && sh build relax && ./check n=9 | grep agree
they agree
$ sed -i 's/sb += 2\*s/sb += 3*s/' march_b.c && sh build march && ./check k=7 | tail -1
they disagree
$ dagaz adjoint march.c --head "march(march y)/(y e)" --length "y[k]" && sed -i 's/yb\[i\] = 0;//' march_b.c && sh build march && ./check k=7 | tail -1
they disagree
$ dagaz adjoint chol.c --head chol --context --length "a[n*n]" && sh build chol && ./check | tail -2
  nothing was compared; choose another range
they disagree
$ dagaz adjoint polar.c --head "move(q)/(p)" --context && sh build polar && ./check | grep agree
they agree
$ printf 'typedef struct { double a; } S;\ndouble f(S *s) { return s->a * s->a; }\n' > s.c && dagaz adjoint s.c --head "f(f)/(s)" --context -o s && gcc -o s s_check.c s.c s_d.c s_b.c -lm && ./s | tail -1
they agree
