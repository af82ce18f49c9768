void f(int n, double *x) {
  switch (n % 2) {
    case 0:
      do {
        *x++ = 0;
        case 1: *x++ = 0;  //! c-switch inside a loop
      } while (--n > 0);
  }
}
