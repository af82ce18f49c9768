// run: adjoint --stdout --head "f(f)/(x)"
double gamma = 1.4;  //! c-unsupported `gamma` is also declared by the headers that derivatives include
double f(double x) { return gamma*x*x; }
