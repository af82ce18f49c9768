// device: the scalar operations of base.h as text for kernels.  The build runs the preprocessor over
// this file; the result is a list of functions, and a program gets the functions that its kernels
// call (src/back/kernels.c), in front of them a dialect: gpu_opencl.h, gpu_cuda.h.
//
// With DZ_DEVICE nothing is included, and the words DZ_INLINE, DZ_INLINABLE, DZ_TABLE, int64_t, .. stay
// for the dialect to define.
#define DZ_DEVICE
#include "base.h"
