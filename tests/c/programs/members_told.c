// layer(layer)/(l.w l.bias l.gain l.shift x) | l.w[6] l.bias[2] x[3] l.unused[1] | |
// How long the memory is that members lead to: adjoints of inputs start at zero there.
#include <math.h>
typedef struct { int in; double *w; const double *bias; double gain, shift[2], *unused; } Layer;
double layer(Layer *l, const double *x) {
  double s = 0;
  for (int o = 0; o < 2; o++) {
    double z = l->bias[o] + l->shift[o];
    for (int i = 0; i < 3; i++) z += l->w[o*3 + i]*x[i];
    s += l->gain*tanh(z);
  }
  return s;
}
