// What elaboration reads of the size pass: the size parameters of each occurrence, as far as they
// can be written with names of the place.
#include "sizes.h"

void inst_dim_note(Sizing *z, const Inst *inst, const DimVar *param, Dim *dim) {
  if (param->binding)
    list_push(z->c->arena, &z->insts, (InstDim){(Inst *)inst, param->binding, dim});
}

static SizeTerm *term_of(Sizing *z, Dim *dim, int depth) {
  SizeTerm *t = NEW(z->c->arena, SizeTerm);
  dim = dim_find(dim);
  t->tag = SIZETERM_UNKNOWN;
  if (depth > 50) return t;
  switch (dim->tag) {
    case DIM_CONST:
      t->tag = SIZETERM_CONST;
      t->value = dim->value;
      return t;
    case DIM_VAR:
      if (dim->var->tag != DIMVAR_NAME || !dim->var->binding) return t;
      t->tag = SIZETERM_NAME;
      t->binding = dim->var->binding;
      t->path = dim->var->path;
      return t;
    case DIM_TERM:
      if (dim->term.form == EXP_PROJECT) t->tag = SIZETERM_PROJECT;
      else if (dim->term.form == EXP_BINOP || dim->term.form == EXP_APPLY) t->tag = SIZETERM_APPLY;
      else return t;
      t->field = dim->term.text;
      for (int i = 0; i < dim->term.args.len; i++) {
        if (!dim->term.args.at[i]) return t->tag = SIZETERM_UNKNOWN, t;
        list_push(z->c->arena, &t->args, term_of(z, dim->term.args.at[i], depth + 1));
      }
      return t;
    case DIM_ANY: return t;
  }
  return t;
}

void inst_dims_record(Sizing *z) {
  for (int i = 0; i < z->insts.len; i++) {
    const InstDim *n = &z->insts.at[i];
    list_push(z->c->arena, &n->inst->sizes, (InstSize){n->param, term_of(z, n->dim, 0)});
  }
}
