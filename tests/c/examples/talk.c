void f(double v1, double p1, double v3, double *v4) {
  double v2;
  v2 = 2*v1 + 5;
  *v4 = v2 + p1*v3/v2;
}
