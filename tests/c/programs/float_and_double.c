// mixed(mixed)/(x s) | | n=4 |
// Inputs of type float and double: the Jacobian is of the wider one.
double mixed(int n, const float x[n], double s) {
  double acc = s;
  for (int i = 1; i < n; ++i) {
    acc += x[i]*s;
    acc *= 1.5 + x[i - 1];
  }
  return acc;
}
