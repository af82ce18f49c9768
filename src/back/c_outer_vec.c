// Loops that run as strips: full strips of iterations as vector code (c_vector.c) and
//
//   the rest as scalar code, where the body is short or has a check that differs between lanes: a
//   strip in which it fails runs as scalar code from its first iteration;
//
//   the rest as one more strip that is not full, by the same vector code: a second copy of a long
//   body is a third of the C compiler's time;
//
//   inside other loops, where few iterations are common, the rest as strips of a single vector, of
//   which the last may be partly full (where memory is walked over, the remainder is scalar code):
//   ten iterations are not the work of thirty-two.
#include "local.h"

static const ImpVarInfo *info(const Writer *w, ImpVar v) { return &w->fn->vars.at[v.id]; }
static const char *pname(Prim p) { return prim_info[p].name; }

// ---- what the loop carries --------------------------------------------------------------------
static void define(Writer *w, ImpVar v, int part) {
  const char *p = pname(info(w, v)->prim);
  c_line(w);
  text_printf(w->out, "DzV%s ", p);
  c_var(w->out, w->fn, v);
  text_printf(w->out, "v%d = dz_splat_%s(", part, p);
}

static void begin_reds(Writer *w, const struct imp_for_ *s) {
  for (int i = 0; i < s->reds.len; i++)
    for (int k = 0; k < w->parts; k++) {
      const ImpVarInfo *v = info(w, s->reds.at[i]);
      define(w, s->reds.at[i], k);
      c_identity(w->out, v->red_op, v->prim);
      text_puts(w->out, ");\n");
    }
}

static void end_reds(Writer *w, const struct imp_for_ *s) {
  for (int i = 0; i < s->reds.len; i++) {
    const ImpVarInfo *v = info(w, s->reds.at[i]);
    Text name = {0};
    c_var(&name, w->fn, s->reds.at[i]);
    c_line(w);
    text_printf(w->out, "%s = dz_%s_%s(%s, ", name.at, op_info[v->red_op].name, pname(v->prim),
                name.at);
    c_fold(w, v->red_op, v->prim, name.at);
    text_puts(w->out, ");\n");
    text_free(&name);
  }
}

// The values that the loop's own scans carry, in all lanes.
static void begin_scans(Writer *w, const struct imp_for_ *s) {
  for (int i = 0; i < s->body->len; i++) {
    if (s->body->at[i]->form != IMP_STM_SCAN) continue;
    const struct imp_scan *scan = &s->body->at[i]->scan;
    define(w, scan->acc, 0);
    c_var(w->out, w->fn, scan->acc);
    text_puts(w->out, ");\n");
  }
}
static void end_scans(Writer *w, const struct imp_for_ *s) {
  for (int i = 0; i < s->body->len; i++) {
    if (s->body->at[i]->form != IMP_STM_SCAN) continue;
    c_line(w);
    c_var(w->out, w->fn, s->body->at[i]->scan.acc);
    text_puts(w->out, " = ");
    c_var(w->out, w->fn, s->body->at[i]->scan.acc);
    text_puts(w->out, "v0[0];\n");
  }
}

// ---- the choice -------------------------------------------------------------------------------
// A call leaves no vector register as it was: what is alive goes to memory and back.  In long
// bodies that is much, and the text of access in line little beside the rest.
static bool strides_are_near(const Writer *w, const struct imp_for_ *s) {
  enum { LONG_BODY = 100, STATEMENTS_EACH = 10 };
  const ImpLook b = imp_look(w->prog->arena, w->lanes, s->body);
  return b.stms >= LONG_BODY && b.strides * STATEMENTS_EACH <= b.stms;
}

// ---- the loop ---------------------------------------------------------------------------------
static void put_counter(Writer *w, const struct imp_for_ *s) { c_var(w->out, w->fn, s->var); }

static void strip_begin(Writer *w, const struct imp_for_ *s) {
  w->lanes = imp_strip_lanes(w->prog->arena, w->fn, s);
  check(w->lanes != NULL);
  w->parts = (int)s->outer_vec;
}

static void put_body(Writer *w, const struct imp_for_ *s) {
  w->indent += 2;
  c_stop_test_strip(w, s);
  c_block(w, s->body);
  c_close(w);
}

// for (i = from; i < n; i += lanes) { live = n - i; part = live < lanes; masks; body }
static void put_masked_vectors(Writer *w, const struct imp_for_ *s, const char *from) {
  w->part = ++w->names;
  c_line(w);
  text_printf(w->out, "for (%s; ", from);
  put_counter(w, s);
  text_puts(w->out, " < ");
  c_exp(w->out, w->fn, s->bound);
  text_puts(w->out, "; ");
  put_counter(w, s);
  text_printf(w->out, " += %d * DZ_W) {\n", w->parts);
  c_line(w);
  text_printf(w->out, "  const int64_t live%d = ", w->part);
  c_exp(w->out, w->fn, s->bound);
  text_puts(w->out, " - ");
  put_counter(w, s);
  text_printf(w->out, ";\n%*sconst bool part%d = live%d < %d * DZ_W;\n", w->indent + 2, "", w->part,
              w->part, w->parts);
  for (int k = 0; k < w->parts; k++)
    text_printf(w->out, "%*sconst DzVbool m%dv%d = dz_below(live%d - %d * DZ_W);\n", w->indent + 2,
                "", w->part, k, w->part, k);
  put_body(w, s);
  w->part = 0;
}

static void put_full_vectors(Writer *w, const struct imp_for_ *s) {
  w->label = ++w->names;
  w->label_used = false;
  c_line(w);
  text_puts(w->out, "for (; ");
  put_counter(w, s);
  text_printf(w->out, " + %d * DZ_W <= ", w->parts);
  c_exp(w->out, w->fn, s->bound);
  text_puts(w->out, "; ");
  put_counter(w, s);
  text_printf(w->out, " += %d * DZ_W) {\n", w->parts);
  w->near = strides_are_near(w, s);
  put_body(w, s);
  w->near = false;
  if (w->label_used) text_printf(w->out, "scalar_%d:;\n", w->label);
}

static void put_start(Writer *w, const struct imp_for_ *s) {
  c_line(w);
  text_puts(w->out, "int64_t ");
  put_counter(w, s);
  text_puts(w->out, " = 0;\n");
}

// All iterations, in strips that need not be full.
static void put_all_vectors(Writer *w, const struct imp_for_ *s) {
  Text from = {0};
  if (w->loops == 0) text_puts(&from, "int64_t ");
  if (w->loops == 0) c_var(&from, w->fn, s->var);
  if (w->loops == 0) text_puts(&from, " = 0");
  else put_start(w, s);
  if (w->loops > 0) put_full_vectors(w, s);
  int parts = w->parts;
  if (w->loops > 0) w->parts = 1;
  put_masked_vectors(w, s, from.at ? from.at : "");
  w->parts = parts;
  text_free(&from);
}

// Full strips, then strips of a single vector, full too.
static void put_vectors(Writer *w, const struct imp_for_ *s) {
  put_full_vectors(w, s);
  int parts = w->parts;
  w->parts = 1;
  put_full_vectors(w, s);
  w->parts = parts;
}

// The vector code, with what it needs before and after.
static void put_outer_vec(Writer *w, const struct imp_for_ *s, ImpRest rest) {
  c_line(w);
  if (rest == REST_PART) text_puts(w->out, "if (0 < ");
  else text_printf(w->out, "if (%d * DZ_W <= ", rest == REST_VECTORS ? 1 : w->parts);
  c_exp(w->out, w->fn, s->bound);
  text_puts(w->out, ") {\n");
  w->indent += 2;
  begin_reds(w, s);
  begin_scans(w, s);
  switch (rest) {
  case REST_PART: put_all_vectors(w, s); break;
  case REST_VECTORS: put_vectors(w, s); break;
  case REST_SCALAR: put_full_vectors(w, s); break;
  }
  w->lanes = NULL;
  end_reds(w, s);
  end_scans(w, s);
  c_close(w);
}

static void put_scalar_rest(Writer *w, const struct imp_for_ *s) {
  c_line(w);
  text_puts(w->out, "for (; ");
  put_counter(w, s);
  text_puts(w->out, " < ");
  c_exp(w->out, w->fn, s->bound);
  text_puts(w->out, "; ");
  put_counter(w, s);
  text_puts(w->out, "++) {\n");
  bool far = w->far;
  w->far = true;
  w->indent += 2;
  c_stop_test_strip(w, s);
  w->loops++;
  c_block(w, s->body);
  w->loops--;
  c_close(w);
  w->far = far;
}

void c_vec_text(Writer *w, const struct imp_for_ *s) {
  strip_begin(w, s);
  const ImpLook look = imp_look(w->prog->arena, w->lanes, s->body);
  ImpRest rest = imp_rest(&look, w->parts, w->loops > 0);
  if (rest == REST_PART) {
    put_outer_vec(w, s, rest);
    return;
  }
  c_open(w);
  put_start(w, s);
  put_outer_vec(w, s, rest);
  put_scalar_rest(w, s);
  c_close(w);
}
