// Core as source text: functions, bodies, types, constants.  A statement is one `let`; the shapes
// of arrays stand after it as a comment.
#include "local.h"
#include <math.h>
#include <stdarg.h>
#include <string.h>

void source_unsupported(Writer *s, const char *what) {
  diag_unsupported(s->diag, s->loc ? s->loc->span : (Span){0}, "source text for %s", what);
}

void put(Writer *s, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  text_vprintf(s->out, fmt, args);
  va_end(args);
}

enum { FURTHEST = 40 };  // levels of indentation: nests may be deeper than text is wide
void put_line(Writer *s) {
  text_putc(s->out, '\n');
  for (int i = 0; i < s->depth && i < FURTHEST; i++) text_puts(s->out, "  ");
}

// ---- atoms and types
static void put_scalar(Writer *s, Scalar v) {
  const char *name = prim_info[v.prim].name;
  bool is_float = prim_is_float(v.prim);
  if (is_float && isnan(v.f)) {
    put(s, "%s.nan", name);
  } else if (is_float && isinf(v.f)) {
    put(s, v.f < 0 ? "(-%s.inf)" : "%s.inf", name);
  } else if (prim_is_signed(v.prim) && v.i == INT64_MIN) {
    put(s, "%s.lowest", name);
  } else {
    bool minus = is_float ? signbit(v.f) : prim_is_signed(v.prim) && v.i < 0;
    if (minus) put(s, "(");
    scalar_print(s->out, v);
    if (minus) put(s, ")");
  }
}

enum { LEVEL_ARGUMENT = 10 };

void put_open(Writer *s, Atom a) {
  const Stm *stm = nested_stm(s, a);
  if (stm) put_simple(s, stm);
  else put_atom(s, a);
}

void put_operand(Writer *s, Atom a, int level) {
  const Stm *stm = nested_stm(s, a);
  bool parens = stm && source_level(&stm->exp) < level;
  if (parens) put(s, "(");
  put_open(s, a);
  if (parens) put(s, ")");
}

void put_atom(Writer *s, Atom a) {
  if (nested_stm(s, a)) put_operand(s, a, LEVEL_ARGUMENT);
  else if (a.is_var) put(s, "%s", source_name(s, a.var));
  else put_scalar(s, a.value);
}

// As an argument that must be of this type: sizes that the checker would know by other names, since
// something asserted that they are equal, are coerced.
void put_typed(Writer *s, Atom a, Type want) {
  bool same = want.rank == 0 || want.is_acc || type_same(want, atom_type(s->prog, a));
  if (!same) put(s, "(");
  put_atom(s, a);
  if (same) return;
  put(s, " :> ");
  put_type(s, want);
  put(s, ")");
}

// With its views: consuming one of them consumes the whole.
void array_share(Writer *s, Var v) {
  Vars views = aliases_of(s->aliases, v);
  for (int i = 0; i < views.len; i++) map_put(s->shared, views.at[i].id, s);
}

void put_owned(Writer *s, Atom a) {
  bool shared = a.is_var && map_get(s->shared, a.var.id);
  if (shared) put(s, "(copy ");
  put_atom(s, a);
  if (shared) put(s, ")");
}

// Literals without a type are i32 where nothing tells more.
void put_size(Writer *s, Atom a) {
  if (a.is_var || a.value.i < 0 || a.value.i > INT32_MAX) put_atom(s, a);
  else put(s, "%lld", (long long)a.value.i);
}

static const char *prim_word(Prim p) { return p == PRIM_UNIT ? "()" : prim_info[p].name; }

void put_type(Writer *s, Type t) {
  for (int d = 0; d < t.rank; d++) {
    put(s, "[");
    put_size(s, t.dims[d]);
    put(s, "]");
  }
  put(s, "%s", prim_word(t.prim));
}

void put_zeros(Writer *s, Type t) {
  for (int d = 0; d < t.rank; d++) {
    put(s, "(replicate ");
    put_size(s, t.dims[d]);
    put(s, " ");
  }
  put_scalar(s, scalar_number(t.prim, 0));
  for (int d = 0; d < t.rank; d++) put(s, ")");
}

// A statement without results gives true, for an assertion to test.
void put_atoms_tuple(Writer *s, Atoms atoms) {
  if (atoms.len == 0) {
    put(s, "true");
    return;
  }
  if (atoms.len != 1) put(s, "(");
  for (int i = 0; i < atoms.len; i++) {
    if (i) put(s, ", ");
    put_open(s, atoms.at[i]);
  }
  if (atoms.len != 1) put(s, ")");
}

void put_vars_tuple(Writer *s, Vars vars) {
  if (vars.len != 1) put(s, "(");
  for (int i = 0; i < vars.len; i++) put(s, i ? ", %s" : "%s", source_name(s, vars.at[i]));
  if (vars.len != 1) put(s, ")");
}

bool tail_take(Writer *s) {
  bool tail = s->tail;
  s->tail = false;
  return tail;
}

void put_let(Writer *s, Vars bound) {
  put(s, "let ");
  put_vars_tuple(s, bound);
  put(s, " = ");
}

// ---- statements
void put_shapes(Writer *s, Vars bound) {
  bool any = false;
  for (int i = 0; i < bound.len; i++) any = any || var_type(s->prog, bound.at[i]).rank > 0;
  if (!any) return;
  put(s, "  -- ");
  for (int i = 0; i < bound.len; i++) {
    if (i) put(s, ", ");
    put_type(s, var_type(s->prog, bound.at[i]));
  }
}

static void put_value(Writer *s, Atom a) {
  if (atom_type(s->prog, a).prim == PRIM_I64 && !nested_stm(s, a)) put_size(s, a);
  else put_open(s, a);
}

// The first line of the message, with the names of its values.
static void put_message(Writer *s, const struct assert_form *e) {
  int next = 0;
  for (const char *c = e->message; *c && *c != '\n'; c++) {
    if (*c != '%' || !c[1]) put(s, "%c", *c);
    else if (*++c == '%' || next == e->args.len) put(s, "%%");
    else put_value(s, e->args.at[next++]);
  }
}

// An assertion is checked for its value's sake, which is all that follows in the body.
static void stm_assert(Writer *s, const struct assert_form *e) {
  put(s, s->lets ? "in assert " : "assert ");
  put_atom(s, e->cond);
  put(s, " (  -- ");
  put_message(s, e);
  s->asserted++;
}

static void effect_use(Writer *s) {
  put_line(s);
  put(s, "in assert %s (", s->ok);
  s->asserted++;
}

static void stm_trace(Writer *s, const struct trace_form *e) {
  put(s, "let _ = trace (");
  for (int i = 0; i < e->args.len; i++) {
    if (i) put(s, ", ");
    put_atom(s, e->args.at[i]);
  }
  put(s, ")");
}

static void stm_put(Writer *s, const Stm *stm) {
  switch (stm->exp.form) {
    case FORM_ASSERT: stm_assert(s, &stm->exp.assert); break;
    case FORM_TRACE: stm_trace(s, &stm->exp.trace); break;
    case FORM_MATCH: stm_match(s, stm); break;
    case FORM_LOOP: stm_loop(s, stm); break;
    case FORM_MAP: stm_map(s, stm); break;
    case FORM_REDUCE: stm_reduce(s, stm); break;
    case FORM_SCAN: stm_scan(s, stm); break;
    case FORM_HIST: stm_hist(s, stm); break;
    case FORM_SCATTER: stm_scatter(s, stm); break;
    case FORM_WITHACC: stm_withacc(s, stm); break;
    case FORM_UPDATEACC: stm_updateacc(s, stm); break;
    case FORM_APPLY: stm_apply(s, stm); return;
    case FORM_JVP: case FORM_VJP: case FORM_WITHVJP: case FORM_DEPENDS: case FORM_JACOBIAN:
      source_unsupported(s, "a derivative");
    case FORM_SCREMA: case FORM_COUNT: ice("form %d in printed source", stm->exp.form);
    case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_OPAQUE:
    case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_LITERAL:
    case FORM_CONSTANT: case FORM_IOTA: case FORM_REPLICATE: case FORM_COPY: case FORM_SCRATCH:
    case FORM_INDEX: case FORM_UPDATE: case FORM_FLATINDEX: case FORM_FLATUPDATE: case FORM_RESHAPE:
    case FORM_REARRANGE: case FORM_CONCAT: case FORM_REVERSE: case FORM_ROTATE:
      if (tail_take(s)) {
        put_simple(s, stm);
        return;
      }
      put_let(s, stm->bound);
      put_simple(s, stm);
      put_shapes(s, stm->bound);
      return;
  }
}

// The line of the user's program that the statement comes from, where it is another than before.
static void put_origin(Writer *s, const Stm *stm) {
  const Loc *loc = stm->loc;
  while (loc && (!loc->span.src || loc->span.src->builtin)) loc = loc->caller;
  if (!loc || s->depth != 1) return;
  const Source *src = loc->span.src;
  int line = span_place(loc->span).line;
  if (line == s->line || line < 1 || line > src->lines.len) return;
  s->line = line;
  const char *from = src->text + src->lines.at[line - 1];
  int len = (int)strcspn(from, "\r\n");
  while (len > 0 && *from == ' ') from++, len--;
  put_line(s);
  put(s, "-- line %d: %.*s%s", line, len > 80 ? 77 : len, from, len > 80 ? ".." : "");
}

// iota n, of which loops that maps became have the elements as their counters.
static bool is_iota(Writer *s, const Stm *stm) {
  const struct iota_form *e = &stm->exp.iota;
  return stm->exp.form == FORM_IOTA && atom_is(e->start, 0) && atom_is(e->step, 1) &&
         var_type(s->prog, stm->bound.at[0]).prim == PRIM_I64;
}

static bool is_unused_iota(Writer *s, const Stm *stm) {
  if (!is_iota(s, stm)) return false;
  Var v = stm->bound.at[0];
  map_put(s->iotas, v.id, s);
  bool unused = s->before && (int)v.id < s->vars && s->before[v.id] == 1;
  if (unused) s->mentions[v.id]++;
  return unused;
}

void put_stms(Writer *s, Stms stms) {
  for (int i = 0; i < stms.len; i++) {
    if (stm_is_nested(s, &stms.at[i]) || is_unused_iota(s, &stms.at[i])) continue;
    if (stms.at[i].loc) s->loc = stms.at[i].loc;
    put_origin(s, &stms.at[i]);
    put_line(s);
    stm_put(s, &stms.at[i]);
    // A trace is printed whether its value is used or not.
    Form form = stms.at[i].exp.form;
    bool effect = stms.at[i].bound.len == 0 && form != FORM_TRACE;
    if (effect && form != FORM_ASSERT) effect_use(s);
    s->lets = !effect;
  }
}

// Forms that can stand where an expression can.
static bool can_be_tail(Writer *s, const Stm *stm) {
  Form form = stm->exp.form;
  if (form == FORM_MATCH) return match_can_be_tail(s, stm);
  if (form == FORM_MAP || form == FORM_SCAN || form == FORM_REDUCE) return soac_can_be_tail(s, stm);
  return stm->bound.len == 1 && !form_has_bodies[form] && form != FORM_UPDATEACC &&
         form != FORM_APPLY && form != FORM_ASSERT && form != FORM_TRACE;
}

const Stm *body_tail(Writer *s, const Body *body) {
  if (body->stms.len == 0 || body->results.len == 0) return NULL;
  const Stm *last = &body->stms.at[body->stms.len - 1];
  if (last->bound.len != body->results.len || stm_is_nested(s, last)) return NULL;
  for (int i = 0; i < last->bound.len; i++)
    if (!atom_is_var(body->results.at[i], last->bound.at[i])) return NULL;
  return can_be_tail(s, last) ? last : NULL;
}

bool body_is_branch(Writer *s, const Body *body) {
  const Stm *tail = body_tail(s, body);
  if (!tail || tail->exp.form != FORM_MATCH) return false;
  for (int i = 0; i + 1 < body->stms.len; i++)
    if (!stm_is_nested(s, &body->stms.at[i])) return false;
  return true;
}

void put_body_tail(Writer *s, const Body *body, const Stm *tail,
                   void (*results)(Writer *s, void *state), void *state) {
  bool below = tail && !s->chained && body_is_branch(s, body);
  s->chained = false;
  bool outer_lets = s->lets;
  int outer_asserted = s->asserted;
  const char *outer_ok = s->ok;
  s->lets = s->begun;
  s->begun = false;
  s->asserted = 0;
  s->depth++;
  put_stms(s, (Stms){.at = body->stms.at, .len = body->stms.len - (tail != NULL)});
  bool lets = s->lets;
  int asserted = s->asserted;
  int line = s->line;
  if (tail) put_origin(s, tail);
  below |= asserted || s->line != line;
  if (lets || below) put_line(s);
  put(s, lets ? "in " : below ? "" : " ");
  s->tail = tail != NULL;
  if (tail) stm_put(s, tail);
  else results(s, state);
  while (asserted-- > 0) put(s, ")");
  s->depth--;
  s->lets = outer_lets;
  s->asserted = outer_asserted;
  s->ok = outer_ok;
}

void put_body_with(Writer *s, const Body *body, void (*results)(Writer *s, void *state),
                   void *state) {
  put_body_tail(s, body, NULL, results, state);
}

static void no_results(Writer *s, void *state) {
  (void)state;
  put(s, "()");
}

static void plain_results(Writer *s, void *state) { put_atoms_tuple(s, *(Atoms *)state); }

void put_body(Writer *s, const Body *body) {
  Atoms results = body->results;
  put_body_tail(s, body, body_tail(s, body), plain_results, &results);
}

// Unique results have no other alias, for the types too.
static void helper_results(Writer *s, void *state) {
  const Fn *fn = state;
  Vars to = fn->results;
  if (to.len > 1) put(s, "(");
  for (int k = 0; k < to.len; k++) {
    if (k) put(s, ", ");
    if (var_type(s->prog, to.at[k]).unique) put_owned(s, fn->body.results.at[k]);
    else put_open(s, fn->body.results.at[k]);
  }
  if (to.len > 1) put(s, ")");
}

static void put_helper_body(Writer *s, const Fn *fn, const Body *body) {
  Fn state = *fn;
  if (fn->results.len < 2) put_body(s, body);
  else put_body_with(s, body, helper_results, &state);
}

// ---- functions
// Variables that types of what is bound have for sizes.
static Vars sizes_of(const Writer *s, Vars bound) {
  Vars out = {0};
  for (int i = 0; i < bound.len; i++) {
    Type t = var_type(s->prog, bound.at[i]);
    for (int d = 0; d < t.rank; d++)
      if (t.dims[d].is_var) list_push(s->arena, &out, t.dims[d].var);
  }
  return out;
}

// The statements of prog->constants that the body mentions, and what those mention.
static void constants_need(Writer *s, Vars mentioned, bool *needed) {
  for (int i = 0; i < mentioned.len; i++)
    for (int k = 0; k < s->prog->constants.len; k++) {
      const Stm *stm = &s->prog->constants.at[k];
      for (int j = 0; j < stm->bound.len; j++) {
        if (stm->bound.at[j].id != mentioned.at[i].id || needed[k]) continue;
        needed[k] = true;
        constants_need(s, exp_free(s->prog, s->arena, &stm->exp), needed);
        constants_need(s, sizes_of(s, stm->bound), needed);
      }
    }
}

static Body body_whole(Writer *s, const Fn *fn) {
  int sizes = fn->entry ? fn->entry->sizes : 0;
  Body body = {.results = atoms_slice(fn->body.results, sizes, fn->body.results.len - sizes)};
  bool *needed = NEW_ARRAY(s->arena, bool, s->prog->constants.len + 1);
  constants_need(s, body_free(s->prog, s->arena, &fn->body), needed);
  for (int k = 0; k < s->prog->constants.len; k++)
    if (needed[k]) list_push(s->arena, &body.stms, s->prog->constants.at[k]);
  for (int i = 0; i < fn->body.stms.len; i++)
    list_push(s->arena, &body.stms, fn->body.stms.at[i]);
  return body;
}

static void put_entry(Writer *s, const Fn *fn) {
  put(s, "entry %s", fn->entry->name);
  for (int i = 0; i < fn->entry->size_params; i++)
    put(s, " [%s]", source_name(s, fn->params.at[i]));
  for (int i = fn->entry->size_params; i < fn->params.len; i++) {
    Type t = var_type(s->prog, fn->params.at[i]);
    put(s, " (%s: %s", source_name(s, fn->params.at[i]), t.unique ? "*" : "");
    put_type(s, t);
    put(s, ")");
  }
  put(s, " =");
}

static void put_fn(Writer *s, const Fn *fn) {
  if (fn_name_is_reserved(fn->name))
    put(s, "-- Of the schedule that stores states and executes iterations again.\n");
  if (fn->entry) put_entry(s, fn);
  else put_helper(s, fn);
  Body body = body_whole(s, fn);
  nest_plan(s, &body);
  if (fn->entry) names_plan(s, fn, &body);
  if (fn->entry && body.results.len == 0) put_body_with(s, &body, no_results, NULL);
  else if (fn->entry) put_body(s, &body);
  else put_helper_body(s, fn, &body);
  put(s, "\n");
}

static void put_special(Writer *s, unsigned prims) {
  if (prims) put(s, "import \"lib/special\"\n");
  for (Prim p = 0; p < PRIM_COUNT; p++) {
    const char *t = prim_info[p].name;
    if (prims >> p & 1) put(s, "module special_%s = mk_special %s\n", t, t);
  }
  if (prims) put(s, "\n");
}

static void put_guards(Writer *s, unsigned prims) {
  if (prims) put(s, "-- x, but 0 where d is 0 and p infinite or NaN: then d * p counts as 0.\n");
  for (Prim p = 0; p < PRIM_COUNT; p++) {
    const char *t = prim_info[p].name;
    if (prims >> p & 1)
      put(s, "def guard_%s (d: %s) (p: %s) (x: %s) : %s =\n"
             "  if d != 0 || %s.abs p < %s.inf then x else 0\n", t, t, t, t, t, t, t);
  }
  if (prims) put(s, "\n");
}

static void put_products(Writer *s, unsigned prims) {
  if (prims) put(s, "-- d * p, but 0 where d is 0, even if p is infinite or NaN.\n");
  for (Prim p = 0; p < PRIM_COUNT; p++) {
    const char *t = prim_info[p].name;
    if (prims >> p & 1)
      put(s, "def times_%s (d: %s) (p: %s) : %s =\n"
             "  d * (if d != 0 || %s.abs p < %s.inf then p else 0)\n", t, t, t, t, t, t);
  }
  if (prims) put(s, "\n");
}

static int *print_all(Text *out, const Prog *prog, int vars, Diag *diag, const int *before,
                      Front *front) {
  Writer s = {.out = out,
              .prog = prog,
              .arena = prog->arena,
              .diag = diag,
              .before = before,
              .vars = vars,
              .mentions = NEW_ARRAY(prog->arena, int, vars + 1),
              .names = map_new(prog->arena),
              .bases = map_new(prog->arena),
              .taken = map_new(prog->arena),
              .numbers = map_new(prog->arena),
              .iotas = map_new(prog->arena),
              .counters = map_new(prog->arena),
              .shared = map_new(prog->arena),
              .fns = map_new(prog->arena),
              .nested = map_new(prog->arena),
              .printed = map_new(prog->arena),
              .front = front,
              .aliases = aliases_compute(prog, prog->arena)};
  bool first = true;
  put_special(&s, front->special);
  put_guards(&s, front->guards);
  put_products(&s, front->products);
  for (int i = 0; i < prog->fns.len; i++) {
    const Fn *fn = prog->fns.at[i];
    if (!fn->entry) continue;
    if (!first) put(&s, "\n");
    first = false;
    name_of(prog->names, fn->entry->name);
    put_helpers(&s, &fn->body, put_fn);
    put_fn(&s, fn);
  }
  return s.mentions;
}

// Printed twice: names that the first text mentions once are never used, and marked so; and it says
// what must be imported.
void source_print(Text *out, const Prog *prog, Diag *diag) {
  Text draft = {0};
  int vars = prog->vars.len;
  Front front = {0};
  const int *mentions = print_all(&draft, prog, vars, diag, NULL, &front);
  text_free(&draft);
  print_all(out, prog, vars, diag, mentions, &front);
}
