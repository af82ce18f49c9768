// Attributes on expressions: hints for statements, #[unsafe], #[trace],
// #[opaque], #[param].
#include <limits.h>
#include <string.h>
#include "local.h"

static bool is(const Attr *attr, const char *name) { return strcmp(attr->name, name) == 0; }

// Bytes may be written with separators: 64_000_000.
static int64_t number_of(const char *digits) {
  int64_t n = 0;
  for (; (*digits >= '0' && *digits <= '9') || *digits == '_'; digits++)
    if (*digits != '_' && n < INT64_MAX / 20) n = 10 * n + (*digits - '0');
  return n;
}

static int small_number_of(const char *digits) {
  int64_t n = number_of(digits);
  return n > INT_MAX ? INT_MAX : (int)n;
}

static Attrs hints_of(const Attr *attr) {
  Attrs a = {0};
  if (is(attr, "sequential") || is(attr, "sequential_outer")) a.sequential = true;
  if (is(attr, "unroll")) a.unroll = true;
  if (is(attr, "noinline")) a.noinline_ = true;
  if (is(attr, "true_dep")) a.true_dep = true;
  if (is(attr, "exact")) a.exact = true;
  if (is(attr, "checkpoint") && attr->tag != ATTR_CALL) a.checkpoint = -1;
  if (attr->tag == ATTR_CALL && attr->args.len == 1 && attr->args.at[0]->tag == ATTR_INT) {
    int n = small_number_of(attr->args.at[0]->name);
    if (is(attr, "stripmine")) a.stripmine = n;
    if (is(attr, "bound")) a.bound = n;
    if (is(attr, "checkpoint")) a.checkpoint = n;
    if (is(attr, "memory_limit")) a.memory_limit = number_of(attr->args.at[0]->name);
  }
  return a;
}

// #[warn(safety_checks)]
static bool warns_of_checks(const Attr *attr) {
  return is(attr, "warn") && attr->tag == ATTR_CALL && attr->args.len == 1 &&
         is(attr->args.at[0], "safety_checks");
}

static bool takes_hints(const Exp *exp) {
  switch (exp->form) {
  case FORM_MAP: case FORM_REDUCE: case FORM_SCAN: case FORM_SCREMA: case FORM_HIST:
  case FORM_SCATTER: case FORM_LOOP: case FORM_APPLY: case FORM_WITHACC: case FORM_JVP:
  case FORM_VJP: case FORM_DEPENDS: case FORM_JACOBIAN: return true;
  case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_OPAQUE: case FORM_TRACE:
  case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_LITERAL:
  case FORM_CONSTANT: case FORM_IOTA: case FORM_REPLICATE: case FORM_COPY: case FORM_SCRATCH:
  case FORM_INDEX: case FORM_UPDATE: case FORM_FLATINDEX: case FORM_FLATUPDATE: case FORM_RESHAPE:
  case FORM_REARRANGE: case FORM_CONCAT: case FORM_REVERSE: case FORM_ROTATE: case FORM_MATCH:
  case FORM_ASSERT: case FORM_UPDATEACC: case FORM_WITHVJP: case FORM_COUNT: return false;
  }
  return false;
}

static void add_hints(Attrs *to, Attrs a) {
  to->sequential |= a.sequential;
  to->unroll |= a.unroll;
  to->noinline_ |= a.noinline_;
  to->true_dep |= a.true_dep;
  if (a.stripmine) to->stripmine = a.stripmine;
  if (a.bound) to->bound = a.bound;
  if (a.checkpoint) to->checkpoint = a.checkpoint;
  if (a.memory_limit) to->memory_limit = a.memory_limit;
}

// #[exact] is for the with_vjp of the expression, which comes after those of its arguments.
static void hint_exact(Elab *e, int first) {
  for (int i = e->b.stms->len - 1; i >= first; i--) {
    if (e->b.stms->at[i].exp.form != FORM_WITHVJP) continue;
    e->b.stms->at[i].attrs.exact = true;
    return;
  }
}

// Expressions that may contain the derivative of a loop.
static bool takes_bounds(Form form) {
  return form == FORM_LOOP || form == FORM_VJP || form == FORM_JVP || form == FORM_APPLY;
}

// The outermost statements of the expression carry its hints.  Maps are unrolled only where the
// expression is one, not where its arguments are.  True if one can keep to a bound on memory.
static bool hint(Elab *e, int first, Attrs a) {
  bool last = true, bounded = false;
  for (int i = e->b.stms->len - 1; i >= first; i--) {
    Stm *stm = &e->b.stms->at[i];
    if (!takes_hints(&stm->exp)) continue;
    Attrs these = a;
    these.unroll = a.unroll && (last || stm->exp.form != FORM_MAP);
    add_hints(&stm->attrs, these);
    last = false;
    bounded = bounded || takes_bounds(stm->exp.form);
  }
  if (a.exact) hint_exact(e, first);
  return bounded;
}

// How a bound on memory is written that this attribute is not; NULL if it is, or is no such bound.
static const char *bound_misread(const Attr *attr, const Attrs *a) {
  if (is(attr, "checkpoint") && !a->checkpoint) return "#[checkpoint] or #[checkpoint(8)]";
  if (is(attr, "stripmine") && !a->stripmine) return "#[stripmine(2)]";
  if (is(attr, "memory_limit") && !a->memory_limit) return "#[memory_limit(1_000_000)], in bytes";
  return NULL;
}

// A bound that bounds nothing is a mistake that would show only where memory runs out.
static void warn_of_bound(Elab *e, const Expr *exp, const Attrs *a, bool bounded) {
  const Attr *attr = exp->attr.attr;
  const char *form = bound_misread(attr, a);
  bool idle = (a->checkpoint || a->stripmine || a->memory_limit) && !bounded;
  uintptr_t key = (uintptr_t)attr;
  if ((!form && !idle) || map_get(e->warned, key)) return;
  map_put(e->warned, key, e);
  diag_warn(e->warnings, exp->span, "[memory-attribute] #[%s] has no effect%s.", attr->name,
            form ? " as it is written" : " where no loop and no vjp follows");
  if (form) diag_hint(e->warnings, "write %s.", form);
  else diag_hint(e->warnings, "it belongs directly in front of a loop, or of a vjp.");
}

static Atom opaque_atom(void *state, Atom a) {
  Elab *e = state;
  Type type = atom_type(e->prog, a);
  if (type.is_acc) return a;
  return emit_view(e, base_of(e, a), type, (Exp){.form = FORM_OPAQUE, .opaque = {a}}, a);
}

static bool names_something(const Attr *attr) {
  return attr->tag == ATTR_CALL && attr->args.len > 0;
}

// Only numbers of type i64 are tuned; the attribute means nothing elsewhere.
static Val *tuned(Elab *e, const Attr *attr, Val *v) {
  if (!names_something(attr) || v->tag != VAL_ATOM) return v;
  Type t = atom_type(e->prog, v->atom);
  if (t.rank > 0 || t.prim != PRIM_I64) return v;
  Exp exp = {.form = FORM_TUNED, .tuned = {attr->args.at[0]->name, v->atom}};
  return val_atom(e, emit_view(e, base_of(e, v->atom), t, exp, v->atom));
}

// The place, where the attribute gives no name.
static const char *trace_label(Elab *e, const Attr *attr, Span span) {
  if (names_something(attr)) return attr->args.at[0]->name;
  Text text = {0};
  span_print(&text, span);
  const char *label = arena_strdup(e->prog->arena, text.at);
  text_free(&text);
  return label;
}

// #[blank]: zeros, where the type alone says of what shape; the expression is not evaluated.
static Val *blank_of(Elab *e, const Expr *body, const Env *env) {
  if (stype_is_functional(body->type)) return NULL;
  const Sem *sem = sem_of_type(e, body->type, env);
  Leaves leaves = {0};
  sem_leaves(e, sem, &leaves);
  for (int i = 0; i < leaves.len; i++)
    for (int k = 0; k < leaves.at[i].rank; k++)
      if (is_blank(leaves.at[i].dims[k])) return NULL;
  return val_zero(e, sem);
}

// #[strategy(forward)]: of the derivatives taken while the expression is evaluated, those of the
// functions it calls included; an attribute further inside prevails.
static Val *with_strategy(Elab *e, const Expr *exp, const Env *env) {
  const Attr *attr = exp->attr.attr;
  int outer = e->strategy;
  e->strategy = strategy_named(attr->args.at[0]->name);  // check/infer.c
  Val *v = eval(e, exp->attr.body, env);
  e->strategy = outer;
  return v;
}

Val *attr_eval(Elab *e, const Expr *exp, const Env *env) {
  const Attr *attr = exp->attr.attr;
  if (is(attr, "strategy")) return with_strategy(e, exp, env);
  Val *zeros = is(attr, "blank") ? blank_of(e, exp->attr.body, env) : NULL;
  if (zeros) return zeros;
  bool unsafe = e->in_unsafe, unchecked = e->b.attrs.unchecked, warned = e->b.attrs.warn_checks;
  if (is(attr, "unsafe")) e->in_unsafe = e->b.attrs.unchecked = true;
  if (warns_of_checks(attr)) e->b.attrs.warn_checks = true;
  int first = e->b.stms->len;
  Val *v = eval(e, exp->attr.body, env);
  e->in_unsafe = unsafe;
  e->b.attrs.unchecked = unchecked;
  e->b.attrs.warn_checks = warned;
  if (is(attr, "param")) return at(e, exp->span), tuned(e, attr, v);
  if (is(attr, "opaque")) return at(e, exp->span), val_map(e, v, opaque_atom, e);
  if (is(attr, "trace")) {
    at(e, exp->span);
    val_trace(e, v, trace_label(e, attr, exp->span));
    return v;
  }
  Attrs hints = hints_of(attr);
  warn_of_bound(e, exp, &hints, hint(e, first, hints));
  return v;
}
