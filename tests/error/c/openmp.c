double f(int n, const double *x) {
  double s = 0;
  for (int i = 0; i < n; i++) {
#pragma omp critical  //! c-openmp Only loops
    s += x[i];
  }
  return s;
}
