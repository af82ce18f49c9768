// run: adjoint --stdout --head "f" --length "x[n]"
typedef struct { double *at; int n; } View;
double f(int n, const double *x) {
  double w[4], s = 0;
  View a = {w, 4}, b = {w + 1, 3}, v;
  for (int i = 0; i < n; i++) {
    v = i & 1 ? a : b;  //! c-unsupported A struct with pointers to active memory is copied
    v.at[i & 3] = x[i];
    s += v.at[0]*v.at[1];
  }
  return s;
}
