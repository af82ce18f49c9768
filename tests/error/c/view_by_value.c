// run: adjoint --stdout --head "f" --length "x[n]"
typedef struct { double *p; int n; } View;
static double walked(View v) {  //! c-unsupported A struct with pointers is passed by value and changed
  double s = 0;
  while (v.n-- > 0) s += *v.p**v.p, v.p++;
  return s;
}
double f(int n, double *x) {
  View v = {x, n};
  return walked(v);
}
