// Loops, branches and checks.  The number of the first check that failed is a value like others: a
// result of regions, combined by the minimum.
#include "local.h"

void hlo_check(Hlo *h, const char *ok, const char *text) {
  list_push(h->arena, h->sites, (HloSite){.loc = h->loc, .text = text});
  Type t = type_scalar(PRIM_I32);
  const char *none = hlo_full_int(h, INT32_MAX, t), *site = hlo_full_int(h, h->sites->len, t);
  h->code = hlo_binary(h, "minimum", h->code, hlo_choose(h, ok, none, site, t), t);
}

static const char *join(Hlo *h, const char *list, const char *item) {
  return *list ? hlo_text(h, "%s, %s", list, item) : item;
}

typedef struct {
  const char *counter;  // of a for loop, else NULL
  Type counter_type;
  const char *inits, *types, *bound;
} LoopText;

// Parameters of both regions, with their initial values; the code last.
static LoopText loop_params(Hlo *h, const BulkExp *e) {
  const BulkBody *body = &e->bodies.at[0];
  LoopText l = {.inits = "", .types = ""};
  int skip = e->flag;
  if (e->flag) {
    l.counter = hlo_new(h), l.counter_type = var_type(h->prog, body->params.at[0]);
    l.bound = hlo_name(h, e->args.at[0]);
    l.inits = hlo_text(h, "%s = %s", l.counter, hlo_full_int(h, 0, l.counter_type));
    l.types = hlo_type(h, l.counter_type);
    hlo_bind(h, body->params.at[0], l.counter);
  }
  for (int k = 0; k < body->results.len; k++) {
    Var v = body->params.at[k + skip];
    const char *init = hlo_name(h, e->args.at[k + skip]), *p = hlo_new(h);
    hlo_bind(h, v, p);
    l.inits = join(h, l.inits, hlo_text(h, "%s = %s", p, init));
    l.types = join(h, l.types, hlo_type(h, var_type(h->prog, v)));
  }
  const char *code = hlo_new(h);
  l.inits = join(h, l.inits, hlo_text(h, "%s = %s", code, h->code));
  l.types = join(h, l.types, "tensor<i32>");
  h->code = code;
  return l;
}

void hlo_loop(Hlo *h, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  const BulkBody *body = &e->bodies.at[0];
  LoopText l = loop_params(h, e);
  const char *r = hlo_new(h);
  int n = body->results.len, skip = e->flag;
  hlo_line(h, "%s:%d = stablehlo.while(%s) : %s", r, n + skip + 1, l.inits, l.types);
  hlo_line(h, "cond {");
  hlo_enter(h);
  const char *more = e->flag ? hlo_compare(h, "LT", l.counter, l.bound, l.counter_type)
                             : hlo_name(h, atom_var(body->params.at[e->number]));
  hlo_line(h, "stablehlo.return %s : tensor<i1>", more);
  hlo_leave(h);
  hlo_line(h, "} do {");
  hlo_enter(h);
  hlo_stms(h, body);
  const char *values = "";
  if (e->flag)
    values = hlo_binary(h, "add", l.counter, hlo_full_int(h, 1, l.counter_type), l.counter_type);
  for (int k = 0; k < n; k++) values = join(h, values, hlo_name(h, body->results.at[k]));
  values = join(h, values, h->code);
  hlo_line(h, "stablehlo.return %s : %s", values, l.types);
  hlo_leave(h);
  hlo_line(h, "}");
  for (int k = 0; k < n; k++) hlo_bind(h, stm->bound.at[k], hlo_text(h, "%s#%d", r, k + skip));
  h->code = hlo_text(h, "%s#%d", r, n + skip);
}

// ---- branches
static const char *case_number(Hlo *h, const BulkExp *e) {
  Type t = type_scalar(PRIM_I32), b = type_scalar(PRIM_BOOL);
  const char *k = hlo_full_int(h, e->bodies.len - 1, t);
  for (int c = e->bodies.len - 2; c >= 0; c--) {
    const char *all = hlo_full_int(h, 1, b);
    for (int i = 0; i < e->args.len; i++) {
      CasePat pat = e->bodies.at[c].pats.at[i];
      if (pat.any) continue;
      Type at = atom_type(h->prog, e->args.at[i]);
      const char *lit = hlo_name(h, atom_scalar(pat.lit));
      all = hlo_binary(h, "and", all, hlo_compare(h, "EQ", hlo_name(h, e->args.at[i]), lit, at), b);
    }
    k = hlo_choose(h, all, hlo_full_int(h, c, t), k, t);
  }
  return k;
}

void hlo_match(Hlo *h, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  const char *k = case_number(h, e), *r = hlo_new(h), *types = "", *code = h->code;
  int n = stm->bound.len;
  for (int i = 0; i < n; i++)
    types = join(h, types, hlo_type(h, var_type(h->prog, stm->bound.at[i])));
  types = join(h, types, "tensor<i32>");
  hlo_line(h, "%s:%d = \"stablehlo.case\"(%s) ({", r, n + 1, k);
  for (int c = 0; c < e->bodies.len; c++) {
    if (c) hlo_line(h, "}, {");
    hlo_enter(h);
    h->code = code;
    hlo_stms(h, &e->bodies.at[c]);
    const char *values = "";
    for (int i = 0; i < n; i++)
      values = join(h, values, hlo_name(h, e->bodies.at[c].results.at[i]));
    hlo_line(h, "stablehlo.return %s : %s", join(h, values, h->code), types);
    hlo_leave(h);
  }
  hlo_line(h, "}) : (tensor<i32>) -> (%s)", types);
  for (int i = 0; i < n; i++) hlo_bind(h, stm->bound.at[i], hlo_text(h, "%s#%d", r, i));
  h->code = hlo_text(h, "%s#%d", r, n);
}
