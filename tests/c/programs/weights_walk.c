// network(network)/(w x) | w[3*4+4+4*2+2] x[3] | |
// A parameter that is a pointer moves on; an enumeration decides in a switch.
#include <math.h>
typedef enum { LINEAR, TANH, SOFTPLUS } Act;
static double act(Act a, double x) {
  switch (a) {
    case LINEAR: return x;
    case TANH: return tanh(x);
    case SOFTPLUS: default: return log1p(exp(x));
  }
}
static const double *dense(const double *w, int nin, int nout, const double *in, double *out, Act a) {
  for (int o = 0; o < nout; o++) {
    double s = 0;
    for (int i = 0; i < nin; i++) s += *w++*in[i];
    out[o] = s;
  }
  for (int o = 0; o < nout; o++) out[o] = act(a, out[o] + *w++);
  return w;
}
double network(const double *w, const double *x) {
  double h[4], y[2];
  w = dense(w, 3, 4, x, h, TANH);
  dense(w, 4, 2, h, y, SOFTPLUS);
  double m = fmax(y[0], y[1]), z = exp(y[0] - m) + exp(y[1] - m);
  return y[1] - m - log(z);
}
