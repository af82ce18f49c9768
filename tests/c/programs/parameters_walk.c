// f(f x y)/(x y) | x[n] y[n] | n=6 |
// Parameters walk and are assigned; out and in-out arrays in the middle of sums.
static double sum(const double *a, int n, double *out) { double s = 0; while (n--) { *out++ += *a*s; s += *a++; } return s; }
static double sum2(double *a, int n, double h) { h *= 2; double s = h; for (; n > 0; n -= 2, a++) { h = h*0.5 + *a; *a = h*s; s += h; } return s + h; }
double f(int n, double *x, double *y) { double s = 0; for (int k = 0; k < 3; k++) { s += sum(x, n, y); s += sum2(y + 1, n - 1, s)*sum(y, n/2, x + n/2); } return s; }
