// soa(soa s)/(s) | s[n] | n=2 |
// Members of two dimensions in arrays of structs.
typedef struct { int n; double x[4], m[2][3]; float w[2][1][2]; } S;
double soa(int n, S *s) {
  double r = 0;
  for (int k = 0; k < n; k++) {
    s[k].n = 3;
    for (int i = 0; i < 3; i++) {
      s[k].x[i + 1] *= s[k].x[i];
      for (int j = 0; j < 2; j++) r += s[k].m[j][i]*s[k].x[i]*s[k].w[j][0][i & 1];
    }
  }
  S c = *s;
  c.x[0] = r;
  return c.x[0]*c.x[3] + s[n - 1].w[1][0][0]*c.m[1][2];
}
