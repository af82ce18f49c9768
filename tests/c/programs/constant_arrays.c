// f(f x y)/(x y) | x[n] y[n] | n=6 |
// Arrays of constants that are computed, in loops too.
typedef struct { double w, v; } Pair;
double f(int n, double *x, double *y) {
  const double w[2] = {x[0], x[1]*y[0]};
  const double m[2][2] = {{x[0], 1}, {y[1], x[2]}};
  double s = 0;
  for (int i = 0; i < n; i++) {
    const double t[3] = {x[i], w[i & 1]}, c[] = {0.5, -1, 2};
    const Pair q = {x[i], y[i]};
    const int k[2] = {i, n - 1 - i};
    if (s > 3) continue;
    s += c[i % 3]*t[0]*t[1]*m[i & 1][1] + q.w*q.v*y[k[1]] + t[2];
  }
  return s;
}
