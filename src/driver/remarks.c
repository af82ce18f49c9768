// Warnings that attributes of the source ask for and only the optimised program can answer:
// #[warn(safety_checks)] where a test is left that may fail, #[unroll] where a loop or map is left.
// Statements may have been copied: one message for each kind and place.
#include "driver.h"

typedef struct {
  Session *session;
  const Prog *prog;
  Map *said;  // Loc's source text position and kind to itself
} Remarks;

static bool is_new(Remarks *r, Span span, int kind) {
  const char *at = span.src ? span.src->text + span.from : NULL;
  uintptr_t key = 2 * (uintptr_t)at + (uintptr_t)kind;
  if (map_get(r->said, key)) return false;
  map_put(r->said, key, r);
  return true;
}

// The innermost place in the program itself.
static const Loc *loc_outside_prelude(const Loc *loc) {
  while (loc && (!loc->span.src || loc->span.src->builtin)) loc = loc->caller;
  return loc;
}

static void remark(Remarks *r, const Stm *stm, int kind, const char *message) {
  Diag *diag = r->session->diag;
  const Loc *loc = loc_outside_prelude(stm->loc);
  if (!loc || !is_new(r, loc->span, kind)) return;
  diag_warn(diag, loc->span, "%s", message);
  for (const Loc *at = loc->caller; at; at = at->caller)
    diag_note(diag, at->span, "Called from here.");
}

// The forms that test something themselves.
static bool tests_something(const Prog *prog, const Stm *stm) {
  switch (stm->exp.form) {
    case FORM_PRIM: case FORM_INDEX: case FORM_UPDATE: case FORM_FLATINDEX: case FORM_FLATUPDATE:
    case FORM_IOTA: case FORM_REPLICATE: case FORM_SCRATCH: case FORM_RESHAPE:
      return !stm->attrs.unchecked && !exp_is_total(prog, stm);
    case FORM_ASSERT: return true;
    case FORM_ATOM: case FORM_CONV: case FORM_OPAQUE: case FORM_TRACE: case FORM_STOPGRADIENT:
    case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_LITERAL: case FORM_CONSTANT: case FORM_COPY:
    case FORM_REARRANGE: case FORM_CONCAT: case FORM_REVERSE: case FORM_ROTATE: case FORM_MATCH:
    case FORM_LOOP: case FORM_APPLY: case FORM_MAP: case FORM_REDUCE: case FORM_SCAN:
    case FORM_SCREMA: case FORM_HIST: case FORM_SCATTER: case FORM_WITHACC: case FORM_UPDATEACC:
    case FORM_JVP: case FORM_VJP: case FORM_WITHVJP: case FORM_DEPENDS: case FORM_JACOBIAN:
    case FORM_COUNT: return false;
  }
  return false;
}

static bool is_endless(const Exp *e) {
  return e->form == FORM_LOOP && (!e->loop.is_for || e->loop.bound.is_var);
}

// Why there still is a map: opt/passes/map_jam.c.
static const char *left_map(const Exp *e) {
  bool map = e->form == FORM_MAP || e->form == FORM_SCREMA;
  if (!map) return NULL;
  Atom width = e->form == FORM_MAP ? e->map.width : e->screma.width;
  return width.is_var ? "[unroll] #[unroll] on map or directions of unknown number."
                      : "[unroll] #[unroll] on map or directions too large, or too many.";
}

static void remark_body(void *state, const Body *body, const Vars *params) {
  (void)params;
  Remarks *r = state;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (stm->attrs.warn_checks && tests_something(r->prog, stm))
      remark(r, stm, 0, "[safety-check] Safety check required at run-time.");
    if (stm->attrs.unroll && is_endless(&stm->exp))
      remark(r, stm, 1, "[unroll] #[unroll] on loop with unknown number of iterations.");
    if (stm->attrs.unroll && left_map(&stm->exp)) remark(r, stm, 1, left_map(&stm->exp));
    exp_each_body(&stm->exp, remark_body, r);
  }
}

void session_remarks(Session *s, const Prog *prog) {
  if (s->diag->no_warnings) return;
  Remarks r = {s, prog, map_new(s->arena)};
  Body constants = {.stms = prog->constants};
  remark_body(&r, &constants, NULL);
  for (int i = 0; i < prog->fns.len; i++) remark_body(&r, &prog->fns.at[i]->body, NULL);
}
