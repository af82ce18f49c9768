// run: cc --stage core -e f
// status 3
typedef struct { int n; double *at; } Vector;
double f(Vector *v) {  //! c-points-to A struct with pointers
  return v->at[0];
}
