// walsh(a)/(a) | a[16] | |
// Bit tricks: parity, reversal, lowest set bit, Gray code; signs from parity.
static int parity(unsigned v) { v ^= v >> 8; v ^= v >> 4; v ^= v >> 2; v ^= v >> 1; return v & 1; }
static unsigned rev4(unsigned v) { v = ((v & 5) << 1) | ((v >> 1) & 5); return ((v & 3) << 2) | (v >> 2); }
void walsh(double *a) {
  double t[16];
  for (unsigned i = 0; i < 16; i++) {
    double s = 0;
    for (unsigned j = 0; j < 16; j++) s += (parity(i & j) ? -1 : 1)*a[j]*a[j ^ (j >> 1)];
    t[rev4(i)] = s;
  }
  for (unsigned i = 1; i < 16; i++) a[i] = t[i] + 0.5*t[i & (i - 1)] - t[i & -i];
}
