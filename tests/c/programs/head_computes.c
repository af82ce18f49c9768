// lj(lj f)/(pos) | pos[n] f[n] | n=4 |
// An active value in the head of a loop; pointers that walk to an end that is declared there.
double lj(int n, const double (*pos)[3], double (*f)[3]) {
  double e = 0, d[3], r2, w[4] = {0.5, 1, 2, 0.25};
  int i, j, k;
  for (i = 0; i < n; i++) for (k = 0; k < 3; k++) f[i][k] = 0.0;
  for (i = 0; i < n - 1; i++)
    for (j = i + 1; j < n; j++) {
      for (r2 = 1 + pos[i][0]*pos[i][0], k = 0; k < 3; k++) {
        d[k] = pos[i][k] - pos[j][k];
        r2 += d[k]*d[k];
      }
      if (r2 > 9.0) continue;
      double s6 = 1/(r2*r2*r2);
      e += 4*(s6*s6 - s6);
      const double *p = d;
      for (const double *q = w; q != w + 3;) e += *q++ * *p++;
      for (k = 0; k < 3; k++) { f[i][k] += s6*d[k]; f[j][k] -= s6*d[k]; }
    }
  return e;
}
