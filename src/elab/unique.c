// Uniqueness of parameters and results, as types say: `*` at a part counts for the arrays in it.
// A function may consume its arguments for `*` parameters, whether its body does or not; what
// it gives for a `*` result has no other alias, though it may be any of such parameters.
#include "local.h"

static void all_arrays(Elab *e, const Val *v, Vars *out) {
  Atoms atoms = {0};
  val_leaves(e, v, &atoms);
  for (int i = 0; i < atoms.len; i++)
    if (atoms.at[i].is_var && !is_blank(atoms.at[i]) && var_type(e->prog, atoms.at[i].var).rank > 0)
      list_push(e->arena, out, atoms.at[i].var);
}

// Parts of sums share slots: they are left out.
static void of_type(Elab *e, SType *type, const Val *v, Vars *out) {
  type = stype_find(type);
  if (type->unique && (v->tag == VAL_ARRAY || v->tag == VAL_RECORD)) {
    all_arrays(e, v, out);
    return;
  }
  if (type->tag != TYPE_RECORD || v->tag != VAL_RECORD) return;
  for (int i = 0; i < v->record.len; i++)
    of_type(e, type->record.fields.at[i].type, v->record.at[i], out);
}

Vars unique_result(Elab *e, const Code *code, const Val *v) {
  Vars out = {0};
  SType *type = code->ret && code->ret->info ? code->ret->info->type : code->result;
  if (type) of_type(e, type, v, &out);
  return out;
}

void unique_param(Elab *e, const Pat *pat, const Val *v, Vars *out) {
  switch (pat->tag) {
  case PAT_ASCRIBE:
    if (pat->ascribe.type->info) of_type(e, pat->ascribe.type->info->type, v, out);
    unique_param(e, pat->ascribe.pat, v, out);
    return;
  case PAT_ATTR: unique_param(e, pat->attr.pat, v, out); return;
  case PAT_TUPLE:
    for (int i = 0; v->tag == VAL_RECORD && i < pat->tuple.elems.len; i++)
      unique_param(e, pat->tuple.elems.at[i], v->record.at[i], out);
    return;
  case PAT_RECORD:
  case PAT_NAME:
  case PAT_WILD:
  case PAT_LIT:
  case PAT_CONSTR: return;
  }
}
