// spectrum(power)/(x) | | bits=3 |
// Arrays whose length is computed; a recursive transform.
#include <math.h>
static void fft(const double *re, const double *im, int n, int stride, double *ore, double *oim) {
  if (n == 1) { *ore = *re; *oim = *im; return; }
  int h = n/2;
  fft(re, im, h, 2*stride, ore, oim);
  fft(re + stride, im + stride, h, 2*stride, ore + h, oim + h);
  for (int k = 0; k < h; k++) {
    double w = -2*M_PI*k/n, c = cos(w), s = sin(w);
    double tr = c*ore[k + h] - s*oim[k + h], ti = s*ore[k + h] + c*oim[k + h];
    ore[k + h] = ore[k] - tr; oim[k + h] = oim[k] - ti;
    ore[k] += tr; oim[k] += ti;
  }
}
void spectrum(int bits, const double x[1 << bits], double power[1 << bits]) {
  int n = 1 << bits;
  double re[n], im[n], a[n], b[n];
  for (int i = 0; i < n; i++) re[i] = x[i], im[i] = 0;
  fft(re, im, n, 1, a, b);
  for (int i = 0; i < n; i++) power[i] = a[i]*a[i] + b[i]*b[i];
}
