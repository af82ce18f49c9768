// Forward mode.  Every statement is emitted, followed by code for the tangents of its results.
// Tangents have the type of what they belong to; a tangent that is zero is not emitted.
//
// The same rules say what depends on what: then tangents are sets of marks, bits of an u64; where
// derivatives are multiplied by partials and added, sets are united (a partial that is the constant
// zero passes nothing); where data move, sets move with them.
#include "ad/common/local.h"
#include <string.h>

Builder *jvp_builder(Jvp *j) { return &j->w.to; }

Atom tangent_of(const Jvp *j, Atom source) {
  const Atom *dx = source.is_var ? map_get(j->tangents, source.var.id) : NULL;
  return dx ? *dx : atom_none();
}

// Names the last statement's result after the variable whose tangent it is.
static void name_tangent(Jvp *j, Var source, Atom dx) {
  Prog *prog = j->w.to.prog;
  const Stms *stms = j->w.to.stms;
  const char *base = var_info(j->w.from, source)->base;
  if (!dx.is_var || stms->len == 0 || name_is_default(base)) return;
  const Stm *last = &stms->at[stms->len - 1];
  if (last->bound.len != 1 || !atom_is_var(dx, last->bound.at[0])) return;
  VarInfo *info = &prog->vars.at[dx.var.id];
  if (name_is_default(info->base) || strcmp(info->base, base) == 0)
    info->base = name_of(prog->names, arena_printf(prog->arena, "%s_tan", base));
}

void tangent_set(Jvp *j, Var source, Atom dx) {
  name_tangent(j, source, dx);
  map_put(j->tangents, source.id, arena_copy(j->w.to.prog->arena, &dx, sizeof dx));
}

Type tangent_type(const Jvp *j, Type primal) {
  Type t = type_fresh(primal);
  if (j->marks) t.prim = PRIM_U64;
  return t;
}

Atom tangent_dense(Jvp *j, Atom source) {
  Atom dx = tangent_of(j, source);
  if (!atom_absent(dx)) return dx;
  Atom x = rewrite_atom(&j->w, source);
  return build_zero(&j->w.to, tangent_type(j, atom_type(j->w.to.prog, x)));
}

// y = op(x..)    marks of y = union of those of x_i where J_i is not zero
static Atom marks_of_prim(Jvp *j, const struct prim_form *e) {
  Atom dy = atom_none();
  for (int i = 0; i < e->args.len; i++) {
    Atom dx = tangent_of(j, e->args.at[i]);
    if (atom_absent(dx) || !op_carries(e->op, e->prim, i)) continue;
    dy = atom_absent(dy) ? dx : build_op(&j->w.to, OP_OR, dy, dx);
  }
  return dy;
}

// y = min(x, z), max(x, z)    the first partial chooses between 1, 0 and 1/2, and so between dx, dz
// and the mean: never a product, so an infinite tangent goes only where it is chosen
static Atom shared_tangent(Builder *b, const struct prim_form *e, const Term *J, Atoms args,
                           const Atom *d) {
  if (J->kind == TERM_CONST) {
    if (J->value == 1 || J->value == 0) return d[J->value == 0];
    return build_times(b, build_plus(b, d[0], d[1]), atom_number(e->prim, J->value));
  }
  Atom c = build_term(b, J->x, e->prim, args.at, atom_none());
  Atom yes = shared_tangent(b, e, J->y, args, d);
  return build_select(b, c, yes, shared_tangent(b, e, J->z, args, d));
}

// y = op(x..)    dy = sum_i J_i(x.., y) * dx_i
static void jvp_prim(Jvp *j, const Stm *stm) {
  rewrite_stm(&j->w, stm);
  Builder *b = &j->w.to;
  const struct prim_form *e = &stm->exp.prim;
  Atoms args = rewrite_atoms(&j->w, e->args);
  Atom y = rewrite_atom(&j->w, atom_var(stm->bound.at[0])), dy = atom_none();
  if (j->marks && e->op != OP_SELECT) {
    dy = marks_of_prim(j, e);
  } else if (op_is_bits(e->op)) {
    dy = build_op1(b, e->op, tangent_dense(j, e->args.at[0]));
  } else if (e->op == OP_SELECT) {
    dy = build_select(b, args.at[0], tangent_dense(j, e->args.at[1]),
                      tangent_dense(j, e->args.at[2]));
  } else if (op_is_extremum(e->op)) {
    Atom dx = tangent_dense(j, e->args.at[0]), dz = tangent_dense(j, e->args.at[1]);
    dy = shared_tangent(b, e, op_partial(e->op, e->prim, 0), args, (Atom[]){dx, dz});
  } else if (e->op == OP_GUARD) {
    dy = tangent_of(j, e->args.at[2]);
    if (!atom_absent(dy)) dy = build_op3(b, OP_GUARD, args.at[0], args.at[1], dy);
  } else {
    for (int i = 0; i < args.len; i++) {
      Atom dx = tangent_of(j, e->args.at[i]);
      const Term *J = op_partial(e->op, e->prim, i);
      if (atom_absent(dx) || !J) continue;
      bool minus = J->kind == TERM_CONST && J->value == -1 && e->prim != PRIM_BOOL;
      Atom c = minus ? build_op1(b, OP_NEG, dx)
                     : guard_tangent(&j->safe, b, stm, i, args, y, dx);
      c = build_conv(b, atom_type(b->prog, y).prim, c);
      dy = atom_absent(dy) ? c : build_plus(b, dy, c);
    }
  }
  if (!atom_absent(dy)) tangent_set(j, stm->bound.at[0], dy);
}

// The same form on the tangent: y = form(x)    dy = form(dx).  It tests its indices as the value's
// statement does: the value may be dropped, and its test with it.  Where both stay,
// imp/passes/redundant_checks.c drops the second test.
static void twin(Jvp *j, const Stm *stm, Exp exp) {
  Builder *b = &j->w.to;
  Attrs saved = b->attrs;
  b->attrs = stm->attrs;
  Var y = rewrite_atom(&j->w, atom_var(stm->bound.at[0])).var;
  Atom dy = build(b, var_info(b->prog, y)->base, tangent_type(j, var_type(b->prog, y)), exp);
  b->attrs = saved;
  tangent_set(j, stm->bound.at[0], dy);
}

static Atoms tangents_dense(Jvp *j, Atoms sources) {
  Atoms out = {0};
  for (int i = 0; i < sources.len; i++)
    list_push(j->w.to.prog->arena, &out, tangent_dense(j, sources.at[i]));
  return out;
}

// Forms that move data are linear and act on tangents as on values.
static void jvp_array(Jvp *j, const Stm *stm) {
  const Exp *e = &stm->exp;
  Exp d = rewrite_exp(&j->w, e);
  switch (e->form) {
    case FORM_CONV: d.conv.arg = tangent_dense(j, e->conv.arg); break;
    case FORM_OPAQUE: d.opaque.arg = tangent_dense(j, e->opaque.arg); break;
    case FORM_LITERAL:
      if (j->marks) d.literal.prim = PRIM_U64;
      d.literal.elems = tangents_dense(j, e->literal.elems);
      break;
    case FORM_REPLICATE: d.replicate.arg = tangent_dense(j, e->replicate.arg); break;
    case FORM_COPY: d.copy.arg = tangent_dense(j, e->copy.arg); break;
    case FORM_INDEX: d.index.array = tangent_dense(j, e->index.array); break;
    case FORM_UPDATE:
      d.update.array = tangent_dense(j, e->update.array);
      d.update.value = tangent_dense(j, e->update.value);
      break;
    case FORM_FLATINDEX: d.flatindex.array = tangent_dense(j, e->flatindex.array); break;
    case FORM_FLATUPDATE:
      d.flatupdate.array = tangent_dense(j, e->flatupdate.array);
      d.flatupdate.value = tangent_dense(j, e->flatupdate.value);
      break;
    case FORM_RESHAPE: d.reshape.array = tangent_dense(j, e->reshape.array); break;
    case FORM_REARRANGE: d.rearrange.array = tangent_dense(j, e->rearrange.array); break;
    case FORM_CONCAT: d.concat.arrays = tangents_dense(j, e->concat.arrays); break;
    case FORM_REVERSE: d.reverse.array = tangent_dense(j, e->reverse.array); break;
    case FORM_ROTATE: d.rotate.array = tangent_dense(j, e->rotate.array); break;
    case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT:
    case FORM_ATOM: case FORM_PRIM: case FORM_CONSTANT: case FORM_IOTA: case FORM_SCRATCH:
    case FORM_MATCH: case FORM_LOOP: case FORM_APPLY: case FORM_ASSERT: case FORM_TRACE:
    case FORM_MAP: case FORM_REDUCE: case FORM_SCAN: case FORM_SCREMA: case FORM_HIST:
    case FORM_SCATTER:
    case FORM_WITHACC: case FORM_UPDATEACC: case FORM_JVP: case FORM_VJP: case FORM_WITHVJP:
    case FORM_DEPENDS: case FORM_JACOBIAN: case FORM_COUNT:
      ice("form %d does not move data", e->form);
  }
  rewrite_stm(&j->w, stm);
  twin(j, stm, d);
}

// Conversions change values, not what they depend on.
static void marks_of_conv(Jvp *j, const Stm *stm) {
  rewrite_stm(&j->w, stm);
  tangent_set(j, stm->bound.at[0], tangent_dense(j, stm->exp.conv.arg));
}

// The number of a constructor, by which a traced value is printed, has no tangent.
static bool is_choice(const char *layout, int arg) {
  char mark[16];
  snprintf(mark, sizeof mark, "?%d.", arg);
  return strstr(layout, mark) != NULL;
}

static void jvp_trace(Jvp *j, const Stm *stm) {
  const struct trace_form *e = &stm->exp.trace;
  Arena *arena = j->w.to.prog->arena;
  Exp d = rewrite_exp(&j->w, &stm->exp);
  bool any = false;
  rewrite_stm(&j->w, stm);
  for (int i = 0; i < e->args.len; i++) {
    bool varied = varset_has_atom(&j->varied, e->args.at[i]);
    any = any || varied;
    if (!varied && !prim_is_float(atom_type(j->w.from, e->args.at[i]).prim)) continue;
    if (!is_choice(e->layout, i)) d.trace.args.at[i] = tangent_dense(j, e->args.at[i]);
  }
  if (!any || j->marks) return;
  d.trace.label = arena_printf(arena, "%s (tangent)", e->label);
  build_many(&j->w.to, NULL, (Types){0}, d);
}

void jvp_stm(Jvp *j, const Stm *stm) {
  if (stm->exp.form == FORM_TRACE) {
    jvp_trace(j, stm);
    return;
  }
  bool any = false;
  for (int k = 0; k < stm->bound.len; k++) any = any || varset_has(&j->varied, stm->bound.at[k]);
  if (!any) {
    rewrite_stm(&j->w, stm);
    return;
  }
  if (j->marks && stm->exp.form == FORM_CONV) {
    marks_of_conv(j, stm);
    return;
  }
  switch (stm->exp.form) {
    case FORM_PRIM: jvp_prim(j, stm); break;
    case FORM_MATCH: jvp_match(j, stm); break;
    case FORM_LOOP: jvp_loop(j, stm); break;
    case FORM_MAP: jvp_map(j, stm); break;
    case FORM_REDUCE: jvp_reduce(j, stm); break;
    case FORM_SCAN: jvp_scan(j, stm); break;
    case FORM_HIST: jvp_hist(j, stm); break;
    case FORM_SCATTER: jvp_scatter(j, stm); break;
    case FORM_WITHACC: jvp_withacc(j, stm); break;
    case FORM_UPDATEACC: jvp_updateacc(j, stm); break;
    case FORM_WITHVJP: jvp_withvjp(j, stm); break;
    case FORM_APPLY: jvp_apply(j, stm); break;
    case FORM_CONV: case FORM_OPAQUE: case FORM_LITERAL: case FORM_REPLICATE: case FORM_COPY:
     case FORM_INDEX: case FORM_UPDATE: case FORM_FLATINDEX: case FORM_FLATUPDATE:
    case FORM_RESHAPE: case FORM_REARRANGE: case FORM_CONCAT: case FORM_REVERSE: case FORM_ROTATE:
      jvp_array(j, stm); break;
    case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_ATOM:
    case FORM_CONSTANT: case FORM_IOTA: case FORM_SCRATCH: case FORM_ASSERT: case FORM_TRACE:
    case FORM_SCREMA: case FORM_JVP: case FORM_VJP: case FORM_DEPENDS: case FORM_JACOBIAN:
    case FORM_COUNT:
      ice("form %d in forward mode", stm->exp.form);
  }
}

void jvp_stms(Jvp *j, Stms stms) {
  const Loc *saved = j->w.to.loc;
  for (int i = 0; i < stms.len; i++) {
    if (stms.at[i].loc) j->w.to.loc = stms.at[i].loc;
    jvp_stm(j, &stms.at[i]);
  }
  j->w.to.loc = saved;
}

// fn's body here, at (args, tangents); tangents absent where zero.  Results: (b.., dense db..).
Atoms jvp_call(Jvp *j, const Lambda *fn, Atoms args, Atoms tangents) {
  Arena *arena = j->w.to.prog->arena;
  for (int k = 0; k < args.len; k++) {
    rewrite_bind(&j->w, fn->params.at[k], args.at[k]);
    if (atom_absent(tangents.at[k])) continue;
    varset_add(&j->varied, fn->params.at[k]);
    tangent_set(j, fn->params.at[k], tangents.at[k]);
  }
  varied_body(j->w.from, &j->varied, &fn->body);
  guard_body(&j->safe, &fn->body);
  jvp_stms(j, fn->body.stms);
  Atoms out = rewrite_atoms(&j->w, fn->body.results);
  return atoms_concat(arena, out, tangents_dense(j, fn->body.results));
}

static Jvp jvp_new(Builder *b, const Loc *loc, Calls *calls) {
  Jvp j = {.w = rewrite_new(b->prog, *b), .loc = loc};
  j.varied = varset_new(b->prog->arena);
  j.varied.calls = calls;
  j.safe = safe_new(calls_strict(calls), b->prog->arena);
  j.tangents = map_new(b->prog->arena);
  return j;
}

static Atoms results_taken(Arena *arena, Atoms atoms, int from, int n) {
  Atoms out = {0};
  for (int i = 0; i < n; i++) list_push(arena, &out, atoms.at[from + i]);
  return out;
}

// jmp f x X = (f x, map (\dx -> jvp f x dx) X)
static Atoms jvp_vector(Builder *b, const struct jvp_form *e, const Lambda *fn, const Loc *loc,
                        Calls *calls) {
  Arena *arena = b->prog->arena;
  int n = fn->body.results.len;
  Atoms primal = lambda_inline(b, fn, e->args);
  MapBuilder m = map_begin(b, e->shape.at[0], e->tangents);
  Jvp j = jvp_new(&m.lb.inner, loc, calls);
  Atoms dx = {0};
  for (int k = 0; k < e->tangents.len; k++) list_push(arena, &dx, map_param(&m, k));
  Atoms out = jvp_call(&j, fn, e->args, dx), dy = results_taken(arena, out, n, n);
  return atoms_concat(arena, primal, atoms_of_vars(arena, map_end(&m, "tangent", dy)));
}

// Numbers that are the constant zero carry nothing: zero times any partial is zero (guarded.c).
static Atoms without_zeros(const Prog *prog, Atoms tangents) {
  Atoms out = {0};
  for (int k = 0; k < tangents.len; k++) {
    Atom dx = tangents.at[k];
    bool zero = atom_is(dx, 0) && prog_may(prog, SWITCH_ZEROS);
    list_push(prog->arena, &out, zero ? atom_none() : dx);
  }
  return out;
}

// The operator, already in the program built into; its results as atoms.
Atoms ad_jvp(Builder *b, const struct jvp_form *e, const Loc *loc, Calls *calls) {
  NormaliseFor what = {.reverse = false, .own_only = e->shape.len > 0, .calls = calls};
  Lambda *fn = ad_normalise(b, e->fn, what);
  if (e->shape.len > 0) return jvp_vector(b, e, fn, loc, calls);
  Jvp j = jvp_new(b, loc, calls);
  Atoms dx = e->tangents;
  if (!calls_strict(calls)) dx = without_zeros(b->prog, dx);
  return jvp_call(&j, fn, e->args, dx);
}

Atoms ad_jvp_body(Builder *b, const Lambda *fn, Atoms args, Atoms tangents, Calls *calls) {
  Jvp j = jvp_new(b, b->loc, calls);
  return jvp_call(&j, fn, args, tangents);
}

Atoms ad_jvp_sparse(Builder *b, const Lambda *fn, Atoms args, Atoms tangents, Calls *calls) {
  Jvp j = jvp_new(b, b->loc, calls);
  Atoms out = {0};
  jvp_call(&j, fn, args, tangents);
  for (int r = 0; r < fn->body.results.len; r++)
    list_push(b->prog->arena, &out, tangent_of(&j, fn->body.results.at[r]));
  return out;
}

// The dependences of every element of the results: the union of the marks of the arguments'
// elements.
Atoms ad_depends(Builder *b, const struct depends_form *e, const Loc *loc, Calls *calls) {
  Lambda *fn = ad_normalise(b, e->fn, (NormaliseFor){.calls = calls});
  Jvp j = jvp_new(b, loc, calls);
  j.marks = true;
  int n = e->fn->rets.len;
  return results_taken(b->prog->arena, jvp_call(&j, fn, e->args, e->marks), n, n);
}
