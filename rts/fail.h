// fail: what a kernel notes of the first iteration that failed: the iteration, the site, values.
// The host, kernels in every dialect, and the compiler have the numbers from here.
#ifndef DZ_FAIL_H
#define DZ_FAIL_H
#define DZ_FAIL_VALUES 10
#define DZ_FAIL_WORDS (2 + DZ_FAIL_VALUES)
#endif
