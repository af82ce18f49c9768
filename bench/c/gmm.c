// The GMM objective of examples/gmm.fut and its gradient, as a careful programmer writes them by
// hand: one pass over the points, components inside, triangular factors, gradient by the chain rule.
#include "common.h"

static Array alpha, mu, q, l, x;
static double gamma_, objective;
static int64_t wishart_m, n, k, d, t;
static double *factor, *sums, *terms, *y, *xc, *ga, *gm, *gq, *gl;

static int64_t below(int64_t i, int64_t j) { return d * j + i - j - 1 - j * (j + 1) / 2; }

static void prepare(void) {
  for (int64_t c = 0; c < k; c++) {
    sums[c] = 0;
    for (int64_t i = 0; i < d; i++) {
      sums[c] += q.f[c * d + i];
      for (int64_t j = 0; j < d; j++)
        factor[(c * d + i) * d + j] = i < j ? 0 : i == j ? exp(q.f[c * d + i]) : l.f[c * t + below(i, j)];
    }
  }
}

static double logsumexp(const double *v, int64_t len) {
  double m = -INFINITY, s = 0;
  for (int64_t i = 0; i < len; i++) m = v[i] > m ? v[i] : m;
  for (int64_t i = 0; i < len; i++) s += exp(v[i] - m);
  return m + log(s);
}

static double prior(void) {
  double nn = (double)(d + wishart_m + 1), frobenius = 0, sum_q = 0;
  for (int64_t i = 0; i < k * d * d; i++) frobenius += factor[i] * factor[i];
  for (int64_t i = 0; i < k * d; i++) sum_q += q.f[i];
  double lgd = 0.25 * (double)(d * (d - 1)) * log(M_PI);
  for (int64_t j = 1; j <= d; j++) lgd += lgamma(0.5 * nn + 0.5 * (double)(1 - j));
  double c = nn * (double)d * (log(gamma_) - 0.5 * log(2)) - lgd;
  return 0.5 * gamma_ * gamma_ * frobenius - (double)wishart_m * sum_q - (double)k * c;
}

static void term_compute(int64_t i, int64_t c, double *yc, double *xcc) {
  double s = 0;
  for (int64_t b = 0; b < d; b++) xcc[b] = x.f[i * d + b] - mu.f[c * d + b];
  for (int64_t r = 0; r < d; r++) {
    double v = 0;
    for (int64_t b = 0; b <= r; b++) v += factor[(c * d + r) * d + b] * xcc[b];
    yc[r] = v;
    s += v * v;
  }
  terms[c] = alpha.f[c] + sums[c] - 0.5 * s;
}

static void objective_compute(void) {
  prepare();
  double total = 0;
  for (int64_t i = 0; i < n; i++) {
    for (int64_t c = 0; c < k; c++) term_compute(i, c, y, xc);
    total += logsumexp(terms, k);
  }
  objective = total - (double)(n * d) * 0.5 * log(2 * M_PI) -
              (double)n * logsumexp(alpha.f, k) - prior();
}

static void gradient_point(int64_t i) {
  for (int64_t c = 0; c < k; c++) term_compute(i, c, y + c * d, xc + c * d);
  double lse = logsumexp(terms, k);
  for (int64_t c = 0; c < k; c++) {
    double w = exp(terms[c] - lse);
    ga[c] += w;
    for (int64_t r = 0; r < d; r++) {
      double wy = w * y[c * d + r];
      gq[c * d + r] += w - wy * xc[c * d + r] * factor[(c * d + r) * d + r];
      for (int64_t b = 0; b < r; b++) gl[c * t + below(r, b)] -= wy * xc[c * d + b];
      for (int64_t b = 0; b <= r; b++) gm[c * d + b] += wy * factor[(c * d + r) * d + b];
    }
  }
}

static void gradient_compute(void) {
  prepare();
  memset(ga, 0, (size_t)k * 8);
  memset(gm, 0, (size_t)(k * d) * 8);
  memset(gq, 0, (size_t)(k * d) * 8);
  memset(gl, 0, (size_t)(k * t) * 8);
  for (int64_t i = 0; i < n; i++) gradient_point(i);
  double lse = logsumexp(alpha.f, k);
  for (int64_t c = 0; c < k; c++) {
    ga[c] -= (double)n * exp(alpha.f[c] - lse);
    for (int64_t r = 0; r < d; r++) {
      double diagonal = factor[(c * d + r) * d + r];
      gq[c * d + r] += -gamma_ * gamma_ * diagonal * diagonal + (double)wishart_m;
    }
    for (int64_t j = 0; j < t; j++) gl[c * t + j] -= gamma_ * gamma_ * l.f[c * t + j];
  }
}

int main(int argc, char **argv) {
  need(argc == 3);
  alpha = array_read(), mu = array_read(), q = array_read(), l = array_read(), x = array_read();
  gamma_ = array_read().f[0];
  wishart_m = array_read().i[0];
  n = x.dims[0], d = x.dims[1], k = alpha.len, t = l.dims[1];
  factor = calloc((size_t)(k * d * d), 8), sums = calloc((size_t)k, 8), terms = calloc((size_t)k, 8);
  y = calloc((size_t)(k * d), 8), xc = calloc((size_t)(k * d), 8);
  ga = calloc((size_t)k, 8), gm = calloc((size_t)(k * d), 8), gq = calloc((size_t)(k * d), 8);
  gl = calloc((size_t)(k * t) + 1, 8);
  int is_gradient = strcmp(argv[1], "gradient") == 0, runs = atoi(argv[2]);
  run(is_gradient ? gradient_compute : objective_compute, runs);
  if (runs) return 0;
  if (!is_gradient) numbers_print(&objective, 1);
  else numbers_print(ga, k), numbers_print(gm, k * d), numbers_print(gq, k * d), numbers_print(gl, k * t);
  return 0;
}
