// Passes over bulk statements: replacing operands, and what binds a variable.
#ifndef BULK_RENAME_H
#define BULK_RENAME_H
#include "bulk.h"

typedef struct {
  Prog *prog;
  Map *instead;  // variable -> the operand in its place
} BulkRename;

void bulk_rename_to(BulkRename *r, Var v, Atom a);
void bulk_rename(BulkRename *r, BulkStm *stm);  // bodies inside, too, but no statement of core
bool bulk_has_core(const BulkBody *body);
Atoms bulk_renamed(BulkRename *r, Atoms atoms);

// made: variable -> the BulkStm that binds it.  The builder's statements from number `from` on.
void bulk_made(BulkBuilder *b, Map *made, int from);
// The expression that binds the operand, if it has this form; else NULL.
const BulkExp *bulk_made_by(const Map *made, Atom a, BulkForm form);
#endif
