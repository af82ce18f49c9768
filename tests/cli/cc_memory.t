$ printf '#include <stdlib.h>\ndouble f(int n, double x) {\n  double *w = n > 3 ? malloc(n * sizeof *w) : 0;\n  if (n > 4) w[0] = x;\n  return w[0]*w[0];\n}\n' > null.c
$ dagaz cc --grad null.c -e "f(f)/(x)"
$ printf '#include <stdio.h>\n#include "f_grad.h"\nint main(void) {\n  double v, g;\n  for (int n = 5; n > 1; n -= 2) {\n    int r = f_grad(n, 3, &v, &g);\n    if (r == 0) printf("%%g %%g\\n", v, g);\n    else printf("%%d %%s", r, f_grad_message());\n  }\n  return 0;\n}\n' > main.c
$ gcc -o main main.c -L. -lf_grad -Wl,-rpath,. && ./main | head -2
9 6
2 Error: null.c:5: a null pointer is followed
