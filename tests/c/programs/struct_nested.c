// f(f)/(x y) | x[n] y[n] | n=6 |
// What is copied in an array of structs inside a struct has a derivative.
typedef struct { struct { double a[2]; } in[3]; } Nest;
double f(int n, double *x, double *y) {
  Nest s, t;
  for (int i = 0; i < 3; i++) for (int j = 0; j < 2; j++) s.in[i].a[j] = x[(i + j) % n]*y[i];
  t = s;
  double r = 0;
  for (int i = 0; i < 3; i++) r += t.in[i].a[0]*t.in[i].a[1];
  return r;
}
