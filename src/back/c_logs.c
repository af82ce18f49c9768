// CHUNKS whose updates may be written down first (rts/logs.h): beside the function that does a
// range of the iterations, one that logs the updates of a range, and one that adds logged updates.
//
//   int f_chunk1_log(..) { .. dz_note_f64(&log_, bins0_, shift0_, at, x); .. }
//   int f_chunk1_add(..) { for each range q: for each update e of it: s[e->at] += e->value }
//
// The text of the first is that of the loop, but for updates; so they come in the order of one
// core.
#include "local.h"

static const ImpVarInfo *info(const Writer *w, ImpVar v) { return &w->fn->vars.at[v.id]; }

static int number_of(const Writer *w, ImpVar mem) {
  for (int i = 0; w->logged && i < w->logged->len; i++)
    if (w->logged->at[i].id == mem.id) return i;
  return -1;
}

bool c_logs(const Writer *w, ImpVar mem) { return number_of(w, mem) >= 0; }

typedef struct {
  const Writer *w;
  bool found;
} Find;
static void find_logged(void *state, ImpBlock *block) {
  Find *f = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_UPDATE && c_logs(f->w, stm->update.mem)) f->found = true;
    imp_each_block(stm, find_logged, f);
  }
}
bool c_logs_any(const Writer *w, ImpBlock *block) {
  Find f = {w, false};
  if (w->logged) find_logged(&f, block);
  return f.found;
}

void c_log_call(Writer *w, ImpVar mem) {
  int k = number_of(w, mem);
  const char *prim = prim_info[info(w, mem)->prim].name;
  text_printf(w->out, "dz_note_%s(&log_, bins%d_, shift%d_, ", prim, k, k);
}

void c_log_begin(Writer *w, const struct imp_chunks *s) {
  text_puts(w->out, "  DzLog log_;\n  dz_log_begin(&log_, env_->logs, to_);\n");
  for (int i = 0; i < s->copies.len; i++)
    text_printf(w->out, "  DzBin *const bins%d_ = (DzBin *)to_ + env_->logs->from[%d];\n"
                "  const int shift%d_ = env_->logs->shift[%d];\n", i, i, i, i);
}

void c_log_add(Writer *w, const struct imp_chunks *s, const char *name) {
  Text *out = w->out;
  text_printf(out, "DZ_PART __attribute__((noinline)) int %s_add(DzCtx *ctx, const void *at_, "
              "const int64_t first_, const int64_t count_, void *to_) {\n"
              "  const %s_env *const env_ = (const %s_env *)at_;\n"
              "  const DzLogs *const logs_ = env_->logs;\n  (void)ctx, (void)to_;\n"
              "  for (int64_t q_ = first_; q_ < first_ + count_; q_++) {\n", name, name, name);
  for (int i = 0; i < s->copies.len; i++) {
    const ImpVarInfo *v = info(w, s->copies.at[i]);
    const char *prim = prim_info[v->prim].name;
    text_printf(out, "    if (q_ >= logs_->from[%d] && q_ < logs_->from[%d]) {\n"
                "      %s *const sum_ = env_->", i, i + 1, c_type(v->prim));
    c_mem(out, w->fn, s->sums.at[i]);
    text_printf(out, " + ((q_ - logs_->from[%d]) << logs_->shift[%d]);\n"
                "      DZ_EACH_LOGGED(%s, logs_, q_, e_)\n"
                "        sum_[e_->at] = dz_%s_%s(sum_[e_->at], e_->value);\n    }\n", i, i, prim,
                op_info[v->red_op].name, prim);
  }
  text_puts(out, "  }\n  return 0;\n}\n\n");
}

void c_log_sizes(Writer *w, const struct imp_chunks *s) {
  c_line(w);
  text_printf(w->out, "DzLogs logs_ = {.count = %d};\n", s->copies.len);
  for (int i = 0; i < s->copies.len; i++) {
    c_line(w);
    text_printf(w->out, "logs_.cells[%d] = ", i);
    c_exp(w->out, w->fn, s->cells.at[i]);
    text_printf(w->out, ", logs_.bytes[%d] = %d, logs_.puts[%d] = ", i,
                prim_info[info(w, s->copies.at[i])->prim].bytes, i);
    c_exp(w->out, w->fn, s->puts.at[i]);
    text_puts(w->out, ";\n");
  }
}

void c_log_fold(Writer *w, const struct imp_chunks *s, const char *name) {
  text_printf(w->out, "static void %s_fold(void *total_, const void *part_) {\n"
              "  %s_part *const t_ = (%s_part *)total_;\n"
              "  const %s_part *const p_ = (const %s_part *)part_;\n", name, name, name, name,
              name);
  for (int i = 0; i < s->reds.len; i++) {
    const ImpVarInfo *v = info(w, s->reds.at[i]);
    Text r = {0};
    c_var(&r, w->fn, s->reds.at[i]);
    text_printf(w->out, "  t_->%s = dz_%s_%s(t_->%s, p_->%s);\n", r.at, op_info[v->red_op].name,
                prim_info[v->prim].name, r.at, r.at);
    text_free(&r);
  }
  text_puts(w->out, "}\n\n");
}

// X_part total_ = {r, ..}; and back.
static void put_total(Writer *w, const struct imp_chunks *s, const char *name) {
  c_line(w);
  text_printf(w->out, "%s_part parts_[DZ_PARTS], total_ = {", name);
  for (int i = 0; i < s->reds.len; i++) {
    text_puts(w->out, i ? ", " : "");
    c_var(w->out, w->fn, s->reds.at[i]);
  }
  text_puts(w->out, "};\n");
}
static void put_from_total(Writer *w, const struct imp_chunks *s) {
  for (int i = 0; i < s->reds.len; i++) {
    c_line(w);
    c_var(w->out, w->fn, s->reds.at[i]);
    text_puts(w->out, " = total_.");
    c_var(w->out, w->fn, s->reds.at[i]);
    text_puts(w->out, ";\n");
  }
}

void c_log_run(Writer *w, const struct imp_chunks *s, const char *name, const char *unit) {
  const bool sums = s->reds.len > 0;
  if (sums) put_total(w, s, name);
  c_line(w);
  text_printf(w->out, "const DzLogged logged_ = {%s, %s_log, %s_add, &env_, &logs_, n_, %s, "
              "cost_, ", name, name, name, unit);
  if (sums)
    text_printf(w->out, "block_, parts_, sizeof(%s_part), %s_fold, &total_};\n", name, name);
  else text_puts(w->out, "0, NULL, 0, NULL, NULL};\n");
  c_line(w);
  text_puts(w->out, "if (dz_unlikely((err = dz_logged(ctx, &logged_)))) goto fail;\n");
  w->fails = true;
  put_from_total(w, s);
}
