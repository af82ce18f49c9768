// Checks once the types of a binding are known: equality, literals, patterns.
#include "local.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

void later_refutable(Checker *c, Pat *pat) {
  if (pat->tag == PAT_NAME || pat->tag == PAT_WILD) return;
  Later later = {.tag = LATER_REFUTABLE, .span = pat->span, .pat = pat};
  list_push(c->arena, &c->later, later);
}

// ---- equality --------------------------------------------------------------------------------
static bool any_array(SType *type) {
  type = stype_find(type);
  bool found = type->tag == TYPE_ARRAY;
  if (type->tag == TYPE_RECORD)
    for (int i = 0; i < type->record.fields.len; i++)
      found |= any_array(type->record.fields.at[i].type);
  return found;
}

bool supports_equality(SType *type) {
  type = stype_find(type);
  switch (type->tag) {
    case TYPE_PRIM:
    case TYPE_ERROR: return true;
    case TYPE_ARRAY: return supports_equality(type->array.elem);
    case TYPE_RECORD:
      for (int i = 0; i < type->record.fields.len; i++)
        if (!supports_equality(type->record.fields.at[i].type)) return false;
      return true;
    case TYPE_SUM:
      for (int i = 0; i < type->sum.constrs.len; i++)
        for (int j = 0; j < type->sum.constrs.at[i].args.len; j++)
          if (!supports_equality(type->sum.constrs.at[i].args.at[j])) return false;
      return true;
    case TYPE_VAR:
    case TYPE_ARROW:
    case TYPE_NAMED: return false;
  }
  return false;
}

static void run_equality(Checker *c, const Later *later) {
  if (!supports_equality(later->type))
    report(c, later->span, "[no-equality] Cannot apply \"%s\": type \"%s\" does not support "
                           "equality.",
           later->what, stype_text(c, later->type));
  else if (any_array(later->type) && !c->failed)
    diag_warn(c->diag, later->span, "[array-equality] Comparing arrays with \"%s\" is deprecated.",
              later->what);
}

// ---- literals --------------------------------------------------------------------------------
static bool int_fits(const Expr *exp, Prim p, bool negative) {
  if (exp->int_.overflow) return false;
  uint64_t value = exp->int_.value;
  int bits = prim_info[p].bytes * 8;
  if (!prim_is_signed(p)) {
    if (negative) return value == 0;
    return bits == 64 || value >> bits == 0;
  }
  uint64_t limit = (uint64_t)1 << (bits - 1);
  return negative ? value <= limit : value < limit;
}

static bool float_fits(const Expr *exp, Prim p) {
  double x = strtod(exp->float_.text, NULL);
  if (p == PRIM_F64) return !isinf(x);
  return p == PRIM_F32 ? x < 0x1.ffffffp127 : x < 65520.0;
}

static void run_literal(Checker *c, const Later *later) {
  const Expr *exp = later->exp;
  SType *type = stype_find(exp->type);
  if (type->tag != TYPE_PRIM) return;
  bool fits = true;
  const char *text = exp->tag == EXP_INT ? exp->int_.text : exp->float_.text;
  if (exp->tag == EXP_INT && prim_is_int(type->prim))
    fits = int_fits(exp, type->prim, later->negative);
  if (exp->tag == EXP_FLOAT && prim_is_float(type->prim)) fits = float_fits(exp, type->prim);
  if (!fits)
    report(c, later->span, "[literal-range] Literal %s%s out of bounds for inferred type %s.",
           later->negative ? "-" : "", text, prim_info[type->prim].name);
}

// ---- all -------------------------------------------------------------------------------------
static void run_refutable(Checker *c, const Later *later) {
  if (pat_refutable(c, later->pat)) {
    Text text = {0};
    pat_print(&text, later->pat);
    report(c, later->span, "[refutable-pattern] Refutable pattern not allowed here: %s", text.at);
    text_free(&text);
  }
}

static void run_one(Checker *c, const Later *later) {
  switch (later->tag) {
    case LATER_EQUALITY: run_equality(c, later); break;
    case LATER_LITERAL: run_literal(c, later); break;
    case LATER_MATCH: match_check(c, later->exp); break;
    case LATER_REFUTABLE: run_refutable(c, later); break;
  }
}

void later_run(Checker *c) {
  for (int i = 0; i < c->later.len && !c->failed; i++) run_one(c, &c->later.at[i]);
}
