// Appending statements to the function being made.
#include <string.h>
#include "local.h"

ImpVar var_fresh(Lower *l, const char *base, ImpKind kind, Prim prim) {
  ImpVar v = {(uint32_t)l->fn->vars.len};
  list_push(l->arena, &l->fn->vars, (ImpVarInfo){.base = base, .kind = kind, .prim = prim});
  list_push(l->arena, &l->mems, (MemUse){.block = l->block});
  return v;
}
ImpVar mem_fresh(Lower *l, const char *base, ImpKind kind, Prim prim) {
  ImpVar v = var_fresh(l, base, kind, prim);
  l->fn->vars.at[v.id].is_mem = true;
  return v;
}

ImpStm *imp_emit(Lower *l, ImpStm stm) {
  ImpStm *copy = arena_copy(l->arena, &stm, sizeof stm);
  list_push(l->arena, l->at, copy);
  return copy;
}
const ImpExp *var_exp(Lower *l, ImpVar v) { return imp_var(l->arena, l->fn, v); }
const ImpExp *int_exp(Lower *l, int64_t i) { return imp_i64(l->arena, i); }

// Address computations are named once per scope.
const ImpExp *emit_let(Lower *l, const char *base, const ImpExp *e) {
  if (imp_is_atom(e)) return e;
  int from = l->lets.len > 64 ? l->lets.len - 64 : 0;
  for (int i = l->lets.len - 1; e->index && i >= from; i--)
    if (imp_exp_same(l->lets.at[i].exp, e)) return var_exp(l, l->lets.at[i].var);
  ImpVar v = var_fresh(l, base, IMP_LET, e->prim);
  l->fn->vars.at[v.id].def = e;
  imp_emit(l, (ImpStm){.form = IMP_STM_LET, .let = {v, e}});
  if (e->index) list_push(l->arena, &l->lets, (KnownLet){e, v});
  return var_exp(l, v);
}

const ImpExp *emit_load(Lower *l, const char *base, ImpVar mem, Prim prim, const ImpExp *at) {
  ImpVar v = var_fresh(l, base, IMP_LET, prim);
  imp_emit(l, (ImpStm){.form = IMP_STM_LOAD, .load = {v, mem, at}});
  return var_exp(l, v);
}
const ImpExp *emit_memory_left(Lower *l, const ImpExp *most) {
  ImpVar v = var_fresh(l, "left", IMP_LET, PRIM_I64);
  imp_emit(l, (ImpStm){.form = IMP_STM_MEMORY_LEFT, .memory_left = {v, most}});
  return var_exp(l, v);
}
const ImpExp *emit_memory_need(Lower *l, const ImpExp *left) {
  ImpVar v = var_fresh(l, "need", IMP_LET, PRIM_I64);
  imp_emit(l, (ImpStm){.form = IMP_STM_MEMORY_NEED, .memory_need = {v, left}});
  return var_exp(l, v);
}
// Parameters are known by name: one entry each.
static int param_new(Lower *l, const char *name) {
  if (strcmp(name, TUNED_BLOCK) == 0) return IMP_TUNED_BLOCK;
  if (strcmp(name, TUNED_THREADS) == 0) return IMP_TUNED_THREADS;
  for (int i = 0; i < l->out->params.len; i++)
    if (strcmp(l->out->params.at[i], name) == 0) return i;
  list_push(l->arena, &l->out->params, name);
  return l->out->params.len - 1;
}
const ImpExp *emit_tuned(Lower *l, const char *name, const ImpExp *otherwise) {
  ImpVar v = var_fresh(l, *name == '#' ? name + 1 : name, IMP_LET, PRIM_I64);
  imp_emit(l, (ImpStm){.form = IMP_STM_TUNED, .tuned = {v, param_new(l, name), otherwise}});
  return var_exp(l, v);
}
void emit_store(Lower *l, ImpVar mem, const ImpExp *at, const ImpExp *value) {
  imp_emit(l, (ImpStm){.form = IMP_STM_STORE, .store = {mem, at, value}});
}
ImpVar emit_var(Lower *l, const char *base, const ImpExp *init) {
  ImpVar v = var_fresh(l, base, IMP_MUT, init->prim);
  imp_emit(l, (ImpStm){.form = IMP_STM_VAR, .var = {v, init}});
  return v;
}

Open block_open(Lower *l) {
  Open open = {l->at, NEW(l->arena, ImpBlock), l->block, l->lets.len};
  l->at = open.block;
  l->block = ++l->blocks;
  return open;
}
Open branch_open(Lower *l) {
  Open open = block_open(l);
  while (l->branch_of.len <= l->block) list_push(l->arena, &l->branch_of, -1);
  l->branch_of.at[l->block] = open.outer_id;
  return open;
}
void block_close(Lower *l, Open open) {
  l->at = open.outer;
  l->block = open.outer_id;
  l->lets.len = open.lets;
}

ForLoop for_open(Lower *l, const char *base, const ImpExp *bound, bool parallel) {
  ImpVar v = var_fresh(l, base, IMP_LET, PRIM_I64);
  l->fn->vars.at[v.id].bound = bound;
  l->fn->vars.at[v.id].loc = l->stm ? l->stm->loc : NULL;
  return (ForLoop){block_open(l), v, var_exp(l, v), bound, parallel, {0}, l->ordered};
}
void for_close(Lower *l, ForLoop loop) {
  block_close(l, loop.open);
  if (loop.open.block->len == 0) return;
  bool parallel = loop.parallel && loop.ordered == l->ordered;
  imp_emit(l, (ImpStm){.form = IMP_STM_FOR,
                       .for_ = {.var = loop.var, .bound = loop.bound, .parallel = parallel,
                                .reds = loop.reds, .body = loop.open.block}});
}

void imp_emit_if(Lower *l, const ImpExp *cond, ImpBlock *then, ImpBlock *other) {
  if (then->len + other->len == 0) return;
  imp_emit(l, (ImpStm){.form = IMP_STM_IF, .if_ = {cond, then, other}});
}

const ImpExp *exp_and(Lower *l, const ImpExp *a, const ImpExp *b) {
  if (imp_is_int(a, 1)) return b;
  if (imp_is_int(b, 1)) return a;
  return imp_op(l->arena, OP_AND, PRIM_BOOL, a, b, NULL);
}
const ImpExp *exp_le(Lower *l, const ImpExp *a, const ImpExp *b) {
  if (imp_exp_same(a, b)) return imp_const(l->arena, scalar_bool(true));
  return imp_op(l->arena, OP_LE, PRIM_I64, a, b, NULL);
}

// As one unsigned comparison; known where i counts a loop up to n.
const ImpExp *exp_in_range(Lower *l, const ImpExp *i, const ImpExp *n) {
  const ImpVarInfo *info = i->kind == IMP_VAR ? &l->fn->vars.at[i->var.id] : NULL;
  if (info && info->bound && imp_exp_same(info->bound, n))
    return imp_const(l->arena, scalar_bool(true));
  if (imp_is_int(i, 0) && n->kind != IMP_CONST)
    return imp_op(l->arena, OP_LT, PRIM_I64, i, n, NULL);
  return imp_op(l->arena, OP_LT, PRIM_U64, imp_conv(l->arena, PRIM_U64, i),
                imp_conv(l->arena, PRIM_U64, n), NULL);
}

// "-> #0  a.fut:3:5-9" for the place itself, "   #1  .." for each call site around it.
static const char *site_where(Lower *l, const Loc *loc) {
  Text text = {0};
  for (int i = 0; loc; i++, loc = loc->caller) {
    text_printf(&text, "%s #%d  ", i ? "  " : "->", i);
    if (loc->span.src) span_print(&text, loc->span);
    else text_puts(&text, "unknown");
    text_putc(&text, '\n');
  }
  const char *s = arena_strndup(l->arena, text.at ? text.at : "", text.len);
  text_free(&text);
  return s;
}

// One site for each place and message.
int site_new(Lower *l, const char *format) {
  const char *where = site_where(l, l->stm ? l->stm->loc : NULL);
  Text text = {0};
  text_printf(&text, "%s%s", where, format);
  uint64_t key = KEY(name_intern(l->site_names, text.at, text.len));
  text_free(&text);
  int known = (int)(intptr_t)map_get(l->site_at, key);
  if (known) return known - 1;
  list_push(l->arena, &l->out->sites, (ImpSite){format, where});
  map_put(l->site_at, key, (void *)(intptr_t)l->out->sites.len);
  return l->out->sites.len - 1;
}

void emit_check(Lower *l, const ImpExp *cond, const char *format, ImpExps values) {
  if (imp_is_int(cond, 1)) return;
  imp_emit(l, (ImpStm){.form = IMP_STM_TEST, .test = {cond, site_new(l, format), values}});
}
