// Verifies imperative programs: scalars are bound before use and once, memory variables are
// memory, what a statement sets is settable, loops marked lanes are innermost and straight-line.
#include "imp.h"

typedef struct {
  const ImpProg *prog;
  const ImpFn *fn;
  Arena *arena;
  const char *fault;  // of the first rule that is broken
  bool *bound;       // ever bound
  bool *open;        // in scope
  const ImpStm *stm;
  bool lanes;        // inside a lanes loop
} Verifier;

static void must(Verifier *v, bool ok, const char *what, uint32_t id) {
  if (ok || v->fault) return;
  const char *base = v->fn->vars.at[id].base;
  v->fault = arena_printf(v->arena, "function %s: %s, at %s %s_%u", v->fn->name, what,
                          v->stm ? imp_form_info[v->stm->form].keyword : "top", base ? base : "",
                          id);
}

static void verify_var(void *state, ImpVar var) {
  Verifier *v = state;
  must(v, var.id > 0 && (int)var.id < v->fn->vars.len, "unknown variable", 0);
  const ImpVarInfo *info = &v->fn->vars.at[var.id];
  must(v, !info->is_mem, "memory in an expression", var.id);
  must(v, info->kind == IMP_GLOBAL || v->open[var.id], "scalar used out of scope", var.id);
}
static void verify_exp(void *state, const ImpExp *e) { imp_each_var(e, verify_var, state); }

static void verify_mem(void *state, ImpVar mem) {
  Verifier *v = state;
  if (mem.id == 0) return;
  must(v, (int)mem.id < v->fn->vars.len, "unknown memory", 0);
  bool result = v->stm->form == IMP_STM_CALL;  // results may be scalars
  must(v, result || v->fn->vars.at[mem.id].is_mem, "scalar as memory", mem.id);
}

static bool is_straight(ImpForm form) {
  return form == IMP_STM_LET || form == IMP_STM_VAR || form == IMP_STM_SET || form == IMP_STM_LOAD
         || form == IMP_STM_STORE || form == IMP_STM_UPDATE || form == IMP_STM_IF;
}

static void verify_block(void *state, ImpBlock *block);

static void verify_stm(Verifier *v, ImpStm *stm) {
  v->stm = stm;
  must(v, !v->lanes || is_straight(stm->form), "statement not allowed in a lanes loop", 0);
  imp_each_exp(stm, verify_exp, v);
  imp_each_mem(stm, verify_mem, v);
  if (stm->form == IMP_STM_SET) {
    ImpKind kind = v->fn->vars.at[stm->set.var.id].kind;
    must(v, kind == IMP_MUT || kind == IMP_GLOBAL, "set of a constant", stm->set.var.id);
    must(v, kind == IMP_GLOBAL || v->open[stm->set.var.id], "set out of scope", stm->set.var.id);
  }
  if (stm->form == IMP_STM_SCAN) {
    must(v, v->fn->vars.at[stm->scan.acc.id].kind == IMP_MUT, "scan of a constant",
         stm->scan.acc.id);
    must(v, v->open[stm->scan.acc.id], "scan out of scope", stm->scan.acc.id);
  }
  if (stm->form == IMP_STM_STORE) {
    ImpKind kind = v->fn->vars.at[stm->store.mem.id].kind;
    bool writable = kind == IMP_BLOCK || kind == IMP_STACK || kind == IMP_REF;
    must(v, writable, "store to read-only memory", stm->store.mem.id);
  }
  ImpVar *def = imp_stm_def(stm);
  if (def) {
    must(v, !v->bound[def->id], "variable bound twice", def->id);
    v->bound[def->id] = v->open[def->id] = true;
  }
  bool lanes = v->lanes;
  v->lanes = lanes || (stm->form == IMP_STM_FOR && stm->for_.simd);
  imp_each_block(stm, verify_block, v);
  v->lanes = lanes;
  bool loop = stm->form == IMP_STM_FOR || stm->form == IMP_STM_CHUNKS ||
              stm->form == IMP_STM_KERNEL;
  if (def && loop) v->open[def->id] = false;
}

static void verify_block(void *state, ImpBlock *block) {
  Verifier *v = state;
  for (int i = 0; i < block->len; i++) verify_stm(v, block->at[i]);
  for (int i = 0; i < block->len; i++) {
    ImpVar *def = imp_stm_def(block->at[i]);
    if (def) v->open[def->id] = false;
  }
}

const char *imp_fault(const ImpProg *prog, Arena *arena) {
  for (int i = 0; i < prog->fns.len; i++) {
    ImpFn *fn = prog->fns.at[i];
    Verifier v = {.prog = prog, .fn = fn, .arena = arena,
                  .bound = NEW_ARRAY(arena, bool, fn->vars.len),
                  .open = NEW_ARRAY(arena, bool, fn->vars.len)};
    for (int p = 0; p < fn->params.len; p++) v.open[fn->params.at[p].id] = true;
    verify_block(&v, fn->body);
    if (v.fault) return v.fault;
  }
  return NULL;
}

void imp_verify(const ImpProg *prog, const char *pass) {
  Arena *arena = arena_new();
  const char *fault = imp_fault(prog, arena);
  if (fault) {
    Text text = {0};
    imp_print(&text, prog);
    fputs(text.at ? text.at : "", stderr);
    ice("imp after %s, %s", pass, fault);
  }
  arena_free(arena);
}
