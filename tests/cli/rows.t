$ cp $DAGAZ_ROOT/tests/cli/rows*.c .
$ for m in tangent adjoint; do dagaz $m rows.c --head "rows(rows a)/(a x) scaled(a b)/(a b f) vector(vector v)/(v) table(table t)/(x t)"; done && gcc -std=c11 -Wall -Wextra -Werror -O1 -fsanitize=address,undefined -o rows rows_main.c rows.c rows_d.c rows_b.c -lm && ./rows
rows: tangent, differences and adjoint agree
scaled: tangent, differences and adjoint agree
vector: tangent, differences and adjoint agree
table: tangent, differences and adjoint agree
$ sed -n '/^void scaled_b/,/^}/p' rows_b.c
void scaled_b(int n, int m, double **a, double **ab, double *const *b, double **bb, double f, double *fb) {
  int i;
  double *to = 0;
  int j;
  double tb0;
  double *tob = 0;
  dz_tape tape = {0};
  for (i = 0; i < n; i++) {
    dz_push_pointer(&tape, to);
    dz_push_pointer(&tape, tob);
    tob = ab[i];
    to = a[i];
    for (j = 0; j < m; j++) {
      dz_push_real(&tape, to[j]);
      to[j] = to[j]*b[i][j]*f;
    }
  }
  *fb = 0;
  for (i = n - 1; i >= 0; i--) {
    for (j = m - 1; j >= 0; j--) {
      to[j] = dz_pop_real(&tape);
      tb0 = f*tob[j];
      bb[i][j] += to[j]*tb0;
      *fb += to[j]*b[i][j]*tob[j];
      tob[j] = b[i][j]*tb0;
    }
    tob = dz_pop_pointer(&tape);
    to = dz_pop_pointer(&tape);
  }
  dz_tape_free(&tape);
}
$ dagaz adjoint rows.c --head "rows(rows)/(a x)"
Error at rows.c:8:36-37:
How much memory the pointers in `a` lead to is not known, so its adjoint cannot start at zero.
    8 | double rows(int n, int m, double **a, const double *x) {
      |                                    ^ [c-length]
Hint: name it as an output, too, and zero its adjoint before the call
[2]
$ dagaz adjoint rows.c --head "vector(vector)/(v)" --length "v[1]"
Error at rows.c:22:29-30:
How much memory the pointers in `v` lead to is not known, so its adjoint cannot start at zero.
   22 | double vector(const Vector *v) {
      |                             ^ [c-length]
Hint: name it as an output, too, and zero its adjoint before the call
[2]
$ printf 'typedef struct { int n; double *at; } M;\ndouble f(M *m) { double r = 0; for (int i = 0; i < m->n; i++) r += m->at[i]*m->at[i]; return r; }\n' > member.c; dagaz adjoint member.c --head "f(f)/(m.at)" --length "m.at[m->n]" --stdout | sed -n '/^  for (long/,/= 0;/p'; dagaz adjoint member.c --head "f(f)/(m.at)" 2>&1 | sed -n '2p; $p'
  for (long i0 = 0; i0 < (m->n); i0++)
    mb->at[i0] = 0;
How long `m.at` is cannot be told from its uses.
Hint: say it in terms of the parameters: --length "m.at[n]", or `#pragma dagaz length m.at[n]`
