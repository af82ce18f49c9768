// walk(walk)/(v w) | v[n] w[n] next[n] | n=5 next=5 |
// A list by indices in an integer array, a stack of integers, marks in bits.
double walk(int n, const double *v, double *w, const int *next) {
  unsigned long seen = 0;
  int stack[32], top = 0, at = 0;
  double s = 0;
  while (!(seen >> at & 1ul)) {
    seen |= 1ul << at;
    stack[top++] = at;
    w[at] = w[at]*v[at] + s;
    s += w[at]*v[next[at] % n];
    at = next[at] % n;
  }
  while (top > 0) { int k = stack[--top]; s = s*0.5 + w[k]*v[k]; }
  return s;
}
