// horner(horner)/(c x) | c[n] x[3] | n=6 |
// Pointers that walk backwards, difference and comparison of pointers, post-increment chains.
double horner(int n, const double *c, double *x) {
  double s = 0;
  for (double *p = x; p < x + 3; ++p) {
    const double *q = c + n;
    double v = 0;
    while (q != c) v = v**p + *--q;
    s += v*(p - x + 1);
  }
  const double *e = c, *end = c + n;
  double w = 1;
  while (e < end - 1) { w += *e*e[1]*0.5; e++; if (e - c > 3) break; }
  double *d = x + 2;
  *d-- *= w; *d = *d + d[1]; d[-1] = d[0]*d[1];
  return s*w + x[0] + x[1]*x[2];
}
