// Programs made with --trace-nan: the table of what they look at, and how they do (rts/nan.h).
#include <inttypes.h>
#include "local.h"
#include "interp/interp.h"
#include "rts/nan.h"

static void put_site(Text *out, const DzLookSite *s) {
  text_puts(out, "  {");
  c_string(out, s->what);
  text_puts(out, ", ");
  c_string(out, s->where);
  text_printf(out, ", %d, %" PRIu32 ", %d, {", s->kind, s->var, s->n);
  for (int i = 0; i < s->n; i++) {
    text_printf(out, "{%" PRIu32 ", ", s->args[i].var);
    c_string(out, s->args[i].name);
    text_printf(out, ", \"%s\"}, ", s->args[i].type);
  }
  text_puts(out, "}},\n");
}

void c_look_sites(Text *out, const ImpProg *prog) {
  text_puts(out, "DZ_PART const DzLookSite dz_look_sites[] = {\n");
  for (int i = 0; i < prog->looks.len; i++) {
    DzLookSite site = look_site(prog->core, prog->arena, prog->looks.at[i]);
    put_site(out, &site);
  }
  text_puts(out, "  {0}};\n\n");
}

static void put_float(Writer *w, const ImpExp *e) {
  text_printf(w->out, "dz_look_%s(", prim_info[e->prim].name);
  c_exp(w->out, w->fn, e);
  text_putc(w->out, ')');
}

static void put_operand(Writer *w, const ImpExp *e) {
  bool is_float = prim_is_float(e->prim);
  text_puts(w->out, is_float ? ", {.f = " : ", {.i = (int64_t)(");
  if (is_float) put_float(w, e);
  else c_exp(w->out, w->fn, e);
  text_puts(w->out, is_float ? "}" : ")}");
}

void c_look(Writer *w, const struct imp_probe *s) {
  c_line(w);
  text_printf(w->out, "DZ_LOOK(%zu, &dz_look_sites[%" PRId64 "], ", look_words(w->prog->core),
              s->site);
  put_float(w, s->value);
  for (int i = 0; i < s->values.len; i++) put_operand(w, s->values.at[i]);
  text_puts(w->out, ");\n");
}

void c_nest(Writer *w, const struct imp_probe_loop *s) {
  c_line(w);
  if (s->change) {
    text_puts(w->out, s->change > 0 ? "looks->nest++;\n" : "looks->nest--;\n");
    return;
  }
  text_puts(w->out, "dz_iteration(looks, ");
  c_exp(w->out, w->fn, s->at);
  text_printf(w->out, ", %s);\n", s->backwards ? "true" : "false");
}
