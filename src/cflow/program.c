// The functions of all units, by name.
#include "local.h"

// A pragma of one unit holds for the function of that name in all that have no other.
static void rule_everywhere(const CUnits *units, const CFunction *ruled) {
  for (int u = 0; u < units->len; u++) {
    CFunction *f = cunit_function(units->at[u], ruled->name);
    if (f && !f->rule) f->rule = ruled->rule;
    if (f) f->libc = f->rule;
  }
}

static void given_everywhere(const CUnits *units, const CFunction *from) {
  for (int u = 0; u < units->len; u++) {
    CFunction *f = cunit_function(units->at[u], from->name);
    if (f && !f->given) f->given = from->given;
  }
}

// A function that another unit defines is that one, though it has the name of a library's.
static void defined_elsewhere(const CUnits *units, const CUnit *own) {
  for (int i = 0; i < own->functions.len; i++) {
    CFunction *f = own->functions.at[i];
    for (int u = 0; f->libc && !f->rule && !f->body && u < units->len; u++) {
      const CFunction *other = cunit_function(units->at[u], f->name);
      if (other && other->body && !other->is_static && !other->system) f->libc = NULL;
    }
  }
}

CProgram *cprogram_new(Arena *arena, Names *names, Diag *diag, CUnits units) {
  CProgram *p = NEW(arena, CProgram);
  *p = (CProgram){arena, names, diag, units, map_new(arena), map_new(arena), map_new(arena),
                  false};
  for (int u = 0; u < units.len; u++) {
    const CUnit *unit = units.at[u];
    defined_elsewhere(&units, unit);
    for (int i = 0; i < unit->functions.len; i++)
      map_put(p->used, KEY(unit->functions.at[i]->name), p);
    for (int i = 0; i < unit->functions.len; i++)
      if (unit->functions.at[i]->rule) rule_everywhere(&units, unit->functions.at[i]);
    for (int i = 0; i < unit->functions.len; i++)
      if (unit->functions.at[i]->given) given_everywhere(&units, unit->functions.at[i]);
    for (int i = 0; i < unit->globals.len; i++) map_put(p->used, KEY(unit->globals.at[i]->name), p);
  }
  return p;
}

void cprogram_forget(CProgram *p) {
  p->flows = map_new(p->arena);
  p->summaries = map_new(p->arena);
}

CFunction *cprogram_function(const CProgram *p, const char *name) {
  for (int u = 0; u < p->units.len; u++) {
    CFunction *f = cunit_function(p->units.at[u], name);
    if (f && f->body) return f;
  }
  return NULL;
}

CFunction *cprogram_body(const CProgram *p, const CFunction *f) {
  if (f->rule) return NULL;
  return f->body ? (CFunction *)(uintptr_t)f : cprogram_function(p, f->name);
}

_Noreturn void cflow_gap(Diag *diag, Span at, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  diag_error_args(diag, at, fmt, args);
  va_end(args);
  stop_now(STATUS_UNSUPPORTED);
}
