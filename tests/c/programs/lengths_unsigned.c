// wide(out)/(in) | in[n] out[n] | n=4 |
// Lengths are unsigned, numbers of type float.
#include <stddef.h>
#include <stdint.h>
void wide(size_t n, const float *restrict in, float *restrict out) {
  for (size_t i = n; i-- != 0; ) { int64_t j = (int64_t)(n - 1 - i); uint8_t w = (uint8_t)(250 + i*3); out[j] = in[i]*(float)w + (i ? in[i - 1] : 0.f)*in[i]; }
}
