// total(total)/(m.data x s.y) | m.data[m->n] x[p->n] s.y[s->n] | m.n=3 p.n=3 s.n=2 |
// Lengths in terms of members that the function changes: adjoints start at zero before it does.
typedef struct { int n; double *data; } Vector;
typedef struct { int n; double scale; } Size;
typedef struct { int n; const double *y; } Stack;
static double pop(Stack *s) { return s->n > 0 ? s->y[--s->n]*s->y[0] : 0; }
double total(Vector *m, Size *p, const double *x, Stack *s) {
  double t = 0;
  for (int i = 0; i < m->n; i++) t += m->data[i]*m->data[i];
  for (int i = 0; i < p->n; i++) t += x[i]*x[i]*p->scale;
  t *= pop(s);
  t += pop(s);
  m->n = 1;
  p->n = 0;
  return t;
}
