// Suggestions where types differ: a declaration that is missing, a conversion, an argument that is
// missing or at another's place, an operator of elements between arrays.
//
// No conversion that loses something is suggested without the loss: where the other side has its
// type only by default, the default is the mistake.
#include "local.h"
#include <string.h>

static const char *text_of(const Checker *c, Span at) {
  if (!at.src) return NULL;
  size_t len = at.to - at.from;
  if (len > 60 || memchr(at.src->text + at.from, '\n', len)) return NULL;
  return arena_strndup(c->arena, at.src->text + at.from, len);
}

// The text as an argument: in parentheses unless it is one word.
static const char *as_argument(const Checker *c, const char *text) {
  bool word = true;
  for (const char *s = text; *s; s++) word &= *s == '_' || *s == '.' || (*s >= '0' && *s <= '9') ||
                                              (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z');
  return word || *text == '(' ? text : arena_printf(c->arena, "(%s)", text);
}

// ---- types by default ------------------------------------------------------------------------
static int array_rank(SType *type) {
  int rank = 0;
  for (type = stype_find(type); type->tag == TYPE_ARRAY; rank++)
    type = stype_find(type->array.elem);
  return rank;
}

static SType *array_elem(SType *type) {
  for (type = stype_find(type); type->tag == TYPE_ARRAY;) type = stype_find(type->array.elem);
  return type;
}

// The primitive type that one expects: of a number that is not known yet, what it would become.
static int wanted_prim(const SType *type) {
  if (type->tag == TYPE_PRIM) return (int)type->prim;
  bool number = type->tag == TYPE_VAR && type->var->kind == VAR_PRIM;
  return number && !(type->var->prims & ~PRIMS_FLOAT) ? PRIM_F64 : -1;
}

static bool is_default_beside(const SType *a, const SType *b, int *other) {
  if (a->tag != TYPE_PRIM || !a->defaulted) return false;
  *other = wanted_prim(b);
  return *other >= 0 && *other != (int)a->prim;
}

// The first place where one type has a default and the other another type: `*other` is that.
static const SType *find_default(SType *a, SType *b, int *other) {
  a = stype_find(a);
  b = stype_find(b);
  if (is_default_beside(a, b, other)) return a;
  if (is_default_beside(b, a, other)) return b;
  if (a->tag != b->tag) return NULL;
  if (a->tag == TYPE_ARRAY) return find_default(a->array.elem, b->array.elem, other);
  if (a->tag == TYPE_ARROW) {
    const SType *from = find_default(a->arrow.from, b->arrow.from, other);
    return from ? from : find_default(a->arrow.to, b->arrow.to, other);
  }
  const SType *found = NULL;
  if (a->tag == TYPE_RECORD && a->record.fields.len == b->record.fields.len)
    for (int i = 0; i < a->record.fields.len && !found; i++)
      found = find_default(a->record.fields.at[i].type, b->record.fields.at[i].type, other);
  return found;
}

// How to declare the parameter; without a name or of a larger type, only where.
static void hint_parameter(Checker *c, const Defaulted *d, const char *now, const char *want) {
  Name name = pat_param_name(d->param);
  if (!name || array_elem(d->param->type)->tag != TYPE_PRIM) {
    diag_hint(c->diag, "a parameter of \"%s\" has no declared type, and became one of %s: declare "
                       "it, for %s.",
              d->of->name, now, want);
    return;
  }
  Text type = {0};
  for (int i = array_rank(d->param->type); i > 0; i--) text_printf(&type, "[]");
  text_printf(&type, "%s", want);
  diag_hint(c->diag, "\"%s\" of \"%s\" has no declared type, and became %s: write \"(%s: %s)\" "
                     "in its definition.",
            name, d->of->name, now, name, type.at);
  text_free(&type);
}

static bool hint_default(Checker *c, SType *expected, SType *actual) {
  int other = -1;
  const SType *type = find_default(expected, actual, &other);
  if (!type) return false;
  const Defaulted *d = type->defaulted;
  const char *now = prim_info[type->prim].name, *want = prim_info[other].name;
  if (d->param) {
    note(c, d->param->span, "The parameter of \"%s\".", d->of->name);
    hint_parameter(c, d, now, want);
  } else if (d->of->fun && !d->of->fun->params.len) {
    diag_hint(c->diag, "\"%s\" has no declared type, and became %s: write \"def %s : %s = ..\".",
              d->of->name, now, d->of->name, want);
  } else {
    diag_hint(c->diag, "the result of \"%s\" has no declared type, and became %s: declare it, for "
                       "%s.",
              d->of->name, now, want);
  }
  return true;
}

// ---- conversions -----------------------------------------------------------------------------
static const char *loss(Prim from, Prim to) {
  const PrimInfo *f = &prim_info[from], *t = &prim_info[to];
  if (prim_is_float(from) && prim_is_int(to)) return "drops the fraction";
  if (prim_is_float(from) && prim_is_float(to) && f->bytes > t->bytes) return "rounds";
  if (!prim_is_int(from) || !prim_is_int(to)) return NULL;
  if (f->bytes > t->bytes) return "keeps the low bits only";
  if (prim_is_signed(from) && !prim_is_signed(to)) return "makes negative numbers large";
  if (!prim_is_signed(from) && prim_is_signed(to) && f->bytes == t->bytes)
    return "makes large numbers negative";
  return NULL;
}

static void hint_convert(Checker *c, Span at, Prim from, Prim to) {
  const char *text = text_of(c, at), *lost = loss(from, to);
  const char *fn = arena_printf(c->arena, "%s.%s", prim_info[to].name, prim_info[from].name);
  if (!text) text = "..";
  const char *call = arena_printf(c->arena, "%s %s", fn, as_argument(c, text));
  if (lost)
    diag_hint(c->diag, "no conversion from %s to %s keeps every value: \"%s\" %s.",
              prim_info[from].name, prim_info[to].name, call, lost);
  else if (strcmp(text, "..") == 0)
    diag_hint(c->diag, "convert with \"%s\".", fn);
  else
    diag_fix(c->diag, at, arena_printf(c->arena, "(%s)", call), "convert with \"%s\".", call);
}

// Would a value of the array's element type do?
static bool is_element(SType *expected, SType *elem) {
  elem = stype_find(elem);
  if (expected->tag != TYPE_VAR) return stype_same(expected, elem);
  return expected->var->kind == VAR_PRIM && elem->tag == TYPE_PRIM &&
         (expected->var->prims >> elem->prim & 1);
}

static int arity(SType *type) {
  int n = 0;
  for (; type->tag == TYPE_ARROW; n++) type = stype_find(type->arrow.to);
  return n;
}

void hint_types(Checker *c, Span at, SType *expected, SType *actual) {
  expected = stype_find(expected);
  actual = stype_find(actual);
  if (!c->reported || !at.src || hint_default(c, expected, actual)) return;
  if (expected->tag == TYPE_PRIM && actual->tag == TYPE_PRIM)
    hint_convert(c, at, actual->prim, expected->prim);
  else if (actual->tag == TYPE_ARRAY && is_element(expected, actual->array.elem))
    diag_hint(c->diag, "this is an array of what is expected; use \"map\" to work on every "
              "element.");
  else if (actual->tag == TYPE_ARROW && stype_find(actual->arrow.to)->tag == expected->tag &&
           stype_same(expected, actual->arrow.to)) {
    if (expected->tag == TYPE_ARROW)
      diag_hint(c->diag, "this is a function of %d arguments where one of %d is expected: leave "
                "one out, or give it one.", arity(actual), arity(expected));
    else
      diag_hint(c->diag, "this is a function: an argument is missing.");
  }
}

// ---- operators -------------------------------------------------------------------------------
static bool is_name(const VarRef *ref, const char *name) {
  return ref->name.parts.len == 1 && strcmp(ref->name.parts.at[0], name) == 0;
}

static const char *operator_text(Checker *c, const Expr *exp) {
  return path_text(c, &exp->binop.op.name.parts, exp->binop.op.name.parts.len);
}

// map2 (map2 (op)) a b, map (map (x op)) b, map (map (op y)) a
static void hint_elementwise(Checker *c, const Expr *exp, int left, int right) {
  const char *op = operator_text(c, exp);
  const char *a = as_argument(c, exp_text(c, exp->binop.left));
  const char *b = as_argument(c, exp_text(c, exp->binop.right));
  bool both = left == right;
  const char *fn = both ? arena_printf(c->arena, "(%s)", op)
                        : right ? arena_printf(c->arena, "(%s %s)", a, op)
                                : arena_printf(c->arena, "(%s %s)", op, b);
  if (both || !left || !right) {
    const char *map = both ? "map2" : "map";
    for (int i = left > right ? left : right; i > 1; i--)
      fn = arena_printf(c->arena, "(%s %s)", map, fn);
    diag_hint(c->diag, "\"%s\" takes numbers: for every element, write \"%s %s%s%s%s%s\".", op, map,
              fn, both || left ? " " : "", both || left ? a : "", both || right ? " " : "",
              both || right ? b : "");
  } else {
    diag_hint(c->diag, "\"%s\" takes numbers: for every row of an array, use \"map\".", op);
  }
}

// An array and one of its elements.
static void hint_joined(Checker *c, const Expr *exp, int left, int right) {
  const char *l = exp_text(c, exp->binop.left), *r = exp_text(c, exp->binop.right);
  if (left == right + 1) r = arena_printf(c->arena, "[%s]", r), l = as_argument(c, l);
  else if (right == left + 1) l = arena_printf(c->arena, "[%s]", l), r = as_argument(c, r);
  else return;
  diag_hint(c->diag, "\"++\" joins arrays: write \"%s ++ %s\".", l, r);
}

static bool is_number(SType *type) {
  type = stype_find(type);
  if (type->tag == TYPE_VAR) return type->var->kind == VAR_PRIM;
  return type->tag == TYPE_PRIM && (PRIMS_NUM >> type->prim & 1);
}

static bool is_text(SType *type) {
  const SType *elem = array_elem(type);
  return elem->tag == TYPE_PRIM && elem->prim == PRIM_U8;
}

// Converts the operand that keeps its value.
static bool hint_numbers(Checker *c, const Expr *exp, int left, int right) {
  const Expr *l = exp->binop.left, *r = exp->binop.right;
  if (left < 0 || right < 0 || left == right) return false;
  if (!loss((Prim)right, (Prim)left)) hint_convert(c, r->span, (Prim)right, (Prim)left);
  else hint_convert(c, l->span, (Prim)left, (Prim)right);
  return true;
}

bool hint_operands(Checker *c, const Expr *exp) {
  SType *left = stype_find(exp->binop.left->type), *right = stype_find(exp->binop.right->type);
  if (!c->reported || hint_default(c, left, right)) return true;
  int l = array_rank(left), r = array_rank(right);
  bool floating = left->tag == TYPE_PRIM && (PRIMS_FLOAT >> left->prim & 1);
  if (is_name(&exp->binop.op, "^") && floating)
    diag_hint(c->diag, "a power is written \"x ** y\"; \"^\" is exclusive or.");
  else if (left->tag == TYPE_ARROW && is_name(&exp->binop.op, "-"))
    diag_hint(c->diag, "a negative argument stands in parentheses: \"(-%s)\".",
              exp_text(c, exp->binop.right));
  else if (l == 1 && r == 1 && is_text(left) && is_text(right))
    diag_hint(c->diag, "texts and other arrays are joined with \"++\".");
  else if (is_name(&exp->binop.op, "++") && stype_same(array_elem(left), array_elem(right)))
    hint_joined(c, exp, l, r);
  else if (is_name(&exp->binop.op, "++"))
    return false;
  else if ((l || r) && is_number(array_elem(left)) && is_number(array_elem(right)))
    hint_elementwise(c, exp, l, r);
  else
    return !l && !r && hint_numbers(c, exp, wanted_prim(left), wanted_prim(right));
  return true;
}

// "x // a comment" and "(x => x + 1)" are operators to the parser.
void hint_foreign(Checker *c, const Expr *exp) {
  if (is_name(&exp->binop.op, "//")) diag_hint(c->diag, "a comment begins with \"--\".");
  if (is_name(&exp->binop.op, "=>"))
    diag_hint(c->diag, "a function without a name is written \"\\x -> ..\".");
}

// "reduce + 0 xs" and "x > 0 and y" apply a number to arguments, "x == y and z" a name.
void hint_operator(Checker *c, const Expr *exp) {
  const Expr *right = exp->binop.right;
  if (!c->reported || right->tag != EXP_APPLY) return;
  const Expr *fn = right->apply.fn, *arg = right->apply.args.at[0];
  bool number = fn->tag == EXP_INT || fn->tag == EXP_FLOAT;
  bool and = arg->tag == EXP_VAR && is_name(&arg->var, "and");
  bool or = arg->tag == EXP_VAR && is_name(&arg->var, "or");
  if (and || or)
    diag_hint(c->diag, "conditions are joined with \"%s\".", and ? "&&" : "||");
  else if (number)
    diag_hint(c->diag, "an operator that is an argument stands in parentheses: \"(%s)\".",
              operator_text(c, exp));
}

// ---- the order of arguments ------------------------------------------------------------------
// A number to begin with, by the operator.
static const char *neutral(const Expr *op, const char *param) {
  static const char *const known[][2] = {{"+", "0"}, {"*", "1"}, {"&&", "true"}, {"||", "false"}};
  if (op->tag == EXP_VAR)
    for (int i = 0; i < COUNT_OF(known); i++)
      if (is_name(&op->var, known[i][0])) return known[i][1];
  return param;
}

// Argument i is an array where only a later parameter is one, as in "reduce (+) xs".
void hint_order(Checker *c, const Expr *exp, int i, SType *given) {
  const Expr *fn = exp->apply.fn;
  const Binding *b = fn->tag == EXP_VAR && fn->var.inst ? fn->var.inst->binding : NULL;
  if (!c->reported || !b || !b->type || stype_find(given)->tag != TYPE_ARRAY) return;
  SType *at = stype_find(b->type);
  for (int k = 0; k < i && at->tag == TYPE_ARROW; k++) at = stype_find(at->arrow.to);
  if (at->tag != TYPE_ARROW || !at->arrow.param || stype_find(at->arrow.from)->tag == TYPE_ARRAY)
    return;
  SType *next = stype_find(at->arrow.to);
  if (next->tag != TYPE_ARROW || stype_find(next->arrow.from)->tag != TYPE_ARRAY) return;
  const ExprList *args = &exp->apply.args;
  const char *name = path_text(c, &fn->var.name.parts, fn->var.name.parts.len);
  const char *first = neutral(args->at[0], at->arrow.param), *array = exp_text(c, args->at[i]);
  if (i + 1 < args->len) first = as_argument(c, exp_text(c, args->at[i + 1]));
  const char *before = "";
  for (int k = 0; k < i; k++)
    before = arena_printf(c->arena, "%s %s", before, as_argument(c, exp_text(c, args->at[k])));
  diag_hint(c->diag, "%s comes before the array: \"%s%s %s %s\".",
            strcmp(at->arrow.param, "ne") == 0 ? "the neutral element"
                                               : arena_printf(c->arena, "\"%s\"", at->arrow.param),
            name, before, first, as_argument(c, array));
}
