// The main of one random program (dagaz cgen), with its tangent and adjoint; status 1 where they
// disagree.  -DCLOSE=1e-6: a program with float; -DROUNDED: a derivative through core.
#include "p_b.h"
#include "p_d.h"
#include "random_check.h"

#ifndef CLOSE
#define CLOSE 1e-9
#endif
#ifdef ROUNDED
#undef ROUNDED
#define ROUNDED 1
#else
#define ROUNDED 0
#endif
Value f;

int main(void) {
  Program p = {f, f_d, f_b, CLOSE, ROUNDED};
  return program_check(&p);
}
