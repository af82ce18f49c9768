// energy(energy)/(q p) | | n=3 |
typedef struct { double kin, pot; double parts[3]; } Energy;
static Energy energies(int n, const double *q, const double *p) {
  Energy e = {0};
  for (int i = 0; i < n; i++) {
    e.kin += p[i]*p[i]/2;
    e.pot += q[i]*q[i]*q[i];
    e.parts[i % 3] += q[i]*p[i];
  }
  return e;
}
static Energy scaled(Energy e, double by) {
  e.kin *= by;
  e.parts[1] = e.parts[0]*by;
  return e;
}
double energy(int n, const double q[n], const double p[n]) {
  Energy e = scaled(energies(n, q, p), q[0]);
  e = scaled(e, p[0]);
  return e.kin + e.pot*e.parts[1] + e.parts[2];
}
