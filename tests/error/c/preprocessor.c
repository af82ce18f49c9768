// run: ctree --own-preprocessor
#define RATIO(a, b) ((a) / (b))
double f(double x) {
  return RATIO(x, 2)
       + RATIO(x);  //! c-preprocessor has 2 parameters and gets 1
}
