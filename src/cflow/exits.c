#include "local.h"
void exits_remove(CSimple *s) { (void)s; }
