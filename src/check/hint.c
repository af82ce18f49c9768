// Second places and suggestions of the error reported last.
#include "local.h"
#include <string.h>

void note(Checker *c, Span at, const char *fmt, ...) {
  if (!c->reported) return;
  Text text = {0};
  va_list args;
  va_start(args, fmt);
  text_vprintf(&text, fmt, args);
  va_end(args);
  if (at.src && at.src->builtin) at.src = NULL;
  diag_note(c->diag, at, "%s", text.at ? text.at : "");
  text_free(&text);
}

// ---- names -----------------------------------------------------------------------------------
static void offer_binding(const Checker *c, Similar *s, const Binding *b, bool module) {
  if (b && (b->tag == BIND_MODULE) == module && b != c->intrinsics) similar_offer(s, b->name);
}

static void offer_scope(const Checker *c, Similar *s, Space space, bool module) {
  const Map *scope = c->scope[space];
  for (int i = 0; i < map_len(scope); i++) {
    const void *what = map_value_at(scope, i);
    if (!what) continue;
    if (space == SPACE_TERM) offer_binding(c, s, what, module);
    else if (space == SPACE_TYPE) similar_offer(s, ((const TypeDef *)what)->name);
    else similar_offer(s, ((const ModTypeDef *)what)->name);
  }
}

static void offer_env(const Checker *c, Similar *s, Space space, const ModEnv *env, bool module) {
  if (space == SPACE_TERM)
    for (int i = 0; i < env->terms.len; i++) offer_binding(c, s, env->terms.at[i], module);
  else if (space == SPACE_TYPE)
    for (int i = 0; i < env->types.len; i++) similar_offer(s, env->types.at[i]->name);
  else
    for (int i = 0; i < env->modtypes.len; i++) similar_offer(s, env->modtypes.at[i]->name);
}

// The module in scope that has a value of this name: the widest type's first.
static const char *module_with(Checker *c, Name name) {
  static const char *const first[] = {"f64", "i64", "bool"};
  const Map *terms = c->scope[SPACE_TERM];
  const char *found = NULL;
  int best = COUNT_OF(first);
  for (int i = 0; i < map_len(terms); i++) {
    const Binding *b = map_value_at(terms, i);
    if (!b || b->tag != BIND_MODULE || b == c->intrinsics || !b->mod || !b->mod->env) continue;
    const Binding *value = modenv_term(c, b->mod->env, name);
    if (!value || value->tag == BIND_MODULE) continue;
    int rank = 0;
    while (rank < best && strcmp(first[rank], b->name) != 0) rank++;
    if (rank < best || !found) found = b->name;
    if (rank < best) best = rank;
  }
  return found;
}

// A value is wanted and a type or a module has the name.
static bool hint_other_space(const Checker *c, Name name) {
  const Binding *b = scope_get(c, SPACE_TERM, name);
  const TypeDef *def = scope_get(c, SPACE_TYPE, name);
  if (def && b && b->tag == BIND_MODULE)
    diag_hint(c->diag, "\"%s\" is a type and a module: to convert to it, say from what, as in "
              "\"%s.i64 x\".", name, name);
  else if (b && b->tag == BIND_MODULE)
    diag_hint(c->diag, "\"%s\" is a module: its values are written \"%s.x\".", name, name);
  else if (def)
    diag_hint(c->diag, "\"%s\" is a type.", name);
  else
    return false;
  return true;
}

// Names of lib/ad that a program uses without it.
static bool hint_derivative(const Checker *c, const char *name) {
  static const char *const members[] = {
      "grad", "value_and_grad", "derivative", "linearize", "pullback", "jacobian", "hessian", "hvp",
      "grad_and_hvp", "laplacian", "gauss_newton", "gauss_newton_loss", "newton_root",
      "fixed_point", "sparse_jacobian", "sparse_hessian"};
  bool plain = strcmp(name, "stop_gradient") == 0 || strcmp(name, "mk_ad") == 0;
  if (plain) diag_hint(c->diag, "write import \"lib/ad\" before it.");
  for (int i = 0; i < COUNT_OF(members); i++)
    if (strcmp(members[i], name) == 0) {
      diag_hint(c->diag, "write import \"lib/ad\" and module ad = mk_ad f64 before it, and "
                "ad.%s here.", name);
      return true;
    }
  return plain;
}

// math.sin: the module of the numbers' type has it.
static void hint_member(Checker *c, Name module, Span at) {
  uint32_t dot = at.from + (uint32_t)strlen(module) + 1;
  if (dot >= at.to) return;
  const char *member = arena_strndup(c->arena, at.src->text + dot, at.to - dot);
  Name name = name_of(c->names, member);
  const char *mod = module_with(c, name);
  if (mod) member = arena_printf(c->arena, "%s.%s", mod, member);
  else if (foreign_instead(SPACE_TERM, name)) member = foreign_instead(SPACE_TERM, name);
  if (mod || foreign_instead(SPACE_TERM, name))
    diag_fix(c->diag, at, member, "did you mean \"%s\"?", member);
  else if (!foreign_hint(c, name))
    diag_hint(c->diag, "functions of numbers are in the module of their type: \"f64.sin x\".");
}

void hint_name(Checker *c, Space space, const ModEnv *env, Span at, const char *prefix, Name name,
               bool module) {
  if (!c->reported) return;
  const char *instead = NULL;
  if (space == SPACE_TERM && strcmp(name, "pow") == 0) {
    diag_hint(c->diag, "a power is written \"x ** y\".");
    return;
  }
  if (!env && module && strcmp(name, "ad") == 0) {
    diag_hint(c->diag, "write import \"lib/ad\" and module ad = mk_ad f64 before it.");
    return;
  }
  if (!env && module && foreign_module(name)) {
    hint_member(c, name, at);
    return;
  }
  if (!env && space == SPACE_TERM && !module) {
    if (hint_other_space(c, name) || foreign_hint(c, name)) return;
    instead = foreign_instead(space, name);
    const char *mod = instead ? NULL : module_with(c, name);
    if (mod) instead = arena_printf(c->arena, "%s.%s", mod, name);
    if (!instead && hint_derivative(c, name)) return;
  }
  if (!env && space == SPACE_TYPE) instead = foreign_instead(space, name);
  Similar s = similar_begin(name);
  if (!instead && env) offer_env(c, &s, space, env, module);
  else if (!instead) offer_scope(c, &s, space, module);
  if (s.best) instead = arena_printf(c->arena, "%s%s", prefix, s.best);
  if (instead) diag_fix(c->diag, at, instead, "did you mean \"%s\"?", instead);
}

void hint_size(Checker *c, const VarRef *ref) {
  if (!c->reported || ref->name.parts.len != 1) return;
  const char *name = ref->name.parts.at[0];
  diag_hint(c->diag, "a size that arguments show is declared after the name of the function: "
            "\"def f [%s] ..\".", name);
}

// The types that arguments of the prelude's operators must have.
static const struct {
  const char *name, *last;
} differentiated[] = {
    {"jvp", "a direction has the type of the point, the second argument"},
    {"jvp2", "a direction has the type of the point, the second argument"},
    {"jmp", "directions are an array of what the second argument is"},
    {"vjp", "a seed has the type of the function's result"},
    {"vjp2", "a seed has the type of the function's result"},
    {"mjp", "seeds are an array of what the function's result is"},
};

static void hint_function(Checker *c, SType *given) {
  given = stype_find(given);
  if (given->tag != TYPE_ARROW) return;
  if (stype_find(given->arrow.to)->tag == TYPE_ARROW)
    diag_hint(c->diag, "a function of one argument is differentiated: several are a tuple, "
                       "\"\\(x, y) -> ..\".");
  else if (stype_find(given->arrow.from)->starred)
    diag_hint(c->diag, "a function that consumes its argument is differentiated as \"\\x -> f "
                       "(copy x)\".");
}

void hint_argument(Checker *c, const Expr *exp, int i, SType *expected, SType *given) {
  const Expr *fn = exp->apply.fn;
  const Binding *b = fn->tag == EXP_VAR && fn->var.inst ? fn->var.inst->binding : NULL;
  if (!c->reported || !b) return;
  bool tuple = exp->apply.args.len == 1 && exp->apply.args.at[0]->tag == EXP_TUPLE;
  if (tuple && stype_find(expected)->tag != TYPE_RECORD)
    diag_hint(c->diag, "arguments stand one after the other: \"f x y\".");
  if (!b->span.src || !b->span.src->builtin) return;
  for (int k = 0; k < COUNT_OF(differentiated); k++) {
    if (strcmp(b->name, differentiated[k].name) != 0) continue;
    if (i == 0) hint_function(c, given);
    if (i == 1) diag_hint(c->diag, "the point has the type of the function's parameter.");
    if (i == 2) diag_hint(c->diag, "%s.", differentiated[k].last);
  }
}

// A function whose result has a size that is only known afterwards, as filter's, is differentiated.
void hint_unsized(Checker *c, const Expr *exp, const Expr *arg) {
  const Expr *fn = exp->tag == EXP_APPLY ? exp->apply.fn : NULL;
  const Binding *b = fn && fn->tag == EXP_VAR && fn->var.inst ? fn->var.inst->binding : NULL;
  if (!c->reported || !b || !b->span.src || !b->span.src->builtin || arg != exp->apply.args.at[0])
    return;
  for (int k = 0; k < COUNT_OF(differentiated); k++)
    if (strcmp(b->name, differentiated[k].name) == 0)
      diag_hint(c->diag, "the size of what is differentiated must be known before: make a number "
                         "of the result in the function, or state its size, \":> [k]t\".");
}

void hint_field(Checker *c, SType *record, Name field, Span at) {
  record = stype_find(record);
  if (!c->reported) return;
  if (record->tag == TYPE_ARRAY) foreign_field(c, field);
  if (record->tag != TYPE_RECORD) return;
  Similar s = similar_begin(field);
  for (int i = 0; i < record->record.fields.len; i++)
    similar_offer(&s, record->record.fields.at[i].name);
  uint32_t len = (uint32_t)strlen(field);
  if (at.to - at.from > len) at.from = at.to - len;  // of a.b.field
  if (s.best) diag_fix(c->diag, at, s.best, "did you mean field \"%s\"?", s.best);
}

void hint_constr(Checker *c, SType *sum, Name name) {
  sum = stype_find(sum);
  if (!c->reported || sum->tag != TYPE_SUM || constr_index(sum, name) >= 0) return;
  Similar s = similar_begin(name);
  for (int i = 0; i < sum->sum.constrs.len; i++) similar_offer(&s, sum->sum.constrs.at[i].name);
  if (s.best) diag_hint(c->diag, "did you mean constructor \"#%s\"?", s.best);
}
