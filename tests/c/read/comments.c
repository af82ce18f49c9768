// At the top of the file.
#include <stdio.h>
#define TWICE(x) ((x) + (x))

/* What it is:
 * a sum. */
double sum(int n, const double *x)   // gone: a comment inside the head
{
   double s = 0;   // running
   /* over all */
   for (int i = 0; i < n; i++)
   {
      // one term
      s += TWICE(x[i]); /* twice */
   }
   // the end
   if (s > 1) /* large */ s = 1;
   else
      // small
      s = 2;
   return s;
   // nothing after this
}

#pragma dagaz head sum(x -> sum)
double prod(int n, const double *x)
{
   double p = 1;
   //$AD II-LOOP
   for (int i = 0; i < n; i++)
      p *= x[i];
#pragma omp simd
   for (int i = 0; i < n; i++)
      p += x[i];
   return p;
}

int main(void)
{
   double x[3] = {1, 2, 3};
   printf("%g %g\n", sum(3, x), prod(3, x));
   return 0;
}
