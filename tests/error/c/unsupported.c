#include <setjmp.h>
#include <math.h>
jmp_buf place;
double f(double x) {
  __asm__("nop");  //! c-unsupported assembler
  return x;
}
double g(double x) {
  if (setjmp(place)) return 0;  //! c-unsupported cannot be differentiated
  return x;
}
typedef double v4 __attribute__((vector_size(32)));  //! c-unsupported vector type
_Thread_local int t;  //! c-unsupported threads
struct s { struct { int a; }; };  //! c-unsupported without a name
struct T { int b; };
double h(double x) {
  typedef struct { double y; } T;  //! c-unsupported without a tag
  return x;
}
