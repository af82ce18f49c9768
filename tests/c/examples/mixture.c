#include <math.h>
double log_sum_exp(int n, double const *x) {
  int i;
  double mx = x[0];
  for (i = 1; i < n; i++) if (mx < x[i]) mx = x[i];
  double semx = 0.0;
  for (i = 0; i < n; i++) semx = semx + exp(x[i] - mx);
  return log(semx) + mx;
}
void Qtimesx(int d, double const *Qdiag, double const *ltri, double const *x, double *out) {
  int i, j, Lparamsidx = 0;      // ltri: strictly lower triangular part
  for (i = 0; i < d; i++) out[i] = Qdiag[i] * x[i];
  for (i = 0; i < d; i++)
    for (j = i + 1; j < d; j++) {
      out[j] = out[j] + ltri[Lparamsidx] * x[i];
      Lparamsidx++;
    }
}
