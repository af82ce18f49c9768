int f(int i) {
  i = i++ + 1;  //! c-unsequenced `i` is written and used
  return i;
}
int two(int a, int b) { return a + b; }
int g(int i) {
  return two(i, i++);  //! c-unsequenced order that C leaves open
}
double h(double *a, int i) {
  a[i] = i++;  //! c-unsequenced `i`
  return a[0];
}
double fine(double *p, double *q, int i) {
  *p++ = *q++;
  i += i, i++;
  i = i + 1;
  return p[i++] + *q;
}
