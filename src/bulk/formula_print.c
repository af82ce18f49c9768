// A function of whole arrays as a Python function over NumPy's: its head, sizes, lines, results.
#include "formula.h"
#include <string.h>

enum { NESTED_LENGTH = 64, LINE = 96 };

_Noreturn void formula_refuse(Formulas *f, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  *f->why = bulk_refusal(f->arena, f->loc, fmt, args);
  va_end(args);
  longjmp(f->refused, 1);
}

// ---- lines
static void put(Formulas *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(Formulas *f, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  text_vprintf(&f->lines, fmt, args);
  va_end(args);
}

static void indent(Formulas *f) {
  for (int i = 0; i < f->depth; i++) put(f, "    ");
}

// name = text, with the shape as a comment.
static void assign(Formulas *f, Var v, const char *text) {
  Type t = var_type(f->prog, v);
  const char *line = arena_printf(f->arena, "%s = %s", formula_name(f, v), text);
  indent(f);
  put(f, "%s", line);
  Text shape = {0};
  for (int d = 0; d < t.rank; d++)
    text_printf(&shape, "[%s]", formula_text(f, t.dims[d], BINDS_LAMBDA));
  if (shape.at && strlen(line) + strlen(shape.at) < LINE) put(f, "  # %s", shape.at);
  put(f, "\n");
  text_free(&shape);
}

static const char *names_joined(Formulas *f, Vars vars) {
  Text text = {0};
  for (int i = 0; i < vars.len; i++) {
    bool unread = vars.len > 1 && !formula_used(f, vars.at[i]) && !map_get(f->names, vars.at[i].id);
    text_printf(&text, i ? ", %s" : "%s", unread ? "_" : formula_name(f, vars.at[i]));
  }
  const char *out = arena_strdup(f->arena, text.at ? text.at : "");
  text_free(&text);
  return out;
}

static const char *values_joined(Formulas *f, Atoms atoms) {
  Text text = {0};
  for (int i = 0; i < atoms.len; i++)
    text_printf(&text, i ? ", %s" : "%s", formula_whole(f, atoms.at[i]).text);
  const char *out = arena_strdup(f->arena, text.at ? text.at : "");
  text_free(&text);
  return out;
}

static void assign_all(Formulas *f, Vars vars, Atoms values) {
  if (!vars.len) return;
  indent(f);
  put(f, "%s = %s\n", names_joined(f, vars), values_joined(f, values));
}

// ---- statements
// An operation of integers outside arrays: a size.
static bool is_size(const Formulas *f, const BulkStm *stm) {
  Type t = var_type(f->prog, stm->bound.at[0]);
  return stm->exp.form == BULK_PRIM && t.rank == 0 && prim_is_int(t.prim);
}

static bool is_nested(const Formulas *f, const BulkStm *stm, const char *text) {
  Var v = stm->bound.at[0];
  if (strlen(text) > NESTED_LENGTH) return false;
  if (formula_is_view(stm->exp.form) || stm->exp.form == BULK_IOTA) return true;
  if (formula_is_named(f, v)) return false;
  return formula_used(f, v) <= 1 || (is_size(f, stm) && strlen(text) < 12);
}

static void one_result(Formulas *f, const BulkStm *stm) {
  Formula x = formula_array(f, stm);
  Var v = stm->bound.at[0];
  map_put(f->nested, v.id, arena_copy(f->arena, &x, sizeof x));
  if (is_nested(f, stm, x.text)) return;
  const char *text = formula_whole(f, atom_var(v)).text;
  map_put(f->nested, v.id, NULL);
  assign(f, v, text);
}

static bool is_fresh(const char *text) { return strncmp(text, "np.zeros(", 9) == 0; }

// Mentioned here alone, so that it may be overwritten.
static bool is_owned(const Formulas *f, Atom a) {
  return a.is_var && map_get(f->owned, a.var.id) && formula_used(f, a.var) <= 2;
}

static void stm_update(Formulas *f, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  Formula old = formula_whole(f, e->args.at[0]);
  Type t = atom_type(f->prog, e->args.at[0]);
  bool made = is_fresh(old.text) || is_owned(f, e->args.at[0]);
  assign(f, stm->bound.at[0], made ? old.text : arena_printf(f->arena, "%s.copy()", old.text));
  indent(f);
  put(f, "%s%s = %s\n", formula_name(f, stm->bound.at[0]), formula_index(f, t, &e->slice),
      formula_text(f, e->args.at[1], BINDS_LAMBDA));
}

static void stm_assert(Formulas *f, const BulkExp *e) {
  indent(f);
  put(f, "assert %s, \"%s\"", formula_text(f, e->args.at[0], BINDS_LAMBDA), e->text);
  Atoms values = atoms_slice(e->args, 1, e->args.len - 1);
  if (values.len) put(f, " %% (%s%s)", values_joined(f, values), values.len == 1 ? "," : "");
  put(f, "\n");
}

static void put_stms(Formulas *f, const BulkBody *body);

// The result is the parameter with an update.
static bool is_updated(const BulkBody *body, Var p, Atom result) {
  for (int i = 0; i < body->stms.len; i++) {
    const BulkStm *stm = &body->stms.at[i];
    if (stm->exp.form == BULK_UPDATE && atom_is_var(stm->exp.args.at[0], p) &&
        atom_is_var(result, stm->bound.at[0]))
      return true;
  }
  return false;
}

// The parameters keep their names from iteration to iteration, and after the loop.
static void stm_loop(Formulas *f, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  const BulkBody *body = &e->bodies.at[0];
  int skip = e->flag;
  Vars params = {0};
  for (int k = skip; k < body->params.len; k++) {
    Var p = body->params.at[k], r = stm->bound.at[k - skip];
    list_push(f->arena, &params, p);
    if (formula_is_named(f, r)) formula_rename(f, p, formula_name(f, r));
    formula_rename(f, r, formula_name(f, p));
    bool fresh = is_fresh(formula_whole(f, e->args.at[k]).text);
    if (fresh && is_updated(body, p, body->results.at[k - skip])) map_put(f->owned, p.id, f);
  }
  assign_all(f, params, atoms_slice(e->args, skip, e->args.len - skip));
  indent(f);
  if (e->flag)
    put(f, "for %s in range(%s):\n", formula_name(f, body->params.at[0]),
        formula_text(f, e->args.at[0], BINDS_LAMBDA));
  else put(f, "while %s:\n", formula_name(f, body->params.at[e->number]));
  f->depth++;
  put_stms(f, body);
  assign_all(f, params, body->results);
  if (!params.len) indent(f), put(f, "pass\n");
  f->depth--;
}

static const char *condition(Formulas *f, const BulkExp *e, const BulkBody *body) {
  Text text = {0};
  for (int k = 0; k < body->pats.len; k++) {
    if (body->pats.at[k].any) continue;
    Atom a = e->args.at[k];
    bool yes = atom_type(f->prog, a).prim == PRIM_BOOL && body->pats.at[k].lit.i;
    const char *x = formula_text(f, a, yes ? BINDS_COMPARISON : BINDS_OR);
    if (text.at) text_puts(&text, " and ");
    if (yes) text_puts(&text, x);
    else text_printf(&text, "%s == %s", x, formula_of(f, atom_scalar(body->pats.at[k].lit)).text);
  }
  const char *out = text.at ? arena_strdup(f->arena, text.at) : "True";
  text_free(&text);
  return out;
}

static void stm_match(Formulas *f, const BulkStm *stm) {
  const BulkExp *e = &stm->exp;
  for (int i = 0; i < e->bodies.len; i++) {
    const BulkBody *body = &e->bodies.at[i];
    indent(f);
    if (i + 1 == e->bodies.len) put(f, "else:\n");
    else put(f, "%s %s:\n", i ? "elif" : "if", condition(f, e, body));
    f->depth++;
    put_stms(f, body);
    assign_all(f, stm->bound, body->results);
    f->depth--;
  }
}

static void put_stm(Formulas *f, const BulkStm *stm) {
  switch (stm->exp.form) {
    case BULK_UPDATE: stm_update(f, stm); return;
    case BULK_LOOP: stm_loop(f, stm); return;
    case BULK_MATCH: stm_match(f, stm); return;
    case BULK_ASSERT: stm_assert(f, &stm->exp); return;
    case BULK_CORE: formula_refuse(f, "a derivative of one statement");
    case BULK_FOLD: case BULK_PREFIX:
      if (stm->bound.len == 1) break;
      indent(f);
      put(f, "%s = %s\n", names_joined(f, stm->bound), formula_fold(f, stm));
      return;
    case BULK_PRIM: case BULK_CONV: case BULK_OPAQUE: case BULK_STOP: case BULK_CONSTANT:
    case BULK_SCRATCH: case BULK_IOTA: case BULK_BROADCAST: case BULK_TRANSPOSE:
    case BULK_RESHAPE: case BULK_SLICE: case BULK_REVERSE: case BULK_CONCAT: case BULK_GATHER:
    case BULK_PUT: case BULK_CONTRACT: case BULK_CONVOLVE: case BULK_COUNT: break;
  }
  one_result(f, stm);
}

static void put_stms(Formulas *f, const BulkBody *body) {
  for (int i = 0; i < body->stms.len; i++) {
    f->loc = body->stms.at[i].loc;
    for (int k = 0; k < body->stms.at[i].bound.len; k++)
      map_put(f->defs, body->stms.at[i].bound.at[k].id, &body->stms.at[i]);
    put_stm(f, &body->stms.at[i]);
  }
}

// ---- the function
// The size from a dimension of the parameter, where it is one.
static bool put_size(Formulas *f, Text *out, Var size, Var param) {
  Type t = var_type(f->prog, param);
  for (int d = 0; d < t.rank; d++) {
    if (!atom_is_var(t.dims[d], size)) continue;
    text_printf(out, "    %s = %s.shape[%d]\n", formula_name(f, size), formula_name(f, param), d);
    return true;
  }
  return false;
}

// Sizes that the lines mention, from the first array that has them.
static void put_sizes(Formulas *f, Text *out, const Fn *fn, int sizes) {
  for (int k = 0; k < sizes; k++) {
    Var size = fn->params.at[k];
    bool done = !map_get(f->mentioned, size.id);
    for (int i = sizes; i < fn->params.len && !done; i++)
      done = put_size(f, out, size, fn->params.at[i]);
  }
}

static void put_head(Formulas *f, Text *out, const Fn *fn, int sizes) {
  text_printf(out, "def %s(", fn->name);
  for (int i = sizes; i < fn->params.len; i++)
    text_printf(out, i > sizes ? ", %s" : "%s", formula_name(f, fn->params.at[i]));
  text_puts(out, "):\n");
  for (int i = sizes; i < fn->params.len; i++)
    text_printf(out, "    # %s : %s\n", formula_name(f, fn->params.at[i]),
                type_text(f->prog, f->arena, var_type(f->prog, fn->params.at[i])));
}

// A value of a default name is called as the result that it is.
static void names_of_results(Formulas *f, const Fn *fn, const BulkBody *body, int sizes) {
  for (int i = sizes; i < body->results.len; i++) {
    Atom r = body->results.at[i];
    if (r.is_var && !formula_is_named(f, r.var)) {
      const char *base = var_info(f->prog, fn->results.at[i])->base;
      f->prog->vars.at[r.var.id].base = base;
    }
    if (r.is_var) formula_name(f, r.var);
  }
}

// Results are lines, too, so that each has a name.
static void put_results(Formulas *f, const Fn *fn, const BulkBody *body, int sizes) {
  Vars names = {0};
  for (int i = sizes; i < body->results.len; i++) {
    Atom r = body->results.at[i];
    Var v = fn->results.at[i];
    const char *text = formula_whole(f, r).text;
    if (r.is_var) formula_rename(f, v, formula_name(f, r.var));
    if (strcmp(text, formula_name(f, v)) != 0) assign(f, v, text);
    list_push(f->arena, &names, v);
  }
  indent(f);
  put(f, "return %s\n", names_joined(f, names));
}

static bool binds_one(const Stm *stm, Map *wanted) {
  for (int k = 0; k < stm->bound.len; k++)
    if (map_get(wanted, stm->bound.at[k].id)) return true;
  return false;
}

static void want_all(Map *wanted, Vars vars) {
  for (int i = 0; i < vars.len; i++) map_put(wanted, vars.at[i].id, wanted);
}

// Constants of the program that the body needs are lines of the function.
static Body with_constants(Prog *prog, const Body *body) {
  Arena *arena = prog->arena;
  Map *wanted = map_new(arena);
  Stms needed = {0};
  want_all(wanted, body_free(prog, arena, body));
  for (int i = prog->constants.len - 1; i >= 0; i--) {
    const Stm *stm = &prog->constants.at[i];
    if (!binds_one(stm, wanted)) continue;
    want_all(wanted, exp_free(prog, arena, &stm->exp));
    list_push(arena, &needed, *stm);
  }
  Body out = {.results = body->results};
  for (int i = needed.len - 1; i >= 0; i--) list_push(arena, &out.stms, needed.at[i]);
  for (int i = 0; i < body->stms.len; i++) list_push(arena, &out.stms, body->stms.at[i]);
  return out;
}

bool bulk_formulas(Text *out, Prog *prog, const Fn *fn, bool plain, BulkRefusal *why) {
  Arena *arena = prog->arena;
  int params = fn->entry ? fn->entry->size_params : 0, sizes = fn->entry ? fn->entry->sizes : 0;
  BulkBody body;
  Body whole = with_constants(prog, &fn->body);
  if (!bulk_from_core(prog, &whole, &body, why)) return false;
  Formulas f = {.prog = prog, .arena = arena, .depth = 1, .plain = plain, .names = map_new(arena),
                .nested = map_new(arena), .uses = map_new(arena), .defs = map_new(arena),
                .owned = map_new(arena), .taken = map_new(arena),
                .numbers = map_new(arena), .mentioned = map_new(arena), .why = why};
  if (setjmp(f.refused)) {
    text_free(&f.lines);
    return false;
  }
  for (int i = 0; i < fn->params.len; i++) formula_name(&f, fn->params.at[i]);
  f.mentioned = map_new(arena);
  formula_uses(&f, &body);
  names_of_results(&f, fn, &body, sizes);
  put_stms(&f, &body);
  put_results(&f, fn, &body, sizes);
  if (f.guards) f.helps |= 1u << HELP_GUARD;
  formula_front(out, f.helps);
  put_head(&f, out, fn, params);
  put_sizes(&f, out, fn, params);
  text_puts(out, f.lines.at);
  text_free(&f.lines);
  return true;
}
