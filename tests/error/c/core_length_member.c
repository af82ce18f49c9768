// run: cc --stage core -e f
typedef struct { int n; double *at; } Vector;
void f(Vector *v) {  //! c-length How long `v.at`
  for (int i = 0; i < v->n; i++) v->at[i] *= 2;
}
