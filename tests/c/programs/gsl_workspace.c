// integrate(integrate)/(p) | p[3] | |
// A workspace struct in the style of GSL: allocated, filled, sorted by error, freed.
#include <math.h>
#include <stdlib.h>
typedef struct { size_t limit, size; double *alist, *blist, *rlist, *elist; } workspace;
static workspace *workspace_alloc(size_t n) {
  workspace *w = malloc(sizeof(workspace));
  w->limit = n; w->size = 0;
  w->alist = malloc(n*sizeof(double)); w->blist = malloc(n*sizeof(double));
  w->rlist = malloc(n*sizeof(double)); w->elist = malloc(n*sizeof(double));
  return w;
}
static void workspace_free(workspace *w) { free(w->alist); free(w->blist); free(w->rlist); free(w->elist); free(w); }
static double g(double x, const double *p) { return p[0]*exp(-p[1]*x*x) + p[2]*x; }
static void rule(double a, double b, const double *p, double *r, double *e) {
  double h = b - a, m = 0.5*(a + b);
  double t = 0.5*h*(g(a, p) + g(b, p)), s = h*(g(a, p) + 4*g(m, p) + g(b, p))/6;
  *r = s; *e = fabs(s - t);
}
double integrate(const double *p) {
  workspace *w = workspace_alloc(8);
  double r, e;
  rule(0, 2, p, &r, &e);
  w->alist[0] = 0; w->blist[0] = 2; w->rlist[0] = r; w->elist[0] = e; w->size = 1;
  while (w->size < w->limit) {
    size_t worst = 0;
    for (size_t i = 1; i < w->size; i++) if (w->elist[i] > w->elist[worst]) worst = i;
    double a = w->alist[worst], b = w->blist[worst], m = 0.5*(a + b);
    rule(a, m, p, &r, &e);
    w->blist[worst] = m; w->rlist[worst] = r; w->elist[worst] = e;
    rule(m, b, p, &r, &e);
    w->alist[w->size] = m; w->blist[w->size] = b; w->rlist[w->size] = r; w->elist[w->size] = e;
    w->size++;
  }
  double sum = 0;
  for (size_t i = 0; i < w->size; i++) sum += w->rlist[i];
  workspace_free(w);
  return sum;
}
