#include "local.h"
const char cdiff_tape_header[] = "";
