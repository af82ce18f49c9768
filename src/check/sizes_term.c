// Expressions as sizes.  Parentheses, ascriptions, attributes and assertions leave no trace; an
// expression that binds names cannot be a size.
#include "sizes.h"

// The size variable of a name.
DimVar *dimvar_of(Sizing *z, Binding *b) {
  DimVar *v = map_get(z->vars_of, KEY(b));
  if (v) return v;
  v = dimvar_new(z, DIMVAR_NAME, b->name, b->span, NULL);
  v->binding = b;
  if (b->tag == BIND_TOP || b->tag == BIND_SPEC || b->tag == BIND_OPERATOR ||
      b->tag == BIND_INTRINSIC)
    v->level = 0;
  map_put(z->vars_of, KEY(b), v);
  return v;
}

static Dim *term_new(Sizing *z, const Expr *exp, const char *text) {
  return dim_term(z, exp->tag, text);
}

// Adds a part; false when that cannot be a size.
static bool term_add(Sizing *z, Dim *d, const Expr *part) {
  Dim *p = part ? dim_of_exp(z, part) : NULL;
  if (part && !p) return false;
  list_push(z->c->arena, &d->term.args, p);
  return true;
}

static Dim *term_parts(Sizing *z, Dim *d, Expr *const *parts, int len) {
  for (int i = 0; i < len; i++)
    if (!term_add(z, d, parts[i])) return NULL;
  return d;
}

static Dim *name_term(Sizing *z, const VarRef *ref) {
  if (!ref->inst || !ref->inst->binding) return z->any;
  Dim *d = dim_var(dimvar_of(z, ref->inst->binding));
  if (ref->inst->mods > 0) d->var->path = ref;
  const NameList *parts = &ref->name.parts;
  for (int i = parts->len - ref->inst->fields; i < parts->len; i++) {
    Dim *p = dim_term(z, EXP_PROJECT, parts->at[i]);
    list_push(z->c->arena, &p->term.args, d);
    d = p;
  }
  return d;
}

static Dim *literal_term(Sizing *z, const Expr *exp) {
  Text text = {0};
  exp_print(&text, exp);
  Dim *d = term_new(z, exp, arena_strndup(z->c->arena, text.at, text.len));
  text_free(&text);
  return d;
}

// f x y and (f x) y are the same.
static Dim *apply_term(Sizing *z, const Expr *exp) {
  Dim *fn = dim_of_exp(z, exp->apply.fn);
  if (!fn) return NULL;
  Dim *d = term_new(z, exp, "");
  if (fn->tag == DIM_TERM && fn->term.form == EXP_APPLY)
    for (int i = 0; i < fn->term.args.len; i++)
      list_push(z->c->arena, &d->term.args, fn->term.args.at[i]);
  else
    list_push(z->c->arena, &d->term.args, fn);
  return term_parts(z, d, exp->apply.args.at, exp->apply.args.len);
}

static Dim *op_term(Sizing *z, const Expr *exp, const VarRef *op, Expr *left, Expr *right) {
  Dim *d = term_new(z, exp, "");
  list_push(z->c->arena, &d->term.args, name_term(z, op));
  if (left && !term_add(z, d, left)) return NULL;
  return !right || term_add(z, d, right) ? d : NULL;
}

static Dim *record_term(Sizing *z, const Expr *exp) {
  const char *text = "";
  for (int i = 0; i < exp->record.fields.len; i++)
    text = arena_printf(z->c->arena, "%s %s", text, exp->record.fields.at[i].name);
  Dim *d = term_new(z, exp, text);
  for (int i = 0; i < exp->record.fields.len; i++)
    if (!term_add(z, d, exp->record.fields.at[i].value)) return NULL;
  return d;
}

static bool index_add(Sizing *z, Dim *d, const IndexList *index) {
  for (int i = 0; i < index->len; i++) {
    const Index *ix = &index->at[i];
    if (!term_add(z, d, ix->i)) return false;
    if (ix->tag == INDEX_FIX) continue;
    d->term.text = arena_printf(z->c->arena, "%s %d:", d->term.text, i);
    if (!term_add(z, d, ix->j) || !term_add(z, d, ix->s)) return false;
  }
  return true;
}

static bool path_add(Sizing *z, Dim *d, const StepList *path) {
  for (int i = 0; i < path->len; i++) {
    d->term.text = arena_printf(z->c->arena, "%s.%s", d->term.text,
                                path->at[i].tag == STEP_FIELD ? path->at[i].field : "[]");
    if (path->at[i].tag == STEP_INDEX && !index_add(z, d, &path->at[i].index)) return false;
  }
  return true;
}

static Dim *part_term(Sizing *z, const Expr *exp) {
  Dim *d = term_new(z, exp, "");
  switch ((int)exp->tag) {
    case EXP_INDEX:
      return term_add(z, d, exp->index.src) && index_add(z, d, &exp->index.index) ? d : NULL;
    case EXP_SECTION_PATH: return path_add(z, d, &exp->section_path.path) ? d : NULL;
    case EXP_UPDATE:
      if (!term_add(z, d, exp->update.src) || !path_add(z, d, &exp->update.path)) return NULL;
      return term_add(z, d, exp->update.value) ? d : NULL;
    case EXP_RANGE: {
      d->term.text = exp->range.tag == RANGE_TO ? "..." : exp->range.tag == RANGE_BELOW ? "..<"
                                                                                       : "..>";
      Expr *parts[3] = {exp->range.from, exp->range.second, exp->range.to};
      return term_parts(z, d, parts, 3);
    }
    case EXP_IF: {
      Expr *parts[3] = {exp->if_.cond, exp->if_.yes, exp->if_.no};
      return term_parts(z, d, parts, 3);
    }
  }
  return NULL;
}

Dim *dim_of_exp(Sizing *z, const Expr *exp) {
  switch (exp->tag) {
    case EXP_INT: return dim_const(z, (int64_t)exp->int_.value);
    case EXP_FLOAT:
    case EXP_CHAR:
    case EXP_STRING:
    case EXP_BOOL:
    case EXP_ARRAYLIT: return literal_term(z, exp);
    case EXP_VAR: return name_term(z, &exp->var);
    case EXP_TUPLE:
      return term_parts(z, term_new(z, exp, ""), exp->tuple.elems.at, exp->tuple.elems.len);
    case EXP_ARRAY:
      return term_parts(z, term_new(z, exp, ""), exp->array.elems.at, exp->array.elems.len);
    case EXP_CONSTR:
      return term_parts(z, term_new(z, exp, arena_printf(z->c->arena, "#%s", exp->constr.name)),
                        exp->constr.args.at, exp->constr.args.len);
    case EXP_RECORD: return record_term(z, exp);
    case EXP_APPLY: return apply_term(z, exp);
    case EXP_PROJECT:
      return term_parts(z, term_new(z, exp, exp->project.field), &exp->project.src, 1);
    case EXP_NEG: return term_parts(z, term_new(z, exp, "-"), &exp->neg.arg, 1);
    case EXP_NOT: return term_parts(z, term_new(z, exp, "!"), &exp->not_.arg, 1);
    case EXP_BINOP: return op_term(z, exp, &exp->binop.op, exp->binop.left, exp->binop.right);
    case EXP_SECTION_LEFT:
    case EXP_SECTION_RIGHT: return op_term(z, exp, &exp->section.op, exp->section.arg, NULL);
    case EXP_RANGE:
    case EXP_INDEX:
    case EXP_SECTION_PATH:
    case EXP_UPDATE:
    case EXP_IF: return part_term(z, exp);
    case EXP_ASSERT: return dim_of_exp(z, exp->assert.body);
    case EXP_ASCRIBE: return dim_of_exp(z, exp->ascribe.src);
    case EXP_COERCE: return dim_of_exp(z, exp->coerce.src);
    case EXP_ATTR: return dim_of_exp(z, exp->attr.body);
    case EXP_LOCALOPEN: return dim_of_exp(z, exp->localopen.body);
    case EXP_HOLE:
    case EXP_MATCH:
    case EXP_LET:
    case EXP_LETFUN:
    case EXP_LOOP:
    case EXP_LAMBDA: return NULL;
  }
  return NULL;
}

// The same where it becomes a size of the program's own making.
Dim *dim_of_part(Sizing *z, const Expr *exp) {
  Dim *d = dim_of_exp(z, exp);
  if (!d && !z->c->failed)
    diag_warn(z->c->diag, exp->span, "[size-expression-bind] Size expression with binding is "
                                     "replaced by unknown size.");
  return d;
}
