$ printf '#include <math.h>\ndouble f(double x, double y) {\n  long double u = x, v = y, s = sqrtl(u) + cbrtl(u)*expl(v) + expm1l(u) + logl(u)*log1pl(v);\n  s += log2l(u) + log10l(v) + sinl(u)*cosl(v) + tanl(u) + asinl(u)*acosl(v) + atanl(u*v);\n  s += sinhl(u)*coshl(v) + tanhl(u*v) + fabsl(u - 1) + powl(u, v) + powl(u, 3) + atan2l(u, v);\n  s += hypotl(u, v)*fminl(u, 2*v) + fmaxl(u*v, v)*floorl(u + 3) + ceill(v) + roundl(u) + truncl(v);\n  return (double)s;\n}\n' > f.c && dagaz adjoint f.c --head "f(f)/(x y)" --context && gcc -O1 -Wall -Wextra -Werror -o f f_check.c f.c f_d.c f_b.c -lm && ./f --range=0.3:0.9 | cut -d: -f1
f
  tangent, differences
  adjoint, differences
  adjoint, dot product with tangent
they agree
$ printf '#include <math.h>\ndouble f(double x, double y) { return remainder(x*x, y)*x + remainder(7, x); }\n' > f.c && dagaz adjoint f.c --head "f(f)/(x y)" --context && gcc -O1 -o f f_check.c f.c f_d.c f_b.c -lm && ./f --range=0.6:3 | tail -1
they agree
