// Functions and statements of the imperative IR as C text.
#include <inttypes.h>
#include "local.h"

// Branches thousands deep would be mostly spaces.
void c_line(Writer *w) {
  enum { FURTHEST = 80 };
  text_printf(w->out, "%*s", w->indent < FURTHEST ? w->indent : FURTHEST, "");
}

void c_open(Writer *w) {
  c_line(w);
  text_puts(w->out, "{\n");
  w->indent += 2;
}

void c_close(Writer *w) {
  w->indent -= 2;
  c_line(w);
  text_puts(w->out, "}\n");
}

// Few iterations, or one, get no long inline text.
static void put_exp(Writer *w, const ImpExp *e) {
  if (w->device) c_exp(w->out, w->fn, e);
  else if (w->far || (w->once && w->loops == 0 && !w->lanes)) c_exp_far(w->out, w->fn, e);
  else c_exp(w->out, w->fn, e);
}
static const ImpVarInfo *info(const Writer *w, ImpVar v) { return &w->fn->vars.at[v.id]; }

void c_block_name(Text *out, const Writer *w, ImpVar v) {
  const ImpVarInfo *i = info(w, v);
  if (i->kind == IMP_GLOBAL) {
    text_printf(out, "globals->b%d", i->global);
    return;
  }
  text_puts(out, "b_");
  c_ident(out, i->base);
  text_printf(out, "_%u", v.id);
}
static void block_name(Writer *w, ImpVar v) { c_block_name(w->out, w, v); }

// p_x = the elements of b_x
static void set_pointer(Writer *w, ImpVar v) {
  c_line(w);
  c_mem(w->out, w->fn, v);
  text_printf(w->out, " = (%s *)(void *)", c_type(info(w, v)->prim));
  block_name(w, v);
  text_puts(w->out, ".at;\n");
}

static void write_block(Writer *w, const ImpBlock *block) { c_block(w, block); }

static void write_braced(Writer *w, const ImpBlock *block) {
  text_puts(w->out, "{\n");
  w->indent += 2;
  write_block(w, block);
  w->indent -= 2;
  c_line(w);
  text_putc(w->out, '}');
}

// ---- scalars
static void write_let(Writer *w, const struct imp_let *s) {
  c_line(w);
  text_printf(w->out, "const %s ", c_type(info(w, s->var)->prim));
  c_var(w->out, w->fn, s->var);
  text_puts(w->out, " = ");
  put_exp(w, s->value);
  text_puts(w->out, ";\n");
}
static void write_var(Writer *w, const struct imp_var *s) {
  c_line(w);
  text_printf(w->out, "%s ", c_type(info(w, s->var)->prim));
  c_var(w->out, w->fn, s->var);
  text_puts(w->out, " = ");
  put_exp(w, s->value);
  text_puts(w->out, ";\n");
}
static void write_set(Writer *w, const struct imp_set *s) {
  c_line(w);
  c_var(w->out, w->fn, s->var);
  text_puts(w->out, " = ");
  put_exp(w, s->value);
  text_puts(w->out, ";\n");
}
static void write_scan(Writer *w, const struct imp_scan *s) {
  c_line(w);
  text_printf(w->out, "const %s ", c_type(info(w, s->var)->prim));
  c_var(w->out, w->fn, s->var);
  text_printf(w->out, " = dz_%s_%s(", op_info[s->op].name, prim_info[info(w, s->var)->prim].name);
  c_var(w->out, w->fn, s->acc);
  text_puts(w->out, ", ");
  put_exp(w, s->value);
  text_puts(w->out, "); ");
  c_var(w->out, w->fn, s->acc);
  text_puts(w->out, " = ");
  c_var(w->out, w->fn, s->var);
  text_puts(w->out, ";\n");
}
// mem[at + what `plus` says].  Element k of the parts of all of a kernel's threads lies together,
// stride_ elements: neighbouring threads read neighbouring places.
void c_element(Writer *w, ImpVar mem, const ImpExp *at, const char *plus) {
  const bool part = w->own && map_get(w->own, mem.id);
  c_mem(w->out, w->fn, mem);
  text_puts(w->out, part ? "[(" : "[");
  put_exp(w, at);
  text_printf(w->out, part ? "%s) * stride_]" : "%s]", plus);
}
static void element(Writer *w, ImpVar mem, const ImpExp *at) { c_element(w, mem, at, ""); }
static void write_load(Writer *w, const struct imp_load *s) {
  c_line(w);
  text_printf(w->out, "const %s ", c_type(info(w, s->var)->prim));
  c_var(w->out, w->fn, s->var);
  text_puts(w->out, " = ");
  element(w, s->mem, s->at);
  text_puts(w->out, ";\n");
}
static void write_store(Writer *w, const struct imp_store *s) {
  c_line(w);
  c_kernel_alone(w);
  element(w, s->mem, s->at);
  text_puts(w->out, " = ");
  put_exp(w, s->value);
  text_putc(w->out, ';');
  c_kernel_together(w);
  text_putc(w->out, '\n');
}
static void put_atomic(Writer *w, const struct imp_update *s) {
  const char *p = prim_info[info(w, s->mem)->prim].name;
  text_printf(w->out, "dz_atomic_%s_%s(&", op_info[s->op].name, p);
  element(w, s->mem, s->at);
  text_puts(w->out, ", ");
  put_exp(w, s->value);
  text_puts(w->out, ");");
}
static void put_updated(Writer *w, const struct imp_update *s) {
  Prim p = info(w, s->mem)->prim;
  element(w, s->mem, s->at);
  text_puts(w->out, " = ");
  const char *infix = op_info[s->op].infix;
  bool plain = *infix && (p == PRIM_F32 || p == PRIM_F64 || p == PRIM_BOOL);
  if (!plain) text_printf(w->out, "dz_%s_%s(", op_info[s->op].name, prim_info[p].name);
  element(w, s->mem, s->at);
  text_puts(w->out, plain ? " " : ", ");
  if (plain) text_printf(w->out, "%s ", infix);
  put_exp(w, s->value);
  text_puts(w->out, plain ? ";" : ");");
}
static void write_update(Writer *w, const struct imp_update *s) {
  c_line(w);
  if (c_logs(w, s->mem)) {
    c_log_call(w, s->mem);
    put_exp(w, s->at);
    text_puts(w->out, ", ");
    put_exp(w, s->value);
    text_puts(w->out, ");\n");
    return;
  }
  c_kernel_alone(w);
  if (s->atomic && w->device) put_atomic(w, s);
  else put_updated(w, s);
  c_kernel_together(w);
  text_putc(w->out, '\n');
}

// ---- control
// for i < n { m[i + c] = x }  is a call of the runtime, which fills large memory faster than a
// loop.
static bool fills(Writer *w, const struct imp_for_ *s) {
  if (w->lanes || !s->parallel || s->body->len != 1) return false;
  const ImpStm *stm = s->body->at[0];
  if (stm->form != IMP_STM_STORE || s->bound->kind == IMP_CONST) return false;
  const struct imp_store *store = &stm->store;
  Prim p = info(w, store->mem)->prim;
  if (p != PRIM_F64 && p != PRIM_F32 && p != PRIM_I64) return false;
  const ImpExp *step = imp_exp_stride(w->slopes, store->at, s);
  const ImpExp *change = imp_exp_stride(w->slopes, store->value, s);
  return step && change && imp_is_int(step, 1) && imp_is_int(change, 0);
}

static void write_fill(Writer *w, const struct imp_for_ *s) {
  const struct imp_store *store = &s->body->at[0]->store;
  w->renamed[s->var.id] = imp_i64(w->prog->arena, 0);
  const ImpExp *first = imp_exp_subst(w->prog->arena, store->at, w->renamed);
  w->renamed[s->var.id] = NULL;
  c_line(w);
  text_printf(w->out, "dz_fill_%s(", prim_info[info(w, store->mem)->prim].name);
  c_mem(w->out, w->fn, store->mem);
  text_puts(w->out, " + ");
  put_exp(w, first);
  text_puts(w->out, ", ");
  put_exp(w, store->value);
  text_puts(w->out, ", ");
  put_exp(w, s->bound);
  text_puts(w->out, ");\n");
}

static void write_loop(Writer *w, const struct imp_for_ *s) {
  c_line(w);
  w->loops++;
  text_puts(w->out, "for (int64_t ");
  c_var(w->out, w->fn, s->var);
  text_puts(w->out, " = 0; ");
  c_var(w->out, w->fn, s->var);
  text_puts(w->out, " < ");
  put_exp(w, s->bound);
  text_puts(w->out, "; ");
  c_var(w->out, w->fn, s->var);
  text_puts(w->out, "++) {\n");
  w->indent += 2;
  c_stop_test(w, s);
  write_block(w, s->body);
  w->indent -= 2;
  c_line(w);
  text_putc(w->out, '}');
  w->loops--;
  text_putc(w->out, '\n');
}

// Integer reductions as the C compiler does them, which short loops do not repay.
static void write_reducing(Writer *w, const struct imp_for_ *s) {
  enum { SHORT_LOOP = 32 };
  c_line(w);
  text_puts(w->out, "if (");
  put_exp(w, s->bound);
  text_printf(w->out, " < %d) {\n", SHORT_LOOP);
  write_loop(w, s);
  c_line(w);
  text_puts(w->out, "} else {\n#pragma omp simd");
  for (int i = 0; i < s->reds.len; i++) {
    Op op = info(w, s->reds.at[i])->red_op;
    const char *sign = op == OP_ADD ? "+" : op == OP_MUL ? "*" : op == OP_AND ? "&"
                       : op == OP_OR ? "|" : op == OP_XOR ? "^" : op_info[op].name;
    text_printf(w->out, " reduction(%s:", sign);
    c_var(w->out, w->fn, s->reds.at[i]);
    text_putc(w->out, ')');
  }
  text_putc(w->out, '\n');
  write_loop(w, s);
  c_line(w);
  text_puts(w->out, "}\n");
}

static void write_for_(Writer *w, const struct imp_for_ *s) {
  if (s->spread) {
    c_kernel_spread(w, s);
    return;
  }
  if (!w->device && fills(w, s)) {
    write_fill(w, s);
    return;
  }
  if (s->outer_vec && !w->lanes && !w->device) {
    c_vec_loop(w, s);
    return;
  }
  if (c_row_lanes(w, s) || c_row_loop(w, s)) return;
  bool far = w->far, simd = s->simd && !w->lanes && !w->device && !c_logs_any(w, s->body);
  w->far = far && !simd;
  if (simd && s->reds.len) write_reducing(w, s);
  else {
    if (simd) text_puts(w->out, "DZ_SIMD\n");
    write_loop(w, s);
  }
  w->far = far;
}
static void write_chunks(Writer *w, const struct imp_chunks *s) { c_chunks(w, s); }
static void write_kernel(Writer *w, const struct imp_kernel *s) { c_kernel(w, s); }
static void write_part(Writer *w, const struct imp_part *s) { c_kernel_part(w, s); }
static void write_transfer(Writer *w, const struct imp_transfer *s) { c_transfer(w, s); }
static void write_share(Writer *w, const struct imp_share *s) { (void)w, (void)s; }
static void write_while_(Writer *w, const struct imp_while_ *s) {
  c_line(w);
  bool head = s->head->len > 0;
  w->loops++;
  text_puts(w->out, "while (");
  if (head) text_puts(w->out, "true");
  else put_exp(w, s->cond);
  text_puts(w->out, ") {\n");
  w->indent += 2;
  if (head) {
    write_block(w, s->head);
    c_line(w);
    text_puts(w->out, "if (!(");
    put_exp(w, s->cond);
    text_puts(w->out, ")) break;\n");
  }
  c_stop_test_while(w, s);
  write_block(w, s->body);
  w->indent -= 2;
  w->loops--;
  c_line(w);
  text_puts(w->out, "}\n");
}
static void write_if_(Writer *w, const struct imp_if_ *s) {
  c_line(w);
  text_puts(w->out, "if (");
  if (s->then->len == 0) text_puts(w->out, "!(");
  put_exp(w, s->cond);
  text_puts(w->out, s->then->len == 0 ? ")) " : ") ");
  write_braced(w, s->then->len ? s->then : s->other);
  if (s->then->len && s->other->len) {
    text_puts(w->out, " else ");
    write_braced(w, s->other);
  }
  text_putc(w->out, '\n');
}
// A loop's function counts from the first site that it needs, which is its parameter: equal
// functions then have equal texts.
static void put_site(Writer *w, int64_t site) {
  if (!w->first_site) {
    text_printf(w->out, "%" PRId64, site);
    return;
  }
  if (*w->first_site < 0) *w->first_site = site;
  text_printf(w->out, "site_ + (%" PRId64 ")", site - *w->first_site);
}

static void write_test(Writer *w, const struct imp_test *s) {
  if (w->device) {
    c_kernel_test(w, s);
    return;
  }
  c_line(w);
  text_puts(w->out, "if (dz_unlikely(!(");
  put_exp(w, s->cond);
  text_puts(w->out, "))) { err = dz_fail(ctx, ");
  put_site(w, s->site);
  for (int i = 0; i < s->values.len; i++) {
    text_puts(w->out, ", (int64_t)(");
    put_exp(w, s->values.at[i]);
    text_putc(w->out, ')');
  }
  text_puts(w->out, "); goto fail; }\n");
  w->fails = true;
}

static void call_arg(Writer *w, const ImpFn *callee, const struct imp_call *s, int i) {
  ImpVar mem = s->mems.at[i];
  text_puts(w->out, ", ");
  if (mem.id == 0) {
    put_exp(w, s->args.at[i]);
  } else if (callee->vars.at[callee->params.at[i].id].kind == IMP_BLOCK) {
    text_puts(w->out, "dz_take(&");
    block_name(w, mem);
    text_putc(w->out, ')');
  } else {
    c_mem(w->out, w->fn, mem);
    if (imp_is_int(s->args.at[i], 0)) return;
    text_puts(w->out, " + ");
    put_exp(w, s->args.at[i]);
  }
}
static void write_memory_left(Writer *w, const struct imp_memory_left *s) {
  c_line(w);
  text_puts(w->out, "const int64_t ");
  c_var(w->out, w->fn, s->var);
  text_puts(w->out, " = dz_room(ctx, ");
  put_exp(w, s->most);
  text_puts(w->out, ");\n");
}

static void write_memory_need(Writer *w, const struct imp_memory_need *s) {
  (void)w, (void)s;
  ice("memory_need is an expression after its pass");
}

static void write_tuned(Writer *w, const struct imp_tuned *s) {
  c_line(w);
  text_puts(w->out, "const int64_t ");
  c_var(w->out, w->fn, s->var);
  if (s->param == IMP_TUNED_BLOCK) {
    text_puts(w->out, " = (int64_t)DZ_BLOCK_COST;\n");
    return;
  }
  if (s->param == IMP_TUNED_SPREAD) {
    text_puts(w->out, " = dz_spread(ctx);\n");
    return;
  }
  if (s->param == IMP_TUNED_LANES) {
    text_puts(w->out, " = DZ_W;\n");
    return;
  }
  if (s->param == IMP_TUNED_THREADS) {
    bool cores = prog_target(w->prog->core) == TARGET_CORES;
    text_puts(w->out, cores ? " = dz_par_threads(ctx);\n"
                      : prog_on_device(w->prog->core) ? " = DZ_GROUP;\n" : " = 1;\n");
    return;
  }
  text_printf(w->out, " = dz_tuned(ctx, %d, ", (int)s->param);
  put_exp(w, s->otherwise);
  text_puts(w->out, ");\n");
}

// {DZ_F64, 1, (const int64_t[]){n}, p + offset}, the rank's values from `value`.
static void trace_arg(Writer *w, ImpVar mem, int rank, const ImpExp *const *value) {
  Prim p = mem.id ? info(w, mem)->prim : value[0]->prim;
  text_printf(w->out, "{%s, %d, ", dz_prim(p), rank);
  text_puts(w->out, rank ? "(const int64_t[]){" : "NULL, ");
  for (int d = 1; d <= rank; d++) {
    if (d > 1) text_puts(w->out, ", ");
    put_exp(w, value[d]);
  }
  if (mem.id == 0) text_printf(w->out, "&(%s){", c_type(p));
  else text_puts(w->out, "}, ");
  if (mem.id) c_mem(w->out, w->fn, mem), text_puts(w->out, " + ");
  put_exp(w, value[0]);
  text_puts(w->out, mem.id ? "}, " : "}}, ");
}

static void write_trace(Writer *w, const struct imp_trace *s) {
  c_line(w);
  text_puts(w->out, "dz_trace(");
  c_string(w->out, s->label);
  text_puts(w->out, ", ");
  c_string(w->out, s->layout);
  text_puts(w->out, ", (const DzShown[]){");
  for (int i = 0, at = 0; i < s->mems.len; at += 1 + s->ranks[i++] - '0')
    trace_arg(w, s->mems.at[i], s->ranks[i] - '0', s->values.at + at);
  text_puts(w->out, "{0}});\n");
}

static void write_probe(Writer *w, const struct imp_probe *s) { c_look(w, s); }
static void write_probe_loop(Writer *w, const struct imp_probe_loop *s) { c_nest(w, s); }

static void write_call(Writer *w, const struct imp_call *s) {
  const ImpFn *callee = imp_callee(w->prog, s);
  check(callee);
  if (s->deep) {
    c_line(w);
    text_puts(w->out, "if (dz_unlikely(dz_deep(ctx))) { err = dz_fail(ctx, ");
    put_site(w, s->deep - 1);
    text_puts(w->out, "); goto fail; }\n");
  }
  int lent = c_lend(w, s);
  c_line(w);
  text_puts(w->out, "if (dz_unlikely((err = ");
  if (lent) text_printf(w->out, "dz_lend_end(ctx, %d, ", lent);
  c_fn_name(w->out, w->prog, s->fn);
  text_puts(w->out, "(ctx");
  for (int i = 0; i < s->mems.len; i++) call_arg(w, callee, s, i);
  for (int i = 0; i < s->results.len; i++) {
    if (callee->result_in.at[i]) continue;
    text_puts(w->out, ", &");
    if (info(w, s->results.at[i])->is_mem) block_name(w, s->results.at[i]);
    else c_var(w->out, w->fn, s->results.at[i]);
  }
  text_puts(w->out, lent ? "))))) goto fail; }\n" : ")))) goto fail;\n");
  w->fails = true;
  for (int i = 0; i < s->results.len; i++)
    if (info(w, s->results.at[i])->is_mem && !callee->result_in.at[i])
      set_pointer(w, s->results.at[i]);
}

// ---- memory
// Factors of a count whose values are still what they were where it was computed.
static bool is_fixed(const Writer *w, const ImpExp *e) {
  if (e->kind == IMP_VAR) return info(w, e->var)->kind != IMP_MUT;
  return e->kind == IMP_CONST;
}

// How many elements: products of sizes too large for i64 must not look like small ones.
static void put_count(Writer *w, const ImpExp *e) {
  bool named = e->kind == IMP_VAR && info(w, e->var)->kind == IMP_LET;
  const ImpExp *def = named ? info(w, e->var)->def : NULL;
  const ImpExp *p = def ? def : e;
  bool product = p->kind == IMP_OP && p->op == OP_MUL && p->index;
  if (!product || (def && !(is_fixed(w, p->args[0]) && is_fixed(w, p->args[1])))) {
    put_exp(w, e);
    return;
  }
  text_puts(w->out, "dz_size_mul(");
  put_count(w, p->args[0]);
  text_puts(w->out, ", ");
  put_count(w, p->args[1]);
  text_puts(w->out, ")");
}

static void write_alloc(Writer *w, const struct imp_alloc *s) {
  int bytes = prim_info[info(w, s->mem)->prim].bytes;
  c_line(w);
  text_puts(w->out, "if (dz_unlikely((err = dz_alloc_n(ctx, &");
  block_name(w, s->mem);
  text_puts(w->out, ", ");
  put_count(w, s->count);
  text_printf(w->out, ", %d", bytes);
  if (info(w, s->mem)->expanded) text_printf(w->out, " * %d * DZ_W", info(w, s->mem)->expanded);
  text_puts(w->out, ")))) goto fail;\n");
  w->fails = true;
  set_pointer(w, s->mem);
}
static void write_free(Writer *w, const struct imp_free *s) {
  if (w->device) return;
  c_line(w);
  text_puts(w->out, "dz_free(ctx, &");
  block_name(w, s->mem);
  text_puts(w->out, ");\n");
}
static void write_move(Writer *w, const struct imp_move *s) {
  c_line(w);
  block_name(w, s->to);
  text_puts(w->out, " = dz_take(&");
  block_name(w, s->from);
  text_puts(w->out, ");\n");
  set_pointer(w, s->to);
}
// A loop's function has no handles of blocks, only pointers.
static void write_swap(Writer *w, const struct imp_swap *s) {
  if (w->device) {
    c_kernel_swap(w, s);
    return;
  }
  if (info(w, s->to)->kind == IMP_BLOCK && w->outlined) {
    c_line(w);
    text_puts(w->out, "{ const DzBlock t = ");
    block_name(w, s->to);
    text_puts(w->out, "; ");
    block_name(w, s->to);
    text_puts(w->out, " = ");
    block_name(w, s->from);
    text_puts(w->out, "; ");
    block_name(w, s->from);
    text_puts(w->out, " = t; }\n");
  }
  c_line(w);
  text_printf(w->out, "{ %s *const t = ", c_type(info(w, s->to)->prim));
  c_mem(w->out, w->fn, s->to);
  text_puts(w->out, "; ");
  c_mem(w->out, w->fn, s->to);
  text_puts(w->out, " = ");
  c_mem(w->out, w->fn, s->from);
  text_puts(w->out, "; ");
  c_mem(w->out, w->fn, s->from);
  text_puts(w->out, " = t; }\n");
}
static void write_copy(Writer *w, const struct imp_copy *s) {
  if (w->device) {
    c_kernel_copy(w, s);
    return;
  }
  c_line(w);
  text_puts(w->out, "dz_copy(");
  c_mem(w->out, w->fn, s->to);
  text_puts(w->out, " + ");
  put_exp(w, s->to_at);
  text_puts(w->out, ", ");
  c_mem(w->out, w->fn, s->from);
  text_puts(w->out, " + ");
  put_exp(w, s->from_at);
  text_puts(w->out, ", ");
  put_exp(w, s->count);
  text_printf(w->out, " * %d);\n", prim_info[info(w, s->to)->prim].bytes);
}
static void write_return_(Writer *w, const struct imp_return_ *s) {
  c_line(w);
  text_printf(w->out, "*r%" PRId64 " = ", s->index);
  put_exp(w, s->value);
  text_puts(w->out, ";\n");
}
static void write_yield(Writer *w, const struct imp_yield *s) {
  c_line(w);
  text_printf(w->out, "*r%" PRId64 " = dz_take(&", s->index);
  block_name(w, s->mem);
  text_puts(w->out, ");\n");
}

static void write_region(Writer *w, const struct imp_region *s) {
  c_line(w);
  text_printf(w->out, "const bool measured_%" PRId64 " = dz_region_begin(ctx, %" PRId64
              ", %d);\n", s->index, s->index, s->leaf);
  c_block(w, s->body);
  c_line(w);
  text_printf(w->out, "if (measured_%" PRId64 ") dz_region_end(ctx, %" PRId64 ");\n", s->index,
              s->index);
}

void c_block(Writer *w, const ImpBlock *block) {
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    if (w->lanes && c_vec_stm(w, stm)) continue;
    switch (stm->form) {
#define STM(id, member, ...)         \
  case IMP_STM_##id:                 \
    write_##member(w, &stm->member); \
    break;
#include "imp/common/imp.def"
    case IMP_STM_COUNT: break;
    }
  }
  c_vec_flush(w);
}

// ---- functions --------------------------------------------------------------------------------
static void write_signature(Writer *w) {
  const ImpFn *fn = w->fn;
  text_puts(w->out, " int ");
  if (fn->core) c_fn_name(w->out, w->prog, fn->name);
  else text_puts(w->out, "dz_init");
  text_puts(w->out, "(DzCtx *ctx");
  for (int i = 0; i < fn->params.len; i++) {
    ImpVar p = fn->params.at[i];
    const ImpVarInfo *v = info(w, p);
    text_puts(w->out, ", ");
    if (!v->is_mem) {
      text_printf(w->out, "const %s ", c_type(v->prim));
      c_var(w->out, fn, p);
    } else if (v->kind == IMP_BLOCK) {
      text_puts(w->out, "DzBlock ");
      block_name(w, p);
    } else {
      text_printf(w->out, v->kind == IMP_REF ? "%s *const " : "const %s *const ", c_type(v->prim));
      c_mem(w->out, fn, p);
    }
  }
  for (int i = 0; i < fn->result_prims.len; i++)
    if (!fn->result_in.at[i])
      text_printf(w->out, ", %s *const r%d",
                  fn->result_is_mem.at[i] ? "DzBlock" : c_type(fn->result_prims.at[i]), i);
  text_putc(w->out, ')');
}

static bool is_param(const ImpFn *fn, int id) {
  for (int i = 0; i < fn->params.len; i++)
    if ((int)fn->params.at[i].id == id) return true;
  return false;
}

static void write_data(Writer *w, ImpVar v) {
  const Data *d = info(w, v)->data;
  text_printf(w->out, "  static const %s ", c_type(d->prim));
  c_mem(w->out, w->fn, v);
  text_puts(w->out, "[] = {");
  for (int64_t i = 0; i < d->len; i++) {
    if (i) text_puts(w->out, i % 16 ? ", " : ",\n    ");
    c_scalar(w->out, d->at[i]);
  }
  text_puts(w->out, d->len ? "};\n" : "0};\n");
}

void c_declare_mem(Writer *w, ImpVar v) {
  int id = (int)v.id;
  const ImpVarInfo *i = info(w, v);
  const char *type = c_type(i->prim);
  if (i->kind == IMP_BLOCK) {
    bool param = is_param(w->fn, id);
    if (!param) {
      text_puts(w->out, "  DzBlock ");
      block_name(w, v);
      text_puts(w->out, " = {0};\n");
    }
    text_printf(w->out, "  %s *", type);
    c_mem(w->out, w->fn, v);
    text_printf(w->out, " = ");
    if (param) {
      text_printf(w->out, "(%s *)(void *)", type);
      block_name(w, v);
      text_puts(w->out, ".at;\n");
    } else text_puts(w->out, "NULL;\n");
  } else if (i->kind == IMP_STACK) {
    text_printf(w->out, "  %s s_%d[%" PRId64, type, id, i->count > 0 ? i->count : 1);
    if (i->expanded && !w->device) text_printf(w->out, " * %d * DZ_W", i->expanded);
    text_puts(w->out, "], *");
    c_mem(w->out, w->fn, v);
    text_printf(w->out, " = s_%d;\n", id);
  } else if (i->kind == IMP_DATA) {
    write_data(w, v);
  } else if (i->kind == IMP_GLOBAL) {
    text_printf(w->out, "  const %s *", type);
    c_mem(w->out, w->fn, v);
    text_printf(w->out, " = (const %s *)(void *)globals->b%d.at;\n", type, i->global);
  }
}

static void write_locals(Writer *w) {
  bool globals = false;
  for (int id = 1; id < w->fn->vars.len; id++)
    globals = globals || w->fn->vars.at[id].kind == IMP_GLOBAL;
  if (globals) text_puts(w->out, "  DzGlobals *const globals = (DzGlobals *)ctx->globals;\n");
  if (w->prog->trace_nan)
    text_puts(w->out, "  DzLooks *const looks = &((DzGlobals *)ctx->globals)->looks;\n"
                      "  (void)looks;\n");
  text_puts(w->out, "  int err = 0;\n");
  if (w->prog->recursive && !w->fn->core) text_puts(w->out, "  ctx->stack_end = dz_stack_end();\n");
  for (int id = 1; id < w->fn->vars.len; id++)
    if (w->fn->vars.at[id].is_mem && !w->elsewhere[id]) c_declare_mem(w, (ImpVar){(uint32_t)id});
}

void c_free_all(Writer *w, bool (*is)(const Writer *w, ImpVar v)) {
  for (int id = 1; id < w->fn->vars.len; id++) {
    ImpVar v = {(uint32_t)id};
    if (info(w, v)->kind != IMP_BLOCK || !info(w, v)->is_mem || !is(w, v)) continue;
    text_puts(w->out, "  dz_free(ctx, &");
    block_name(w, v);
    text_puts(w->out, ");\n");
  }
}

static bool is_here(const Writer *w, ImpVar v) { return !w->elsewhere[v.id]; }

static void write_fail(Writer *w) {
  text_puts(w->out, "fail:\n");
  c_free_all(w, is_here);
  text_puts(w->out, "  return err;\n");
}

// Functions that are not small may be compiled separately; small ones the C compiler may inline.
// The schedule's are always inlined: a call in a loop would keep the loop's state out of registers.
enum { SMALL_TEXT = 1500 };

static const char *linkage_of(const ImpFn *fn, const Text *body) {
  if (fn->core && fn_name_is_reserved(fn->name)) return "DZ_INLINE";
  return body->len < SMALL_TEXT ? "static" : "DZ_PART";
}

void c_function(const CFile *file, const ImpFn *fn) {
  const ImpProg *prog = file->prog;
  Text body = {0}, signature = {0}, outlined = {0}, stms = {0};
  ImpStrides slopes = {.arena = prog->arena, .fn = fn};
  Writer w = {.out = &signature, .prog = prog, .fn = fn, .indent = 2, .once = file->runs,
              .shares = file->shares, .kernels = file->kernels,
              .outlined = &outlined, .slopes = &slopes,
              .renamed = NEW_ARRAY(prog->arena, const ImpExp *, fn->vars.len),
              .elsewhere = NEW_ARRAY(prog->arena, bool, fn->vars.len + 1)};
  write_signature(&w);
  w.out = &stms;
  write_block(&w, fn->body);
  w.out = &body;
  write_locals(&w);
  text_write(&body, stms.at ? stms.at : "", stms.len);
  text_puts(&body, "  return err;\n");
  if (w.fails) write_fail(&w);
  const char *linkage = linkage_of(fn, &body);
  text_printf(file->declarations, "%s%s;\n", linkage, signature.at);
  if (outlined.len) text_write(file->out, outlined.at, outlined.len);
  text_printf(file->out, "%s%s {\n", linkage, signature.at);
  text_write(file->out, body.at, body.len);
  text_puts(file->out, "}\n\n");
  text_free(&body);
  text_free(&stms);
  text_free(&signature);
  text_free(&outlined);
}
