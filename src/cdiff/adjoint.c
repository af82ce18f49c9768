#include "local.h"
void adjoint_make(Derived *f) { refuse(f->d, f->source->at, "[c-unsupported] adjoint", NULL); }
