// spectrum(p)/(re im) | re[n] im[n] p[n] | n=8 |
// Recursive radix-2 FFT with strides and scratch memory, then a power spectrum.
#include <math.h>
#include <stdlib.h>
static void fft(int n, int stride, const double *re, const double *im, double *or, double *oi) {
  if (n == 1) { or[0] = re[0]; oi[0] = im[0]; return; }
  int h = n/2;
  fft(h, 2*stride, re, im, or, oi);
  fft(h, 2*stride, re + stride, im + stride, or + h, oi + h);
  for (int k = 0; k < h; k++) {
    double c = cos(-6.283185307179586*k/n), s = sin(-6.283185307179586*k/n);
    double tr = c*or[k + h] - s*oi[k + h], ti = s*or[k + h] + c*oi[k + h];
    or[k + h] = or[k] - tr; oi[k + h] = oi[k] - ti;
    or[k] += tr; oi[k] += ti;
  }
}
void spectrum(int n, const double *re, const double *im, double *p) {
  double *a = malloc(n*sizeof(double)), *b = malloc(n*sizeof(double));
  fft(n, 1, re, im, a, b);
  for (int k = 0; k < n; k++) p[k] = a[k]*a[k] + b[k]*b[k];
  free(a); free(b);
}
