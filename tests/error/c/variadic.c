double sum(int n, ...) {  //! c-variadic any number of arguments
  return n;
}
