// A large strip becomes a function: compilers' time grows faster than functions do.  The
// function has the loop's text with all names as they are: what the loop uses from outside are its
// parameters, what it carries (reductions, scans) comes by pointer.  Parameters are in the order of
// their use, so that loops that are equal but for names have equal functions (c_share.c).
#include <inttypes.h>
#include "local.h"

static const ImpVarInfo *info(const Writer *w, ImpVar v) { return &w->fn->vars.at[v.id]; }

enum { OUTLINE_FROM = 24 };

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
static void outline_params(Writer *w, const struct imp_for_ *s, const Uses *o, bool declare) {
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

// The function's text after its name, into text; the first site of its checks, -1: it has none.
static int64_t outline_text(Writer *w, const struct imp_for_ *s, const Uses *o, Text *text) {
  Text body = {0};
  int64_t site = -1;
  Writer f = *w;
  f.out = &body;
  f.outlined = NULL;
  f.indent = 2;
  f.names = 0;
  f.fails = false;
  f.first_site = &site;
  outline_reds(&f, s, true);
  c_vec_text(&f, s);
  outline_reds(&f, s, false);
  f.out = text;
  text_puts(text, site < 0 ? "(DzCtx *ctx" : "(DzCtx *ctx, const int site_");
  outline_params(&f, s, o, true);
  text_puts(text, ") {\n  int err = 0;\n");
  text_puts(text, w->prog->globals.len
                      ? "  DzGlobals *const globals = (DzGlobals *)ctx->globals;\n"
                        "  (void)globals;\n" : "  (void)ctx;\n");
  text_write(text, body.at ? body.at : "", body.len);
  text_puts(text, f.fails ? "fail:\n  return err;\n}\n\n" : "  return err;\n}\n\n");
  text_free(&body);
  return site;
}

// The function's name: of an equal one, if there is one.
static const char *outline_name(Writer *w, const Text *text) {
  Text name = {0};
  c_fn_name(&name, w->prog, w->fn->name);
  text_printf(&name, "_loop%d", w->outlines + 1);
  const char *given = c_share(w->shares, text, name.at);
  if (!given) {
    given = arena_strdup(w->prog->arena, name.at);
    w->outlines++;
    text_printf(w->outlined, "DZ_PART __attribute__((noinline)) int %s", given);
    text_write(w->outlined, text->at, text->len);
  }
  text_free(&name);
  return given;
}

void c_vec_loop(Writer *w, const struct imp_for_ *s) {
  Uses o = c_uses(w, s->body);
  if (!w->outlined || o.stms < OUTLINE_FROM || o.swaps_outside || c_logs_any(w, s->body)) {
    c_vec_text(w, s);
    return;
  }
  c_use_exp(&o, s->bound);
  c_use_of(&o, s->var)->inside = true;
  for (int i = 0; i < s->reds.len; i++) c_use_of(&o, s->reds.at[i])->used = true;
  Text text = {0};
  int64_t site = outline_text(w, s, &o, &text);
  c_line(w);
  text_printf(w->out, "if (dz_unlikely((err = %s(ctx", outline_name(w, &text));
  if (site >= 0) text_printf(w->out, ", %" PRId64, site);
  outline_params(w, s, &o, false);
  text_puts(w->out, ")))) goto fail;\n");
  w->fails = true;
  text_free(&text);
}
