double f(volatile double x) {  //! c-volatile ignored
  return x + z;  //! c-undeclared `z`
}
