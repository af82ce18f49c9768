// run: adjoint --head "f(f)/(x)" --stdout
double g(double x, double y);
double a(const double *x);
void p(double *x);
#pragma dagaz derivative h: x = 1  //! c-rule This function is not declared above
#pragma dagaz derivative g: z = 1  //! c-rule `z` is no parameter
#pragma dagaz derivative g: x = y, y = x = 2  //! c-rule This is no number without effects
#pragma dagaz derivative g: x = p(&y)  //! c-rule This is no number without effects
#pragma dagaz derivative a: x = 1  //! c-rule Rules are for functions from numbers
#pragma dagaz derivative g x = 1  //! c-syntax Expected `:`
#pragma dagaz derivative g: x = 1; y = 2  //! c-syntax Expected `,` or the end
#pragma dagaz inactive p  //! c-rule An inactive function may not write
double f(double x) { return g(x, x); }
