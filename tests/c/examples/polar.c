#include <math.h>
void polar(double x, double y, double *r, double *phi) {
  *r = sqrt(x*x + y*y);
  *phi = atan2(y, x);
}
void move(double const *p, double dt, double *q) {
  double r, phi;
  polar(p[0], p[1], &r, &phi);
  q[0] = r * (1 + dt) * cos(phi + dt);
  q[1] = r * (1 + dt) * sin(phi + dt);
}
