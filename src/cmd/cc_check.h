// cc_check: `dagaz cc --check`.
#ifndef CC_CHECK_H
#define CC_CHECK_H
#include "clower/clower.h"
#include "cmd.h"

typedef struct {
  CProgram *p;
  CHead head;
  const CDerived *derived;   // through core; NULL: source transformation only
  const BackTexts *texts;    // of it
  CNames lengths;
  Words files, sizes;        // sizes: "n=7"
  const char *range;         // of the numbers, "0.5:2"; NULL: two ranges
  CFlags flags;
} CcCheck;
// Compiles and runs the comparison of all derivatives of the head, and prints what it says.  False:
// they disagree.
bool cc_check(Session *s, const CcCheck *check);
#endif
