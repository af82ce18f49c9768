// run: tangent --stdout --head "f"
union both { double d; unsigned long long u; };
double f(double x) {
  union both b;  //! c-punning union
  b.d = x;
  return b.d * x;
}
