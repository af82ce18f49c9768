#include <math.h>
/* A damped pendulum by Euler's method: its angle after some steps. */
double pendulum(int steps, double h, double damping, double angle) {
  double speed = 0;
  for (int i = 0; i < steps; i++) {
    double slope = -damping*speed - sin(angle);
    angle += h*speed;
    speed += h*slope;
  }
  return angle;
}
