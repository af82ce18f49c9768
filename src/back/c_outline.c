// A large strip becomes a function: compilers' time grows faster than functions do.  The
// function has the loop's text with all names as they are: what the loop uses from outside are its
// parameters, what it carries (reductions, scans) comes by pointer.
#include "local.h"
#include <stdlib.h>

static const ImpVarInfo *info(const Writer *w, ImpVar v) { return &w->fn->vars.at[v.id]; }

enum { OUTLINE_FROM = 24 };

typedef struct {
  ImpVar var;
  bool inside, used;
} Use;
typedef struct {
  const Writer *w;
  Map *at;   // variable -> Use
  LIST(Use *) uses;  // by number of the variable when all are found
  Arena *arena;
  int stms;
  bool swaps;           // pointers change places: none is `restrict` then
  bool swaps_outside;   // of blocks that the loop's caller reads afterwards
} Outline;

static Use *use_of(Outline *o, ImpVar v) {
  Use *use = map_get(o->at, v.id);
  if (use) return use;
  use = NEW(o->arena, Use);
  use->var = v;
  map_put(o->at, v.id, use);
  list_push(o->arena, &o->uses, use);
  return use;
}

// A strip's own blocks are all free again after it, in whatever places: its function swaps
// pointers.
static void use_swap(Outline *o, const struct imp_swap *s) {
  o->swaps = true;
  bool own = info(o->w, s->to)->expanded && info(o->w, s->from)->expanded;
  if (!own) o->swaps_outside = true;
}

static void use_scalar(void *state, ImpVar v) {
  if (v.id) use_of(state, v)->used = true;
}
static void use_exp(void *state, const ImpExp *e) { imp_each_var(e, use_scalar, state); }
static void use_block(void *state, ImpBlock *block) {
  Outline *o = state;
  for (int i = 0; i < block->len; i++) {
    ImpStm *stm = block->at[i];
    ImpVar *def = imp_stm_def(stm);
    if (def && def->id) use_of(o, *def)->inside = true;
    if (stm->form == IMP_STM_SET) use_scalar(o, stm->set.var);
    if (stm->form == IMP_STM_SCAN) use_scalar(o, stm->scan.acc);
    if (stm->form == IMP_STM_SWAP) use_swap(o, &stm->swap);
    imp_each_exp(stm, use_exp, o);
    imp_each_mem(stm, use_scalar, o);
    imp_each_block(stm, use_block, o);
    o->stms++;
  }
}

// Passed by pointer: reductions and what scans carry.
static ImpVars carried(Writer *w, const struct imp_for_ *s) {
  ImpVars out = {0};
  for (int i = 0; i < s->reds.len; i++) list_push(w->prog->arena, &out, s->reds.at[i]);
  for (int i = 0; i < s->body->len; i++)
    if (s->body->at[i]->form == IMP_STM_SCAN)
      list_push(w->prog->arena, &out, s->body->at[i]->scan.acc);
  return out;
}
static bool is_in(const ImpVars *vars, int id) {
  for (int i = 0; i < vars->len; i++)
    if ((int)vars->at[i].id == id) return true;
  return false;
}

// Declarations of the parameters, or the arguments.
static void outline_params(Writer *w, const struct imp_for_ *s, const Outline *o, bool declare) {
  ImpVars reds = carried(w, s);
  for (int k = 0; k < o->uses.len; k++) {
    const Use *use = o->uses.at[k];
    ImpVar v = use->var;
    const ImpVarInfo *i = info(w, v);
    if (!use->used || use->inside || (i->kind == IMP_GLOBAL && !i->is_mem)) continue;
    bool red = is_in(&reds, (int)v.id),
         writes = i->kind == IMP_BLOCK || i->kind == IMP_STACK || red;
    text_puts(w->out, ", ");
    if (declare)
      text_printf(w->out, "%s%s %s", writes ? "" : "const ", c_type(i->prim),
                  i->is_mem ? (o->swaps ? "*" : "*restrict ") : red ? "*const o_" : "");
    else if (red) text_putc(w->out, '&');
    if (i->is_mem) c_mem(w->out, w->fn, v);
    else c_var(w->out, w->fn, v);
  }
}

static void outline_reds(Writer *w, const struct imp_for_ *s, bool in) {
  ImpVars reds = carried(w, s);
  for (int i = 0; i < reds.len; i++) {
    Text name = {0};
    c_var(&name, w->fn, reds.at[i]);
    const char *type = c_type(info(w, reds.at[i])->prim);
    if (in) text_printf(w->out, "  %s %s = *o_%s;\n", type, name.at, name.at);
    else text_printf(w->out, "  *o_%s = %s;\n", name.at, name.at);
    text_free(&name);
  }
}

static void outline_function(Writer *w, const struct imp_for_ *s, const Outline *o,
                             const char *name) {
  Writer f = *w;
  f.out = w->outlined;
  f.outlined = NULL;
  f.indent = 2;
  f.fails = false;
  text_printf(f.out, "DZ_PART __attribute__((noinline)) int %s(DzCtx *ctx", name);
  outline_params(&f, s, o, true);
  text_puts(f.out, ") {\n  int err = 0;\n");
  if (w->prog->globals.len)
    text_puts(f.out, "  DzGlobals *const globals = (DzGlobals *)ctx->globals;\n  (void)globals;\n");
  else text_puts(f.out, "  (void)ctx;\n");
  outline_reds(&f, s, true);
  c_vec_text(&f, s);
  outline_reds(&f, s, false);
  text_puts(f.out, f.fails ? "fail:\n  return err;\n}\n\n" : "  return err;\n}\n\n");
  w->names = f.names;
}

static int use_order(const void *a, const void *b) {
  const Use *const *x = a, *const *y = b;
  return ((*x)->var.id > (*y)->var.id) - ((*x)->var.id < (*y)->var.id);
}

void c_vec_loop(Writer *w, const struct imp_for_ *s) {
  Outline o = {.w = w, .at = map_new(w->prog->arena), .arena = w->prog->arena};
  use_block(&o, s->body);
  if (!w->outlined || o.stms < OUTLINE_FROM || o.swaps_outside) {
    c_vec_text(w, s);
    return;
  }
  use_exp(&o, s->bound);
  use_of(&o, s->var)->inside = true;
  for (int i = 0; i < s->reds.len; i++) use_scalar(&o, s->reds.at[i]);
  qsort(o.uses.at, (size_t)o.uses.len, sizeof *o.uses.at, use_order);
  Text name = {0};
  c_fn_name(&name, w->prog, w->fn->name);
  text_printf(&name, "_loop%d", ++w->outlines);
  outline_function(w, s, &o, name.at);
  c_line(w);
  text_printf(w->out, "if (dz_unlikely((err = %s(ctx", name.at);
  outline_params(w, s, &o, false);
  text_puts(w->out, ")))) goto fail;\n");
  w->fails = true;
  text_free(&name);
}
