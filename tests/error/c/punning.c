// run: tangent --stdout --head "f"
double f(double x) {
  unsigned long long bits = *(unsigned long long *)&x;  //! c-punning A pointer to one type
  return x + (double)bits;
}
