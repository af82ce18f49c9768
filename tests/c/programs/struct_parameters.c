// f(f x y)/(x y) | x[n] y[n] | n=6 |
// Members of structs by value are changed: directly, through a pointer, by a function.
typedef struct { double v[2]; double m; int k; } P;
static double use(P p, double by) { p.v[p.k & 1] *= by; p.k++; double r = p.v[0]*p.m; p.m = r*by; p.v[p.k & 1] += p.m; return r + p.v[0]*p.v[1]; }
static void bump(P *p, double t) { p->m += t*p->v[0]; p->k += 1; }
static double local(P p, const double *w) { double *q = p.v; for (int i = 0; i < 2; i++) { *q *= w[i]; q++; } bump(&p, p.v[1]); return p.m*p.v[0]; }
double f(int n, double *x, double *y) {
  P p = {{x[0], x[1]}, y[0], 0};
  double s = 0;
  for (int i = 0; i < n; i++) { s += use(p, y[i]) - local(p, x + i/2); bump(&p, 0.3*x[i]); p.v[p.k & 1] += s*0.1; }
  return s*p.m + p.v[0];
}
