// Entry points: monomorphic, of order zero.  Whether their sizes are readable from the arguments is
// checked with the sizes.
#include "local.h"

// Can the size be read off a value of the type?  It is then a bare array dimension or a direct
// argument of a named type, and not only inside functions.
bool size_witnessed(SType *type, const Binding *size) {
  type = stype_find(type);
  switch (type->tag) {
    case TYPE_ARRAY:
      if (type->array.dim && type->array.dim->tag == SIZE_NAME && type->array.dim->name == size)
        return true;
      return size_witnessed(type->array.elem, size);
    case TYPE_RECORD:
      for (int i = 0; i < type->record.fields.len; i++)
        if (size_witnessed(type->record.fields.at[i].type, size)) return true;
      return false;
    case TYPE_SUM:
      for (int i = 0; i < type->sum.constrs.len; i++)
        for (int j = 0; j < type->sum.constrs.at[i].args.len; j++)
          if (size_witnessed(type->sum.constrs.at[i].args.at[j], size)) return true;
      return false;
    case TYPE_NAMED:
      for (int i = 0; i < type->named.args.len; i++) {
        const Size *s = type->named.args.at[i].size;
        if (s && s->tag == SIZE_NAME && s->name == size) return true;
      }
      return false;
    case TYPE_VAR:
    case TYPE_PRIM:
    case TYPE_ARROW:
    case TYPE_ERROR: return false;
  }
  return false;
}

void entry_check(Checker *c, Dec *dec, Binding *b) {
  (void)dec;
  if (c->failed) return;
  if (b->tparams.len) {
    if (c->diag->errors) return;  // what it calls may have had no type
    report(c, b->span, "[entry-polymorphic] Entry point functions may not be polymorphic.");
    return;
  }
  SType *t = stype_find(b->type);
  bool functional = false;
  for (; t->tag == TYPE_ARROW; t = stype_find(t->arrow.to))
    functional |= stype_is_functional(t->arrow.from);
  if (functional || stype_is_functional(t)) {
    report(c, b->span, "[entry-higher-order] Entry point functions may not be higher-order.");
    return;
  }
}
