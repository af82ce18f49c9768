// KERNEL and TRANSFER statements: a kernel, which is a function of one thread of a device, and its
// launch (rts/dev.h).  Its text is that of all devices, by the macros of rts/gpu.h.
//
//   DZ_KERNEL(f_kernel1)(DZ_SELF DZ_GLOBAL int64_t *fail_, const int64_t n_,
//                        DZ_GLOBAL char *m_3, const int64_t o_3, const double x_7) { .. }
//
// Memory comes as an object of the device and an offset in bytes.  A check that fails is noted in
// fail_, of the first iteration, and ends the thread.  The emulation calls the kernel by a function
// of one form; for other devices it stands in the text that their compiler gets (kernels.c).
// Kernels that are equal but for names and for the places of their checks are one function; each
// place in the program has a description, with its first check's number (DzKernel).
#include <inttypes.h>
#include "local.h"

static const ImpVarInfo *info(const Writer *w, ImpVar v) { return &w->fn->vars.at[v.id]; }

// ---- what a kernel uses -------------------------------------------------------------------------
static void find_own(void *state, ImpBlock *block) {
  Map *own = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_PART) map_put(own, stm->part.mem.id, own);
    imp_each_block(stm, find_own, own);
  }
}

typedef struct {
  Map *written;
} Writes;
static void note_write(const Writes *s, ImpVar mem) { map_put(s->written, mem.id, s->written); }
static void find_writes(void *state, ImpBlock *block) {
  const Writes *s = state;
  for (int i = 0; i < block->len; i++) {
    const ImpStm *stm = block->at[i];
    if (stm->form == IMP_STM_STORE) note_write(s, stm->store.mem);
    if (stm->form == IMP_STM_UPDATE) note_write(s, stm->update.mem);
    if (stm->form == IMP_STM_COPY) note_write(s, stm->copy.to);
    if (stm->form == IMP_STM_PART) note_write(s, stm->part.of);
    imp_each_block(stm, find_writes, state);
  }
}

typedef struct {
  const struct imp_kernel *s;
  const char *name;   // of this place; of the function if it is new
  Uses uses;
  Map *own, *written;
  ImpVars mems, values;  // parameters
  ImpVars frame;         // arrays of the thread's own
} Kernel;

static int mentions_in(Writer *w, ImpBlock *block, ImpVar mem) {
  return c_mentions(w, block, NULL)[mem.id];
}

static void find_params(Writer *w, Kernel *k) {
  Arena *arena = w->prog->arena;
  if (!w->mentions) w->mentions = c_mentions(w, w->fn->body, &w->fn->params);
  for (int i = 0; i < k->uses.uses.len; i++) {
    const Use *use = k->uses.uses.at[i];
    const ImpVarInfo *v = info(w, use->var);
    if (!use->used || use->inside || map_get(k->own, use->var.id)) continue;
    bool frame = v->kind == IMP_STACK &&
                 mentions_in(w, k->s->body, use->var) == w->mentions[use->var.id];
    list_push(arena, frame ? &k->frame : v->is_mem ? &k->mems : &k->values, use->var);
  }
}

static Kernel kernel_of(Writer *w, const struct imp_kernel *s, const char *name) {
  Arena *arena = w->prog->arena;
  Kernel k = {.s = s, .name = name, .uses = c_uses(w, s->body), .own = map_new(arena),
              .written = map_new(arena)};
  c_use_of(&k.uses, s->var)->inside = true;
  c_uses_sort(&k.uses);
  find_own(k.own, s->body);
  find_writes(&(Writes){k.written}, s->body);
  find_params(w, &k);
  return k;
}

static const char *value_type(const Writer *w, ImpVar v) {
  return info(w, v)->prim == PRIM_BOOL ? "uint8_t" : c_type(info(w, v)->prim);
}

// ---- the kernel ---------------------------------------------------------------------------------
static void put_params(Writer *f, const Kernel *k) {
  text_puts(f->out, "(DZ_SELF DZ_GLOBAL int64_t *fail_, const int64_t n_");
  for (int i = 0; i < k->mems.len; i++)
    text_printf(f->out, ", DZ_GLOBAL char *m_%u, const int64_t o_%u", k->mems.at[i].id,
                k->mems.at[i].id);
  for (int i = 0; i < k->values.len; i++)
    text_printf(f->out, ", const %s v_%u_", value_type(f, k->values.at[i]), k->values.at[i].id);
  text_puts(f->out, ") {\n");
}

static void put_pointer(Writer *f, const Kernel *k, ImpVar v) {
  const char *type = c_type(info(f, v)->prim);
  bool writes = map_get(k->written, v.id);
  text_printf(f->out, "  DZ_GLOBAL %s%s *const ", writes ? "" : "const ", type);
  c_mem(f->out, f->fn, v);
  text_printf(f->out, " = (DZ_GLOBAL %s%s *)(m_%u + o_%u);\n", writes ? "" : "const ", type, v.id,
              v.id);
}

// Constants of the program have the names that they have on the host.
static void put_globals(Writer *f, const Kernel *k) {
  bool any = false;
  for (int i = 0; i < k->values.len; i++) {
    const ImpVarInfo *v = info(f, k->values.at[i]);
    if (v->kind != IMP_GLOBAL) continue;
    text_printf(f->out, "%s %s s%d;", any ? "" : "  struct {", c_type(v->prim), v->global);
    any = true;
  }
  if (!any) return;
  text_puts(f->out, " } globals_, *const globals = &globals_;\n");
  for (int i = 0; i < k->values.len; i++) {
    const ImpVarInfo *v = info(f, k->values.at[i]);
    if (v->kind != IMP_GLOBAL) continue;
    text_printf(f->out, "  globals_.s%d = v_%u_;\n", v->global, k->values.at[i].id);
  }
}

static void put_values(Writer *f, const Kernel *k) {
  for (int i = 0; i < k->values.len; i++) {
    const ImpVarInfo *v = info(f, k->values.at[i]);
    if (v->kind == IMP_GLOBAL) continue;
    text_printf(f->out, "  const %s ", c_type(v->prim));
    c_var(f->out, f->fn, k->values.at[i]);
    text_printf(f->out, " = v_%u_;\n", k->values.at[i].id);
  }
}

static void put_own(Writer *f, const Kernel *k) {
  for (int i = 0; i < map_len(k->own); i++) {
    ImpVar v = {(uint32_t)map_key_at(k->own, i)};
    text_printf(f->out, "    DZ_GLOBAL %s *", c_type(info(f, v)->prim));
    c_mem(f->out, f->fn, v);
    text_puts(f->out, " = 0;\n");
  }
  for (int i = 0; i < k->frame.len; i++) {
    text_puts(f->out, "  ");
    c_declare_mem(f, k->frame.at[i]);
  }
}

static bool is_emulated(const Writer *w) {
  return prog_target(w->prog->core) == TARGET_GPU_HOST;
}

// The function's text after its name; the first site of its checks, -1: it has none.
static int64_t kernel_text(const Writer *w, const Kernel *k, Text *text) {
  int64_t site = -1;
  Writer f = *w;
  f.out = text;
  f.outlined = NULL;
  f.device = true;
  f.first_site = &site;
  f.names = 0;
  f.indent = 4;
  f.device_var = k->s->order;
  f.own = k->s->groups ? NULL : k->own;
  f.groups = k->s->groups;
  put_params(&f, k);
  text_puts(f.out, f.groups ? "  DZ_GROUPS\n" : "  DZ_THREADS\n");
  for (int i = 0; i < k->mems.len; i++) put_pointer(&f, k, k->mems.at[i]);
  put_globals(&f, k);
  put_values(&f, k);
  if (f.own && map_len(k->own))
    text_puts(f.out, "  const int64_t stride_ = threads_ < n_ ? threads_ : n_;\n");
  text_puts(f.out, "  for (int64_t ");
  c_var(f.out, f.fn, k->s->var);
  text_puts(f.out, k->s->groups ? " = group_; " : " = id_; ");
  c_var(f.out, f.fn, k->s->var);
  text_puts(f.out, " < n_; ");
  c_var(f.out, f.fn, k->s->var);
  text_puts(f.out, k->s->groups ? " += groups_) {\n" : " += threads_) {\n");
  put_own(&f, k);
  c_block(&f, k->s->body);
  text_puts(f.out, "  }\n}\n");
  return site;
}

// How an emulated thread calls it.
static void put_shim(Writer *w, const Kernel *k) {
  int at = 2;
  text_printf(w->outlined, "DZ_PART void %s_call(const DzThread *self_, void *const *a_) {\n"
                           "  %s(self_, *(int64_t **)a_[0], *(const int64_t *)a_[1]", k->name,
              k->name);
  for (int i = 0; i < k->mems.len; i++, at += 2)
    text_printf(w->outlined, ", *(char **)a_[%d], *(const int64_t *)a_[%d]", at, at + 1);
  for (int i = 0; i < k->values.len; i++)
    text_printf(w->outlined, ", *(const %s *)a_[%d]", value_type(w, k->values.at[i]), at++);
  text_puts(w->outlined, ");\n}\n");
}

// Not as DZ_KERNEL(f_kernel1), in which units.c would not see the function's name.
static void put_emulated(Writer *w, const Kernel *k, const Text *text) {
  text_printf(w->outlined, "DZ_HOST_KERNEL void %s", k->name);
  text_write(w->outlined, text->at, text->len);
  put_shim(w, k);
}

static void put_description(Writer *w, const Kernel *k, const KernelText *text, int64_t site) {
  const Loc *loc = info(w, k->s->order)->loc;
  Text where = {0};
  if (loc && loc->span.src) span_print(&where, loc->span);
  text_printf(w->outlined, "static const DzKernel %s_kernel = {\"%s\", \"%s\", ", k->name, k->name,
              text->name);
  if (where.at) c_string(w->outlined, where.at);
  else text_puts(w->outlined, "NULL");
  text_printf(w->outlined, ", %d, %" PRId64 ", %s, ", text->number, site,
              k->s->groups ? "true" : "false");
  text_free(&where);
  if (is_emulated(w)) text_printf(w->outlined, "%s_call};\n\n", text->name);
  else text_puts(w->outlined, "NULL};\n\n");
}

static void put_function(Writer *w, const Kernel *k) {
  Text text = {0};
  const int64_t site = kernel_text(w, k, &text);
  bool is_new = false;
  const KernelText *found = c_kernel_of(w, k->s->groups, &text, k->name, &is_new);
  if (is_new && is_emulated(w)) put_emulated(w, k, &text);
  put_description(w, k, found, site);
  text_free(&text);
}

// ---- the launch ---------------------------------------------------------------------------------
// Memory that no block holds has a size that is known here, or in a function that calls this one
// (-1).
static int64_t bytes_of(const ImpVarInfo *v) {
  if (v->kind != IMP_DATA && v->kind != IMP_STACK) return -1;
  int64_t count = v->kind == IMP_DATA ? v->data->len : v->count;
  return count * prim_info[v->prim].bytes;
}

static void put_arg(Writer *w, const Kernel *k, ImpVar mem) {
  c_line(w);
  text_puts(w->out, "  {(void *)(uintptr_t)");
  c_mem(w->out, w->fn, mem);
  text_printf(w->out, ", %" PRId64 ", %s},\n", bytes_of(info(w, mem)),
              map_get(k->written, mem.id) ? "DZ_ARG_WRITE" : "DZ_ARG_READ");
}

static void put_args(Writer *w, const Kernel *k) {
  c_line(w);
  text_puts(w->out, "DzArg args_[] = {\n");
  for (int i = 0; i < k->mems.len; i++) put_arg(w, k, k->mems.at[i]);
  for (int i = 0; i < k->values.len; i++) {
    c_line(w);
    text_puts(w->out, "  {(void *)(uintptr_t)&");
    c_var(w->out, w->fn, k->values.at[i]);
    text_printf(w->out, ", %d, DZ_ARG_VALUE},\n", prim_info[info(w, k->values.at[i])->prim].bytes);
  }
  c_line(w);
  text_puts(w->out, "  {0}};\n");
}

static void put_launch(Writer *w, const Kernel *k) {
  put_args(w, k);
  c_line(w);
  text_printf(w->out, "if (dz_unlikely((err = dz_launch(ctx, &%s_kernel, ", k->name);
  c_exp(w->out, w->fn, k->s->bound);
  text_puts(w->out, ", ");
  c_exp(w->out, w->fn, k->s->threads);
  text_printf(w->out, ", args_, %d)))) goto fail;\n", k->mems.len + k->values.len);
  w->fails = true;
}

void c_kernel(Writer *w, const struct imp_kernel *s) {
  Text name = {0};
  c_fn_name(&name, w->prog, w->fn->core ? w->fn->name : "dz_init");
  text_printf(&name, s->groups ? "_kernel%d_groups" : "_kernel%d", ++w->outlines);
  Kernel k = kernel_of(w, s, name.at);
  put_function(w, &k);
  for (int i = 0; i < map_len(k.own); i++) w->elsewhere[map_key_at(k.own, i)] = true;
  for (int i = 0; i < k.frame.len; i++) w->elsewhere[k.frame.at[i].id] = true;
  c_open(w);
  put_launch(w, &k);
  c_close(w);
  text_free(&name);
}

// In front of a call: memory that no block holds.  How many.
int c_lend(Writer *w, const struct imp_call *s) {
  if (!prog_on_device(w->prog->core)) return 0;
  int count = 0;
  for (int i = 0; i < s->mems.len; i++) {
    const ImpVarInfo *v = info(w, s->mems.at[i]);
    if (v->kind != IMP_DATA && v->kind != IMP_STACK) continue;
    c_line(w);
    text_puts(w->out, count++ ? "  " : "{ DzLent lent_[] = {");
    text_puts(w->out, "{(void *)(uintptr_t)");
    c_mem(w->out, w->fn, s->mems.at[i]);
    text_printf(w->out, ", %" PRId64 ", NULL},\n", bytes_of(v));
  }
  if (!count) return 0;
  c_line(w);
  text_printf(w->out, "}; dz_lend(ctx, lent_, %d);\n", count);
  return count;
}

// ---- statements of kernels ----------------------------------------------------------------------
// Places are counted from the kernel's first.
void c_kernel_test(Writer *w, const struct imp_test *s) {
  if (*w->first_site < 0) *w->first_site = s->site;
  c_line(w);
  text_puts(w->out, "if (!(");
  c_exp(w->out, w->fn, s->cond);
  text_puts(w->out, ")) { const int64_t f_[DZ_FAIL_WORDS] = {");
  c_var(w->out, w->fn, w->device_var);
  text_printf(w->out, ", %" PRId64, s->site - *w->first_site);
  for (int i = 0; i < s->values.len && i < DZ_FAIL_VALUES; i++) {
    text_puts(w->out, ", (int64_t)(");
    c_exp(w->out, w->fn, s->values.at[i]);
    text_puts(w->out, ")");
  }
  text_puts(w->out, "}; dz_failed(fail_, f_); return; }\n");
}

// The first element of the thread's part (c_element).
void c_kernel_part(Writer *w, const struct imp_part *s) {
  c_line(w);
  c_mem(w->out, w->fn, s->mem);
  text_puts(w->out, " = ");
  c_mem(w->out, w->fn, s->of);
  if (w->own) {
    text_puts(w->out, " + id_;\n");
    return;
  }
  text_puts(w->out, " + group_ * ");
  c_exp(w->out, w->fn, s->cells);
  text_puts(w->out, ";\n");
}

void c_kernel_swap(Writer *w, const struct imp_swap *s) {
  bool frame = info(w, s->to)->kind == IMP_STACK;
  c_line(w);
  text_printf(w->out, "{ %s%s *const t = ", frame ? "" : "DZ_GLOBAL ",
              c_type(info(w, s->to)->prim));
  c_mem(w->out, w->fn, s->to);
  text_puts(w->out, "; ");
  c_mem(w->out, w->fn, s->to);
  text_puts(w->out, " = ");
  c_mem(w->out, w->fn, s->from);
  text_puts(w->out, "; ");
  c_mem(w->out, w->fn, s->from);
  text_puts(w->out, " = t; }\n");
}

void c_kernel_copy(Writer *w, const struct imp_copy *s) {
  c_line(w);
  text_puts(w->out, w->groups ? "DZ_BARRIER for (int64_t q_ = lane_; q_ < "
                              : "for (int64_t q_ = 0; q_ < ");
  c_exp(w->out, w->fn, s->count);
  text_puts(w->out, w->groups ? "; q_ += size_) " : "; q_++) ");
  c_element(w, s->to, s->to_at, " + q_");
  text_puts(w->out, " = ");
  c_element(w, s->from, s->from_at, " + q_");
  text_puts(w->out, w->groups ? "; DZ_BARRIER\n" : ";\n");
}

// ---- groups -------------------------------------------------------------------------------------
// Outside of spread loops the group's first thread writes to memory, between two barriers: the
// others have read the old value before, and read the new one after.
void c_kernel_alone(Writer *w) {
  if (w->groups) text_puts(w->out, "DZ_BARRIER if (lane_ == 0) ");
}
void c_kernel_together(Writer *w) {
  if (w->groups) text_puts(w->out, " DZ_BARRIER");
}

static void put_red_begin(Writer *w, ImpVar red, const char *name) {
  const ImpVarInfo *v = info(w, red);
  c_line(w);
  text_printf(w->out, "const %s begin_%s = %s; %s = ", c_type(v->prim), name, name, name);
  c_identity(w->out, v->red_op, v->prim);
  text_puts(w->out, ";\n");
}

// r = op (what r began with, what the threads have), halves added to halves in scratch_.
static void put_red_end(Writer *w, ImpVar red, const char *r) {
  const ImpVarInfo *v = info(w, red);
  const char *type = v->prim == PRIM_BOOL ? "uint8_t" : c_type(v->prim);
  const char *op = op_info[v->red_op].name, *p = prim_info[v->prim].name;
  c_line(w);
  text_printf(w->out, "{ DZ_LOCAL %s *const all_ = (DZ_LOCAL %s *)scratch_; all_[lane_] = %s; "
                      "DZ_BARRIER\n", type, type, r);
  c_line(w);
  text_printf(w->out, "  for (int64_t w_ = size_, h_ = (w_ + 1) / 2; w_ > 1; w_ = h_, "
                      "h_ = (w_ + 1) / 2) { if (lane_ + h_ < w_) "
                      "all_[lane_] = dz_%s_%s(all_[lane_], all_[lane_ + h_]); DZ_BARRIER }\n",
              op, p);
  c_line(w);
  text_printf(w->out, "  %s = dz_%s_%s(begin_%s, all_[0]); DZ_BARRIER }\n", r, op, p, r);
}

static void put_reds(Writer *w, const struct imp_for_ *s,
                     void (*put)(Writer *w, ImpVar red, const char *name)) {
  for (int i = 0; i < s->reds.len; i++) {
    Text name = {0};
    c_var(&name, w->fn, s->reds.at[i]);
    put(w, s->reds.at[i], name.at);
    text_free(&name);
  }
}

void c_kernel_spread(Writer *w, const struct imp_for_ *s) {
  c_open(w);
  put_reds(w, s, put_red_begin);
  c_line(w);
  text_puts(w->out, "DZ_BARRIER for (int64_t ");
  c_var(w->out, w->fn, s->var);
  text_puts(w->out, " = lane_; ");
  c_var(w->out, w->fn, s->var);
  text_puts(w->out, " < ");
  c_exp(w->out, w->fn, s->bound);
  text_puts(w->out, "; ");
  c_var(w->out, w->fn, s->var);
  text_puts(w->out, " += size_) {\n");
  w->groups = false;
  w->indent += 2;
  c_block(w, s->body);
  w->indent -= 2;
  w->groups = true;
  c_line(w);
  text_puts(w->out, "} DZ_BARRIER\n");
  put_reds(w, s, put_red_end);
  c_close(w);
}

void c_transfer(Writer *w, const struct imp_transfer *s) {
  static const char *const names[] = {"dz_to_read", "dz_to_write", "dz_undefined"};
  for (int i = 0; i < s->mems.len; i++) {
    int kind = info(w, s->mems.at[i])->kind;
    if (kind == IMP_STACK || kind == IMP_DATA) continue;
    c_line(w);
    text_printf(w->out, "if (dz_unlikely((err = %s(ctx, ", names[s->how]);
    c_mem(w->out, w->fn, s->mems.at[i]);
    text_puts(w->out, ")))) goto fail;\n");
    w->fails = true;
  }
}
