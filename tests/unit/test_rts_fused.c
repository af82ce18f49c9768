// The same with products and sums in one rounding, as on machines that have the instruction, and
// with vectors of eight lanes, which this machine may not have.
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif
#define DZ_FUSED
#define DZ_W 8
#include "test_rts_math.c"
