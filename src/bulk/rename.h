// Replacing operands of bulk statements.
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
#endif
