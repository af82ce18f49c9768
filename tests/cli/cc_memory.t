$ printf '#include <stdlib.h>\ndouble f(int n, double x) {\n  double *w = n > 3 ? malloc(n * sizeof *w) : 0;\n  if (n > 4) w[0] = x;\n  return w[0]*w[0];\n}\n' > null.c
$ dagaz cc --grad null.c -e "f(f)/(x)"
$ printf '#include <stdio.h>\n#include "f_grad.h"\nint main(void) {\n  double v, g;\n  for (int n = 5; n > 1; n -= 2) {\n    int r = f_grad(n, 3, &v, &g);\n    if (r == 0) printf("%%g %%g\\n", v, g);\n    else printf("%%d %%s", r, f_grad_message());\n  }\n  return 0;\n}\n' > main.c
$ gcc -o main main.c -L. -lf_grad -Wl,-rpath,. && ./main | head -2
9 6
2 Error: null.c:5: a null pointer is followed
$ cp $DAGAZ_ROOT/tests/cli/matrices*.c .
$ dagaz cc --grad matrices.c -e "model(model)/(input.data x)" && grep "int model" model_grad.h
int model_grad(int count, const Matrix *layers, const Matrix *input, int n, double **rows, int pairs, const Pair *pair, const double *x, double *y, double *value, Matrix *input_grad, double *x_grad);
$ for m in jvp vjp; do dagaz cc --$m matrices.c -e "model(model y)/(input.data x)"; done
$ gcc -w -o main matrices_main.c matrices.c -L. -lmodel_grad -lmodel_jvp -lmodel_vjp -lm -Wl,-rpath,. && ./main
2 Error: model_grad: input.data is null
$ dagaz cc --vjp matrices.c -e "model(model)/(input.data)" --convention tapenade && grep "void model" model_b.h
void model_b(int count, const Matrix *layers, const Matrix *input, Matrix_diff *inputb, int n, double **rows, int pairs, const Pair *pair, const double *x, double *y, double modelb);
$ sed 's/, input.data.*//' matrices.c > short.c; dagaz cc --grad short.c -e "model(model)/(input.data x)"
Error at short.c:31:61-66:
How long `input.data` is cannot be told from its uses.
   31 | double model(int count, const Matrix *layers, const Matrix *input, int n, double **rows, int pai ..
      |                                                             ^^^^^ [c-length]
Hint: say it in terms of the parameters: --length "input.data[n]", or `#pragma dagaz length input.data[n]`
[2]
$ dagaz cc --jac matrices.c -e "model(model)/(layers.data)"
Error at matrices.c:31:39-45:
A derivative for what the pointers of `layers` lead to, through core.
   31 | double model(int count, const Matrix *layers, const Matrix *input, int n, double **rows, int pai ..
      |                                       ^^^^^^ [c-rows]
Hint: name the inputs and outputs, -e "model(output)/(input)", or make it one array
[3]
$ printf 'double f(int n, double x) {\n  double y = 2*x, *p = &y;\n  return p[n]*x;\n}\n' > one.c
$ dagaz cc --grad one.c -e "f(f)/(x)" && gcc -o main main.c -L. -lf_grad -Wl,-rpath,. && ./main | head -1
2 Error: one.c:3: index 5 of `y`, which is one element
$ cp $DAGAZ_ROOT/tests/cli/checked.c .; dagaz cc --grad checked.c -e parts
Warning at checked.c:25:19-20:
A struct with arrays or pointers is passed by value: pass a pointer to it.
   25 | double parts(Pair p, double h) { return p.a * p.a * h + p.in.b[p.in.k]; }
      |                   ^ [c-unsupported]
Hint: source transformation is used instead: `parts_b`, with the parameters that `dagaz adjoint` gives it
$ printf 'void f(const double *x, double *y) {\n  double w[3] = {0, 0, 1};\n  for (int i = 0; i < 2; i++) w[i] = x[i]*x[2];\n  y[0] = w[0]*w[1];\n  y[1] = w[1]/w[2];\n}\n' > small.c
$ dagaz cc --vjp small.c -e "f(y)/(x)" --length "x[3] y[2]" --c-only && sed -n '/^DZ_PART int f_f_vjp/,$p' f_vjp.c | grep -c "dz_alloc_n(ctx, .*, [23], 8)"
2
$ sed -n '/^DZ_PART int f_f_vjp/,$p' f_vjp.c | grep -c "dz_alloc\|dz_expand"
2
