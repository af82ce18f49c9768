// f(f x y)/(x y) | x[n] y[n] | n=6 |
// Structs with members that are arrays of structs, or of two dimensions, are copied and swapped.
typedef struct { double a, b; } Pair;
typedef struct { Pair p[2]; double g[2][2]; int k; } Box;
static Box turned(Box b, double by) { Box r = b; r.p[0] = b.p[1]; r.p[1].a = b.p[0].b*by; r.g[1][0] *= by; return r; }
static void swap(Box *a, Box *b) { Box t = *a; *a = *b; *b = t; }
double f(int n, double *x, double *y) {
  Box u = {{{x[0], y[0]}, {x[1], 2}}, {{1, x[2]}, {y[2], y[1]}}, n}, v = u, w[2];
  w[0] = turned(v, y[1]);
  w[1] = w[0];
  swap(&w[1], &u);
  swap(w, w + 1);
  for (int i = 0; i < 2; i++) { x[i] = u.p[i].a*w[0].p[1 - i].b; y[i] = w[1].p[i].a + w[1].g[i][1 - i]*u.g[1][i]; }
  return v.p[1].a*w[0].g[1][0] + u.k;
}
