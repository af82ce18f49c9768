// run: cc --stage core -e f
// status 3
typedef struct { int n; double **at; } Vector;
double f(Vector *v, Vector *unused) {
  (void)unused;
  return v->at[0][0];  //! c-points-to a struct whose pointers lead to other pointers
}
