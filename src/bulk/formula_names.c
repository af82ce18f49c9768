// Names in formulas: the user's, numbered where they are taken; and how often each is used.
#include "formula.h"
#include <ctype.h>
#include <string.h>

// Words of Python, and the names that the text relies on.
static const char *const reserved[] = {
    "False", "None",   "True",     "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",    "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global", "if",       "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",   "raise",    "return", "try",  "while",  "with",   "yield",    "np",
    "range", "special", "times",   "guard",  "powz", "put",    "fold",   "scan",     "before",
    "first",
    "zip",   "tuple",  "slice",    NULL};

static bool is_reserved(const char *name) {
  for (int i = 0; reserved[i]; i++)
    if (strcmp(reserved[i], name) == 0) return true;
  return false;
}

static uint64_t key_of(const Formulas *f, const char *name) {
  return KEY(name_of(f->prog->names, name));
}

static bool take(Formulas *f, const char *name) {
  if (is_reserved(name) || map_get(f->taken, key_of(f, name))) return false;
  map_put(f->taken, key_of(f, name), f);
  return true;
}

static const char *cleaned(Formulas *f, const char *base) {
  char *name = arena_strdup(f->arena, base);
  for (char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_') *c = '_';
  return isdigit((unsigned char)*name) || !*name ? arena_printf(f->arena, "v_%s", name) : name;
}

static const char *fresh(Formulas *f, const char *base) {
  const char *stem = cleaned(f, base), *name = stem;
  uintptr_t i = (uintptr_t)map_get(f->numbers, key_of(f, stem));
  if (!i && take(f, name)) return name;
  if (!i) i = 1;
  do name = arena_printf(f->arena, "%s_%d", stem, (int)i++);
  while (!take(f, name));
  map_put(f->numbers, key_of(f, stem), (void *)i);
  return name;
}

const char *formula_name(Formulas *f, Var v) {
  map_put(f->mentioned, v.id, f);
  const char *known = map_get(f->names, v.id);
  if (known) return known;
  const char *name = fresh(f, var_info(f->prog, v)->base);
  map_put(f->names, v.id, (void *)name);
  return name;
}

void formula_rename(Formulas *f, Var v, const char *name) {
  map_put(f->names, v.id, (void *)name);
}

bool formula_is_named(const Formulas *f, Var v) {
  const char *base = var_info(f->prog, v)->base;
  size_t len = strlen(base);
  if (len > 4 && strcmp(base + len - 4, "_adj") == 0)
    base = arena_strndup(f->arena, base, len - 4);
  return !bulk_name_is_default(base);
}

// ---- uses
static void use(Formulas *f, Atom a, int times) {
  if (!a.is_var) return;
  uintptr_t n = (uintptr_t)map_get(f->uses, a.var.id) + (uintptr_t)times;
  map_put(f->uses, a.var.id, (void *)n);
}

static void use_all(Formulas *f, Atoms atoms, int times) {
  for (int i = 0; i < atoms.len; i++) use(f, atoms.at[i], times);
}

int formula_used(const Formulas *f, Var v) { return (int)(uintptr_t)map_get(f->uses, v.id); }

// The statement's text stands at every use of its result.
bool formula_is_view(BulkForm form) {
  return form == BULK_BROADCAST || form == BULK_TRANSPOSE || form == BULK_RESHAPE ||
         form == BULK_SLICE || form == BULK_REVERSE || form == BULK_STOP || form == BULK_OPAQUE;
}

static void use_body(Formulas *f, const BulkBody *body, int times);

static void use_stm(Formulas *f, const BulkStm *stm, int times) {
  const BulkExp *e = &stm->exp;
  int uses = formula_is_view(e->form) ? formula_used(f, stm->bound.at[0]) : times;
  use_all(f, e->args, uses > times ? uses : times);
  use_all(f, e->neutral, times);
  for (int i = 0; i < e->slice.len; i++) {
    use(f, e->slice.at[i].start, uses);
    use(f, e->slice.at[i].count, uses);
    use(f, e->slice.at[i].stride, uses);
  }
  for (int i = 0; i < e->bodies.len; i++) use_body(f, &e->bodies.at[i], 2);
}

// From the end: uses of a view are known before it is met.
static void use_body(Formulas *f, const BulkBody *body, int times) {
  use_all(f, body->results, 2);
  for (int i = body->stms.len - 1; i >= 0; i--) use_stm(f, &body->stms.at[i], times);
}

void formula_uses(Formulas *f, const BulkBody *body) { use_body(f, body, 1); }
