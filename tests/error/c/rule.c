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
void axpy(int n, double a, const double *x, double *y);
void axpy_d(int n, double a, double ad, const double *x, double *xd, double *y, double *yd);
void axpy_b(int n, double a, double *ab, const double *x, double *xb, double *y, double *yb);
#pragma dagaz tangent axpy: axpy_b  //! c-rule not the parameters of a tangent of `axpy`
#pragma dagaz adjoint axpy: axpy_d  //! c-rule not the parameters of an adjoint of `axpy`
#pragma dagaz adjoint axpy: g  //! c-rule not the parameters of an adjoint of `axpy`
#pragma dagaz adjoint axpy: nothing  //! c-rule This function is not declared above
#pragma dagaz adjoint axpy: axpy_b, constant z  //! c-rule `z` is no parameter of `axpy`
#pragma dagaz adjoint axpy: axpy_b, without y  //! c-syntax Expected `constant` or `needs`
#pragma dagaz adjoint axpy: axpy_b needs y  //! c-syntax Expected `,` or the end
double f(double x) { return g(x, x); }
