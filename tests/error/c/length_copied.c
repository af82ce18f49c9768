// run: adjoint --stdout --head "march(u)/(u)" --length "u[s->n]"
typedef struct { int n; } Size;
void march(Size *s, double *u, int steps) {  //! c-length The length of this memory may change
  /* $AD BINOMIAL-CKP steps+1 4 1 */
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < s->n; i++) u[i] = u[i]*u[i];
    if (s->n > 1) s->n--;
  }
}
