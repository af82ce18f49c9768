// CHUNKS statements.  For one core: blocks in turn, in place.  For all cores: a function that does
// a range of the iterations, and a call of the runtime (rts/par.h), which gives ranges to threads.
//
//   typedef struct { .. } f_chunk1_env;      what the loop uses from outside
//   typedef struct { .. } f_chunk1_part;     what a block gives, if the loop sums up
//   int f_chunk1(DzCtx *ctx, const void *at, int64_t first, int64_t count, void *to) { .. }
//
// All names are those of the function around.  A chunk's function has separate blocks, from
// the pool of the thread that runs it.
#include "local.h"

static const ImpVarInfo *info(const Writer *w, ImpVar v) { return &w->fn->vars.at[v.id]; }

// ---- the text's parts -------------------------------------------------------------------------
static bool is_in_blocks(const struct imp_chunks *s) { return s->reds.len + s->copies.len > 0; }
// Where copies do not pay, updates are direct, and sums in blocks of their own.
static bool is_both(const struct imp_chunks *s) { return s->reds.len && s->copies.len; }

// Ranges begin at multiples of what vector code does at a time; blocks are the same everywhere.
static void put_unit(Writer *w, const struct imp_chunks *s) {
  const int vectors = imp_width(s->body).vectors;
  if (vectors && !is_in_blocks(s)) text_printf(w->out, "%d * DZ_W", vectors);
  else text_printf(w->out, "%d", imp_block_unit(s->body));
}

static void put_count(Writer *w, const struct imp_chunks *s) {
  c_var(w->out, w->fn, s->body->at[0]->share.count);
}

static const char *red_name(Writer *w, ImpVar red, Text *name) {
  name->len = 0;
  c_var(name, w->fn, red);
  return name->at;
}

// r = identity
static void put_identities(Writer *w, const struct imp_chunks *s) {
  Text name = {0};
  for (int i = 0; i < s->reds.len; i++) {
    const ImpVarInfo *v = info(w, s->reds.at[i]);
    c_line(w);
    text_printf(w->out, "%s = ", red_name(w, s->reds.at[i], &name));
    c_identity(w->out, v->red_op, v->prim);
    text_puts(w->out, ";\n");
  }
  text_free(&name);
}

// r = op(BEFORE r, AFTER r)
static void put_combined(Writer *w, const struct imp_chunks *s, const char *before,
                         const char *after) {
  Text name = {0};
  for (int i = 0; i < s->reds.len; i++) {
    const ImpVarInfo *v = info(w, s->reds.at[i]);
    const char *r = red_name(w, s->reds.at[i], &name);
    c_line(w);
    text_printf(w->out, "%s = dz_%s_%s(%s%s, %s%s);\n", r, op_info[v->red_op].name,
                prim_info[v->prim].name, before, r, after, r);
  }
  text_free(&name);
}

// The elements of all copies.
static void put_cells(Writer *w, const struct imp_chunks *s) {
  for (int i = 0; i < s->cells.len; i++) {
    text_puts(w->out, i ? " + (double)(" : "(double)(");
    c_exp(w->out, w->fn, s->cells.at[i]);
    text_putc(w->out, ')');
  }
}

// const int64_t n_ = bound, block_ = ..;
static void put_sizes(Writer *w, const struct imp_chunks *s) {
  c_line(w);
  text_puts(w->out, "const int64_t n_ = ");
  c_exp(w->out, w->fn, s->bound);
  text_puts(w->out, ";\n");
  c_line(w);
  text_puts(w->out, "const double cost_ = ");
  c_exp(w->out, w->fn, s->cost);
  text_puts(w->out, ";\n");
  if (!is_in_blocks(s)) return;
  c_line(w);
  const char *sizes = s->copies.len ? "copies" : "block";
  text_printf(w->out, "const int64_t %s_ = dz_%s(n_, cost_, ", is_both(s) ? sizes : "block", sizes);
  if (s->copies.len) put_cells(w, s), text_puts(w->out, ", ");
  put_unit(w, s);
  text_puts(w->out, ");\n");
  if (!is_both(s)) return;
  c_line(w);
  text_puts(w->out, "const bool direct_ = copies_ >= n_;\n");
  c_line(w);
  text_puts(w->out, "const int64_t block_ = direct_ ? dz_block(n_, cost_, ");
  put_unit(w, s);
  text_puts(w->out, ") : copies_;\n");
}

// ---- copies of what blocks add to -------------------------------------------------------------
// for q < cells { LINE }
static void put_cell_loop(Writer *w, const struct imp_chunks *s, int i, const char *line) {
  c_line(w);
  text_puts(w->out, "DZ_SIMD for (int64_t q_ = 0; q_ < ");
  c_exp(w->out, w->fn, s->cells.at[i]);
  text_printf(w->out, "; q_++) %s;\n", line);
}

static const char *mem_name(Writer *w, ImpVar mem, Text *name) {
  name->len = 0;
  c_mem(name, w->fn, mem);
  return name->at;
}

// copy = FROM, all identities
static void put_empty_copies(Writer *w, const struct imp_chunks *s) {
  for (int i = 0; i < s->copies.len; i++) {
    const ImpVarInfo *v = info(w, s->copies.at[i]);
    Text line = {0}, name = {0};
    text_printf(&line, "%s[q_] = ", mem_name(w, s->copies.at[i], &name));
    c_identity(&line, v->red_op, v->prim);
    put_cell_loop(w, s, i, line.at);
    text_free(&line), text_free(&name);
  }
}

// sum = op(sum, copy[.. + AT])
static void put_folded_copies(Writer *w, const struct imp_chunks *s, const char *at) {
  for (int i = 0; i < s->copies.len; i++) {
    const ImpVarInfo *v = info(w, s->copies.at[i]);
    Text line = {0}, sum = {0}, copy = {0};
    mem_name(w, s->sums.at[i], &sum);
    text_printf(&line, "%s[q_] = dz_%s_%s(%s[q_], %s[q_", sum.at, op_info[v->red_op].name,
                prim_info[v->prim].name, sum.at, mem_name(w, s->copies.at[i], &copy));
    if (*at) {
      text_printf(&line, " + %s * (", at);
      c_exp(&line, w->fn, s->cells.at[i]);
      text_putc(&line, ')');
    }
    text_puts(&line, "])");
    put_cell_loop(w, s, i, line.at);
    text_free(&line), text_free(&sum), text_free(&copy);
  }
}

// Memory for so many of each.
static void put_alloc_copies(Writer *w, const struct imp_chunks *s, const char *count) {
  for (int i = 0; i < s->copies.len; i++) {
    Text block = {0}, name = {0};
    c_block_name(&block, w, s->copies.at[i]);
    mem_name(w, s->copies.at[i], &name);
    c_line(w);
    text_printf(w->out, "if (dz_unlikely((err = dz_alloc_n(ctx, &%s, dz_size_mul(%s, ", block.at,
                count);
    c_exp(w->out, w->fn, s->cells.at[i]);
    text_printf(w->out, "), %d)))) goto fail;\n",
                prim_info[info(w, s->copies.at[i])->prim].bytes);
    c_line(w);
    text_printf(w->out, "%s = (%s *)(void *)%s.at;\n", name.at,
                c_type(info(w, s->copies.at[i])->prim), block.at);
    w->fails = true;
    text_free(&block), text_free(&name);
  }
}

// ---- one core ---------------------------------------------------------------------------------
// The first block adds to the sums, the others to one copy.
static void put_copies_in_turn(Writer *w, const struct imp_chunks *s, const char *first) {
  if (!s->copies.len) return;
  c_line(w);
  text_printf(w->out, "if (%s%s == 0) {\n", is_both(s) ? "direct_ || " : "", first);
  w->indent += 2;
  for (int i = 0; i < s->copies.len; i++) {
    c_line(w);
    c_mem(w->out, w->fn, s->copies.at[i]);
    text_puts(w->out, " = ");
    c_mem(w->out, w->fn, s->sums.at[i]);
    text_puts(w->out, ";\n");
  }
  w->indent -= 2;
  c_line(w);
  text_puts(w->out, "} else {\n");
  w->indent += 2;
  c_line(w);
  text_printf(w->out, "if (%s == block_) {\n", first);
  w->indent += 2;
  put_alloc_copies(w, s, "1");
  c_close(w);
  put_empty_copies(w, s);
  c_close(w);
}

static void put_folds_in_turn(Writer *w, const struct imp_chunks *s, const char *first) {
  if (!s->copies.len) return;
  c_line(w);
  text_printf(w->out, "if (%s%s > 0) {\n", is_both(s) ? "!direct_ && " : "", first);
  w->indent += 2;
  put_folded_copies(w, s, "");
  c_close(w);
}

static void put_blocks_in_turn(Writer *w, const struct imp_chunks *s) {
  Text first = {0}, name = {0};
  c_var(&first, w->fn, s->first);
  put_sizes(w, s);
  c_line(w);
  text_printf(w->out, "for (int64_t %s = 0; %s < n_; %s += block_) {\n", first.at, first.at,
              first.at);
  w->indent += 2;
  c_line(w);
  text_puts(w->out, "const int64_t ");
  put_count(w, s);
  text_printf(w->out, " = n_ - %s < block_ ? n_ - %s : block_;\n", first.at, first.at);
  for (int i = 0; i < s->reds.len; i++) {
    const char *r = red_name(w, s->reds.at[i], &name);
    c_line(w);
    text_printf(w->out, "const %s o_%s = %s;\n", c_type(info(w, s->reds.at[i])->prim), r, r);
  }
  put_identities(w, s);
  put_copies_in_turn(w, s, first.at);
  c_block(w, s->body);
  put_folds_in_turn(w, s, first.at);
  put_combined(w, s, "o_", "");
  c_close(w);
  text_free(&first), text_free(&name);
}

// ---- all cores --------------------------------------------------------------------------------
static void count_mem(void *state, ImpVar mem) { ((int *)state)[mem.id]++; }
static void count_block(void *state, ImpBlock *block) {
  for (int i = 0; i < block->len; i++) {
    imp_each_mem(block->at[i], count_mem, state);
    imp_each_block(block->at[i], count_block, state);
  }
}
const int *c_mentions(Writer *w, ImpBlock *block, const ImpVars *params) {
  int *count = NEW_ARRAY(w->prog->arena, int, w->fn->vars.len + 1);
  count_block(count, block);
  for (int i = 0; params && i < params->len; i++) count[params->at[i].id]++;
  return count;
}

typedef struct {
  const struct imp_chunks *s;
  Uses uses;
  const int *inside;  // by memory: mentions in the chunk
  const char *name;
} Chunk;

static bool is_in(const ImpVars *vars, ImpVar v) {
  for (int i = 0; i < vars->len; i++)
    if (vars->at[i].id == v.id) return true;
  return false;
}

// Memory that is the chunk's alone.
static bool is_own(const Writer *w, const Chunk *c, ImpVar v) {
  ImpKind kind = info(w, v)->kind;
  return (kind == IMP_BLOCK || kind == IMP_STACK) && c->inside[v.id] == w->mentions[v.id];
}

// Whether the chunk is given it.
static bool is_given(const Writer *w, const Chunk *c, const Use *use) {
  const ImpVarInfo *i = info(w, use->var);
  if (!use->used || use->inside || is_in(&c->s->reds, use->var)) return false;
  if (i->is_mem) return is_in(&c->s->copies, use->var) || !is_own(w, c, use->var);
  return i->kind != IMP_GLOBAL;
}

static void put_type(Writer *w, ImpVar v) {
  const ImpVarInfo *i = info(w, v);
  bool writes = i->kind == IMP_BLOCK || i->kind == IMP_STACK || i->kind == IMP_REF;
  text_printf(w->out, "%s%s %s", i->is_mem && !writes ? "const " : "", c_type(i->prim),
              i->is_mem ? "*" : "");
}
static void put_name(Writer *w, ImpVar v) {
  if (info(w, v)->is_mem) c_mem(w->out, w->fn, v);
  else c_var(w->out, w->fn, v);
}

static void put_env_type(Writer *w, const Chunk *c) {
  text_puts(w->out, "typedef struct {\n");
  for (int k = 0; k < c->uses.uses.len; k++) {
    const Use *use = c->uses.uses.at[k];
    if (!is_given(w, c, use)) continue;
    text_puts(w->out, "  ");
    put_type(w, use->var);
    put_name(w, use->var);
    text_puts(w->out, ";\n");
  }
  if (c->s->copies.len) text_puts(w->out, "  int64_t block, distance;\n");
  if (c->s->puts.len) text_puts(w->out, "  DzLogs *logs;\n");
  text_printf(w->out, "  char end;\n} %s_env;\n", c->name);
  if (!c->s->reds.len) return;
  text_puts(w->out, "typedef struct {\n");
  for (int i = 0; i < c->s->reds.len; i++) {
    text_printf(w->out, "  %s ", c_type(info(w, c->s->reds.at[i])->prim));
    c_var(w->out, w->fn, c->s->reds.at[i]);
    text_puts(w->out, ";\n");
  }
  text_printf(w->out, "} %s_part;\n", c->name);
}

static void put_env(Writer *w, const Chunk *c) {
  c_line(w);
  text_printf(w->out, "const %s_env env_ = {", c->name);
  for (int k = 0; k < c->uses.uses.len; k++) {
    const Use *use = c->uses.uses.at[k];
    if (!is_given(w, c, use)) continue;
    put_name(w, use->var);
    text_puts(w->out, ", ");
  }
  if (c->s->copies.len)
    text_printf(w->out, "%sblock_, !alone_, ", is_both(c->s) ? "direct_ ? n_ : " : "");
  if (c->s->puts.len) text_puts(w->out, "&logs_, ");
  text_puts(w->out, "0};\n");
}

// The first block adds to the sums themselves, the others each to its copy, which begins empty.
static void put_own_copies(Writer *f, const Chunk *c) {
  const struct imp_chunks *s = c->s;
  Text first = {0};
  c_var(&first, f->fn, s->first);
  if (s->copies.len) text_printf(f->out, "  if (%s >= env_->block) {\n", first.at);
  f->indent = 4;
  for (int i = 0; i < s->copies.len; i++) {
    text_puts(f->out, "    ");
    c_mem(f->out, f->fn, s->copies.at[i]);
    text_printf(f->out, " += (%s / env_->block - 1) * env_->distance * (", first.at);
    c_exp(f->out, f->fn, s->cells.at[i]);
    text_puts(f->out, ");\n");
  }
  put_empty_copies(f, s);
  f->indent = 2;
  if (s->copies.len) text_puts(f->out, "  } else {\n");
  for (int i = 0; i < s->copies.len; i++) {
    text_puts(f->out, "    ");
    c_mem(f->out, f->fn, s->copies.at[i]);
    text_puts(f->out, " = ");
    c_mem(f->out, f->fn, s->sums.at[i]);
    text_puts(f->out, ";\n");
  }
  if (s->copies.len) text_puts(f->out, "  }\n");
  text_free(&first);
}

static void put_given(Writer *w, const Chunk *c) {
  const struct imp_chunks *s = c->s;
  text_printf(w->out, "  const %s_env *const env_ = (const %s_env *)at_;\n", c->name, c->name);
  for (int k = 0; k < c->uses.uses.len; k++) {
    const Use *use = c->uses.uses.at[k];
    if (!is_given(w, c, use)) continue;
    if (w->logged && (is_in(&s->copies, use->var) || is_in(&s->sums, use->var))) continue;
    text_puts(w->out, info(w, use->var)->is_mem ? "  " : "  const ");
    put_type(w, use->var);
    put_name(w, use->var);
    text_puts(w->out, " = env_->");
    put_name(w, use->var);
    text_puts(w->out, ";\n");
  }
}

static bool in_chunk(const Writer *w, ImpVar v) { return w->elsewhere[v.id]; }

// The blocks of this chunk alone are marked in f->elsewhere while it is written.
static void put_own(Writer *f, const Chunk *c) {
  for (int id = 1; id < f->fn->vars.len; id++) {
    ImpVar v = {(uint32_t)id};
    if (!info(f, v)->is_mem || !c->inside[id] || !is_own(f, c, v)) continue;
    f->elsewhere[id] = true;
    c_declare_mem(f, v);
  }
}

static void put_reds(Writer *f, const Chunk *c, bool begin) {
  const struct imp_chunks *s = c->s;
  Text name = {0};
  if (begin && s->reds.len && f->logged) {
    text_printf(f->out, "  %s_part *const part_ = (%s_part *)dz_log_part(env_->logs, ", c->name,
                c->name);
    c_var(f->out, f->fn, s->first);
    text_puts(f->out, ", sizeof *part_);\n");
  } else if (begin && s->reds.len) {
    text_printf(f->out, "  %s_part *const part_ = (%s_part *)to_;\n", c->name, c->name);
  }
  for (int i = 0; i < s->reds.len; i++) {
    const char *r = red_name(f, s->reds.at[i], &name);
    if (begin) text_printf(f->out, "  %s %s;\n", c_type(info(f, s->reds.at[i])->prim), r);
    else text_printf(f->out, "  part_->%s = %s;\n", r, r);
  }
  if (begin) put_identities(f, s);
  text_free(&name);
}

// The function that runs a range of iterations; with `logs`, the one that logs their updates.
static void put_function(Writer *w, const Chunk *c, bool logs) {
  Text text = {0}, body = {0};
  Writer f = *w;
  f.logged = logs ? &c->s->copies : NULL;
  f.out = &text;
  f.indent = 2;
  f.fails = false;
  f.elsewhere = NEW_ARRAY(w->prog->arena, bool, w->fn->vars.len + 1);
  if (!logs) put_env_type(&f, c);
  text_printf(f.out, "DZ_PART __attribute__((noinline)) int %s%s(DzCtx *ctx, const void *at_, "
              "const int64_t ", c->name, logs ? "_log" : "");
  c_var(f.out, f.fn, c->s->first);
  text_puts(f.out, ", const int64_t ");
  put_count(&f, c->s);
  text_puts(f.out, ", void *to_) {\n  int err = 0;\n");
  text_puts(f.out, w->prog->globals.len
                       ? "  DzGlobals *const globals = (DzGlobals *)ctx->globals;\n"
                         "  (void)globals;\n" : "  (void)ctx, (void)to_;\n");
  put_given(&f, c);
  put_own(&f, c);
  if (logs) c_log_begin(&f, c->s);
  else put_own_copies(&f, c);
  put_reds(&f, c, true);
  f.out = &body;
  c_block(&f, c->s->body);
  text_write(&text, body.at ? body.at : "", body.len);
  f.out = &text;
  put_reds(&f, c, false);
  text_puts(f.out, logs ? "  return log_.full ? DZ_LOG_FULL : err;\n" : "  return err;\n");
  if (f.fails) {
    text_puts(f.out, "fail:\n");
    c_free_all(&f, in_chunk);
    text_puts(f.out, "  return err;\n");
  }
  text_puts(f.out, "}\n\n");
  if (logs) c_log_add(&f, c->s, c->name);
  if (logs && c->s->reds.len) c_log_fold(&f, c->s, c->name);
  text_write(w->outlined, text.at, text.len);
  text_free(&text), text_free(&body);
  for (int id = 1; id < w->fn->vars.len; id++) w->elsewhere[id] |= f.elsewhere[id];
  w->names = f.names;
  w->outlines = f.outlines;
}

static void put_call(Writer *w, const char *call) {
  c_line(w);
  text_printf(w->out, "if (dz_unlikely((err = %s))) goto fail;\n", call);
  w->fails = true;
}

static void put_folds(Writer *w, const Chunk *c) {
  c_line(w);
  text_puts(w->out, "for (int64_t b_ = 0; b_ < blocks_; b_++) {\n");
  w->indent += 2;
  if (c->s->copies.len) {
    c_line(w);
    text_puts(w->out, "if (at_ + b_ > 0) {\n");
    w->indent += 2;
    put_folded_copies(w, c->s, "(alone_ ? 0 : b_ - 1)");
    c_close(w);
  }
  put_combined(w, c->s, "", "parts_[b_].");
  c_close(w);
}

// Rounds of DZ_PARTS blocks; copies are fewer.  One thread has one copy: rounds of one block.
static void put_sums(Writer *w, const Chunk *c) {
  bool reds = c->s->reds.len > 0, copies = c->s->copies.len > 0;
  c_line(w);
  if (reds) text_printf(w->out, "%s_part parts_[DZ_PARTS];\n", c->name);
  else text_puts(w->out, "char *const parts_ = NULL;\n");
  c_line(w);
  text_printf(w->out, "const int64_t round_ = (%s) * block_;\n",
              copies ? "alone_ ? 1 : DZ_PARTS" : "DZ_PARTS");
  c_line(w);
  text_puts(w->out, "for (int64_t at_ = 0; at_ < n_; at_ += round_) {\n");
  w->indent += 2;
  c_line(w);
  text_puts(w->out, "const int64_t end_ = n_ - at_ > round_ ? at_ + round_ : n_;\n");
  c_line(w);
  text_printf(w->out, "const DzPar par_ = {%s, &env_, end_, block_, cost_, ", c->name);
  if (reds) text_printf(w->out, "sizeof(%s_part), 0};\n", c->name);
  else text_puts(w->out, "0, 0};\n");
  put_call(w, "dz_par_blocks(ctx, &par_, at_, parts_)");
  c_line(w);
  text_puts(w->out, "const int64_t blocks_ = dz_parts(end_ - at_, block_);\n");
  put_folds(w, c);
  c_close(w);
}

static void put_ranges(Writer *w, const Chunk *c) {
  c_line(w);
  text_printf(w->out, "const DzPar par_ = {%s, &env_, n_, ", c->name);
  put_unit(w, c->s);
  text_printf(w->out, ", cost_, 0, %s};\n", c->s->panels ? "DZ_RANGES_FEW" : "DZ_RANGES");
  put_call(w, "dz_par(ctx, &par_)");
}

static void put_close(Writer *w) {
  c_close(w);
}

// if (logs pay) all iterations by logs; else {
static void put_logs(Writer *w, const Chunk *c) {
  Text unit = {0};
  text_printf(&unit, "%d", imp_block_unit(c->s->body));
  c_line(w);
  text_puts(w->out, "if (more_ == 0 && dz_logs_pay(ctx, &logs_, n_, cost_)) {\n");
  w->indent += 2;
  c_log_run(w, c->s, c->name, unit.at);
  w->indent -= 2;
  c_line(w);
  text_puts(w->out, "} else {\n");
  w->indent += 2;
  text_free(&unit);
}

// if (copies do not pay) blocks in turn, whose updates are direct; else {
static void put_direct(Writer *w, const Chunk *c) {
  c_line(w);
  text_puts(w->out, "if (direct_) {\n");
  w->indent += 2;
  c_line(w);
  text_printf(w->out, "%s_part part_;\n", c->name);
  c_line(w);
  text_puts(w->out, "for (int64_t at_ = 0; at_ < n_; at_ += block_) {\n");
  w->indent += 2;
  c_line(w);
  text_puts(w->out, "const int64_t count_ = n_ - at_ < block_ ? n_ - at_ : block_;\n");
  Text call = {0};
  text_printf(&call, "%s(ctx, &env_, at_, count_, &part_)", c->name);
  put_call(w, call.at);
  put_combined(w, c->s, "", "part_.");
  text_free(&call);
  put_close(w);
  w->indent -= 2;
  c_line(w);
  text_puts(w->out, "} else {\n");
  w->indent += 2;
}

static void put_on_cores(Writer *w, const struct imp_chunks *s) {
  if (!w->mentions) w->mentions = c_mentions(w, w->fn->body, &w->fn->params);
  Chunk c = {.s = s, .uses = c_uses(w, s->body), .inside = c_mentions(w, s->body, NULL)};
  c_use_of(&c.uses, s->first)->inside = true;
  for (int i = 0; i < s->reds.len; i++) c_use_of(&c.uses, s->reds.at[i])->used = true;
  for (int i = 0; i < s->copies.len; i++) {
    c_use_of(&c.uses, s->copies.at[i])->used = c_use_of(&c.uses, s->sums.at[i])->used = true;
    c_use_exp(&c.uses, s->cells.at[i]);
  }
  c_uses_sort(&c.uses);
  Text name = {0};
  c_fn_name(&name, w->prog, w->fn->core ? w->fn->name : "dz_init");
  text_printf(&name, "_chunk%d", ++w->outlines);
  c.name = name.at;
  put_function(w, &c, false);
  if (s->puts.len) put_function(w, &c, true);
  put_sizes(w, s);
  if (s->copies.len) {
    c_line(w);
    text_printf(w->out, "const int64_t more_ = %sdz_copies_more(n_, block_);\n",
                is_both(s) ? "direct_ ? 0 : " : "");
    c_line(w);
    text_puts(w->out, "const bool alone_ = more_ > 0 && dz_par_alone(ctx);\n");
    put_alloc_copies(w, s, "(alone_ ? 1 : more_)");
  }
  if (s->puts.len) c_log_sizes(w, s);
  put_env(w, &c);
  if (s->puts.len) put_logs(w, &c);
  if (is_both(s)) put_direct(w, &c);
  if (is_in_blocks(s)) put_sums(w, &c);
  else put_ranges(w, &c);
  if (is_both(s)) put_close(w);
  if (s->puts.len) put_close(w);
  text_free(&name);
}

void c_chunks(Writer *w, const struct imp_chunks *s) {
  c_open(w);
  if (prog_target(w->prog->core) == TARGET_CORES) put_on_cores(w, s);
  else put_blocks_in_turn(w, s);
  c_close(w);
}
