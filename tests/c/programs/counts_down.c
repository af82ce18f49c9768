// student(student)/(mu sigma nu x) | x[n] | n=5 | 0.5:2 |
// A size that the function counts down.
#include <math.h>
double student(unsigned n, const double *x, double mu, double sigma, double nu) {
  double c = lgamma((nu + 1)*0.5) - lgamma(nu*0.5) - log(sigma), s = n*c;
  while (n > 0) {
    n--;
    double z = (x[n] - mu)/sigma;
    s -= 0.5*(nu + 1)*log1p(z*z/nu);
  }
  return s;
}
