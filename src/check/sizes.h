// sizes: pass B of checking, static sizes: inference of size parameters, unknown and existential
// sizes, causality.  Runs over a declaration after type inference accepted it.
#ifndef SIZES_H
#define SIZES_H
#include "check.h"

// Reports size errors of one definition to diag; sizes of already checked bindings are known.
#endif
