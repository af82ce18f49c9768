// run(run)/(x k) | x[n] k[3] code[n] | n=8 code=0 |
// A switch state machine over data and integer codes; states fall through.
#include <math.h>
enum State { IDLE, RISE, HOLD, FALL, DONE };
double run(int n, const double *x, const double *k, const int *code) {
  enum State s = IDLE;
  double v = 0, out = 0;
  int i = 0;
  while (i < n && s != DONE) {
    switch (s) {
      case IDLE:
        if (x[i] > -0.5) s = RISE;
        v += 0.1*x[i];
        break;
      case RISE:
        v += k[0]*x[i];
        if (v > 0.6 || code[i] == 3) s = HOLD;
        /* fall through */
      case HOLD:
        out += v*k[1];
        if (i % 3 == 2) s = FALL;
        break;
      case FALL:
        v *= exp(-k[2]*x[i]*x[i]);
        if (fabs(v) < 0.05) { s = DONE; continue; }
        s = i & 1 ? RISE : IDLE;
        break;
      default: return -1;
    }
    i++;
  }
  return out + v;
}
