// The main of one random program (dagaz cgen) with its tangent and adjoint for several directions.
#include "p_b.h"
#include "p_bv.h"
#include "p_d.h"
#include "p_dv.h"
#include "random_check.h"
#include "directions_check.h"

Value f;

int main(void) {
  Directions v = {{f, f_d, f_b, 1e-9, 0}, f_dv, f_bv};
  return directions_check(&v);
}
