// The same with products and sums in one rounding, as on machines that have the instruction.
#define DZ_FUSED
#include "test_rts_math.c"
