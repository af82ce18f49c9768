// Source lambdas in a form with fewer cases, so that the rules stay short:
//   * names for other names are removed;
//   * results of with_vjp are no views;
//   * hist and scatter take indices and values directly, into one-dimensional arrays of rows;
//   * accumulators that do not add are arrays and loops (acc_to_loop.c);
//   * reductions and scans whose operator falls into independent parts are split;
// and for reverse mode
//   * operators that act on rows column by column go inwards (operator_columns.c);
//   * while loops are for loops, their trip count found by running a copy that only counts;
//   * branches that update an outer array leave the update to the scope (predicate_cells.c,
//     predicate_update.c), or are loops of at most one trip (branch_to_loop.c);
//   * histograms of few values into an array that a loop carries are scatters or loops
//     (hist_to_loop.c);
//   * a scope consumes only arrays made in it: where it would consume another, a copy.
#include "ad/common/local.h"

typedef struct {
  Rewrite w;  // first
  NormaliseFor what;
  Map *owner;   // emitted variable id -> the Stms it was made in: it owns its memory
  VarSet carried;  // source arrays that a loop around carries and updates, and later versions
  bool once;    // in a loop made from a branch: its loops carry what is carried around it
  Ranges *ranges;
  bool counts;  // in a loop that only counts: nothing differentiates it
} Prepare;

// ---- ownership
static void own(Prepare *p, Atom emitted) {
  if (emitted.is_var) map_put(p->owner, emitted.var.id, p->w.to.stms);
}

static bool owns(const Prepare *p, Atom emitted) {
  return emitted.is_var && map_get(p->owner, emitted.var.id) == (void *)p->w.to.stms;
}

// Whether results of the form are memory of their own.
static bool makes_arrays(Form form) {
  switch (form) {
    case FORM_LITERAL: case FORM_CONSTANT: case FORM_IOTA: case FORM_REPLICATE: case FORM_COPY:
    case FORM_SCRATCH: case FORM_UPDATE: case FORM_FLATUPDATE: case FORM_CONCAT: case FORM_ROTATE:
    case FORM_MAP: case FORM_SCAN: case FORM_HIST: case FORM_SCATTER: case FORM_WITHACC:
    case FORM_LOOP: return true;
    case FORM_ATOM: case FORM_PRIM: case FORM_CONV: case FORM_OPAQUE: case FORM_TRACE:
    case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT: case FORM_INDEX:
    case FORM_FLATINDEX: case FORM_RESHAPE: case FORM_REARRANGE: case FORM_REVERSE:
    case FORM_MATCH: case FORM_APPLY: case FORM_ASSERT: case FORM_REDUCE: case FORM_SCREMA:
    case FORM_UPDATEACC: case FORM_JVP: case FORM_VJP: case FORM_WITHVJP: case FORM_DEPENDS:
    case FORM_JACOBIAN: case FORM_COUNT:
      return false;
  }
  return false;
}

// Loop results are fresh only where the parameter is unique.
static void own_results(Prepare *p, const Stm *stm) {
  if (!makes_arrays(stm->exp.form)) return;
  for (int k = 0; k < stm->bound.len; k++) {
    if (stm->exp.form == FORM_LOOP) {
      Var param = stm->exp.loop.fn->params.at[k + (stm->exp.loop.is_for ? 1 : 0)];
      if (!var_type(p->w.from, param).unique) continue;
    }
    own(p, rewrite_atom(&p->w, atom_var(stm->bound.at[k])));
  }
}

// An array that the form being built may consume.
static Atom for_consumption(Prepare *p, Atom source) {
  Atom a = rewrite_atom(&p->w, source);
  Type t = atom_type(p->w.to.prog, a);
  if (!p->what.own_only || t.rank == 0 || t.is_acc) return a;
  if (owns(p, a)) return a;
  Atom copy = build_copy(&p->w.to, a);
  own(p, copy);
  return copy;
}

// ---- operators that fall into independent parts
static Atoms atoms_part(Arena *arena, Atoms atoms, const int *group, int g) {
  Atoms out = {0};
  for (int k = 0; k < atoms.len; k++)
    if (group[k] == g) list_push(arena, &out, atoms.at[k]);
  return out;
}

// In reverse mode operators on rows go inwards (operator_columns.c).
static bool prepare_rows(Prepare *p, const Stm *stm) {
  const Exp *e = &stm->exp;
  const Lambda *op = e->form == FORM_REDUCE ? e->reduce.op : e->scan.op;
  if (!p->what.reverse || !operator_is_by_column(p->w.to.prog, op)) return false;
  Exp exp = rewrite_exp(&p->w, e);
  Atoms out = build_by_column(&p->w.to, &exp);
  for (int k = 0; k < stm->bound.len; k++) rewrite_bind(&p->w, stm->bound.at[k], out.at[k]);
  return true;
}

// reduce (\(x1,x2) (y1,y2) -> (f x1 y1, g x2 y2)) = (reduce f, reduce g); scans likewise.
static bool prepare_split(Prepare *p, const Stm *stm, const Lambda *op, Atoms neutral,
                          Atoms inputs) {
  Prog *prog = p->w.to.prog;
  int n = op->body.results.len;
  int *group = NEW_ARRAY(prog->arena, int, n + 1);
  const OperatorParts *parting = operator_parts(p->w.from, op, group);
  bool split = false;
  for (int k = 0; k < n; k++) split = split || group[k] != 0;
  if (!split || !prog_may(prog, SWITCH_PARTS)) return false;
  for (int g = 0; g < n; g++) {
    if (group[g] != g) continue;
    Stm part = *stm;
    part.bound = (Vars){0};
    for (int k = 0; k < n; k++)
      if (group[k] == g) list_push(prog->arena, &part.bound, stm->bound.at[k]);
    Lambda *fn = operator_part(parting, g);
    Atoms ne = atoms_part(prog->arena, neutral, group, g);
    Atoms in = atoms_part(prog->arena, inputs, group, g);
    if (stm->exp.form == FORM_REDUCE) {
      part.exp.reduce.op = fn, part.exp.reduce.neutral = ne, part.exp.reduce.inputs = in;
    } else {
      part.exp.scan.op = fn, part.exp.scan.neutral = ne, part.exp.scan.inputs = in;
    }
    if (prepare_rows(p, &part)) continue;
    rewrite_stm(&p->w, &part);
    own_results(p, &part);
  }
  return true;
}

// ---- hist and scatter
static Atoms rewritten_inputs(Prepare *p, Atom width, const Lambda *fn, Atoms inputs) {
  Atoms args = rewrite_atoms(&p->w, inputs);
  if (lambda_is_identity(fn)) return args;
  Lambda *copy = rewrite_lambda(&p->w, fn);
  Exp exp = {.form = FORM_MAP, .map = {.width = width, .fn = copy, .inputs = args}};
  return atoms_of_vars(p->w.to.prog->arena, build_exp(&p->w.to, NULL, exp));
}

// i1*d2*..*dr + .. + ir where every index is in range, -1 elsewhere
static Atom flat_indices(Builder *b, Atom width, Atoms indices, const Atom *dims) {
  MapBuilder m = map_begin(b, width, indices);
  Builder *in = &m.lb.inner;
  Atom ok = atom_bool(true), flat = atom_i64(0);
  for (int k = 0; k < indices.len; k++) {
    Atom i = map_param(&m, k);
    ok = build_op(in, OP_AND, ok, build_op(in, OP_LE, atom_i64(0), i));
    ok = build_op(in, OP_AND, ok, build_op(in, OP_LT, i, dims[k]));
    flat = build_op(in, OP_ADD, build_op(in, OP_MUL, flat, dims[k]), i);
  }
  return map_end1(&m, "flat", build_select(in, ok, flat, atom_i64(-1)));
}

static Atoms flat_dims(Builder *b, Type t, int rank) {
  Atom size = t.dims[0];
  for (int k = 1; k < rank; k++) size = build_op(b, OP_MUL, size, t.dims[k]);
  Atoms dims = atoms1(b->prog->arena, size);
  for (int k = rank; k < t.rank; k++) list_push(b->prog->arena, &dims, t.dims[k]);
  return dims;
}

static Atom build_reshape(Builder *b, Atom x, Atoms dims) {
  Attrs saved = b->attrs;
  b->attrs.unchecked = true;
  Atom y = build_exp1(b, NULL,
                      (Exp){.form = FORM_RESHAPE, .reshape = {.array = x, .dims = dims}});
  b->attrs = saved;
  return y;
}

// With several index dimensions the array consumed is a view, so it is always one made here.
static void prepare_bins(Prepare *p, const Stm *stm, int rank, const Lambda *fn, Atoms inputs,
                         Atoms dests) {
  Builder *b = &p->w.to;
  Arena *arena = b->prog->arena;
  bool is_hist = stm->exp.form == FORM_HIST;
  Atom width = rewrite_atom(&p->w, is_hist ? stm->exp.hist.width : stm->exp.scatter.width);
  Atoms args = rewritten_inputs(p, width, fn, inputs), flat = {0}, values = {0};
  Types types = {0};
  for (int k = 0; k < dests.len; k++) {
    Atom dest = rank == 1 || !p->what.own_only ? for_consumption(p, dests.at[k])
                                               : build_copy(b, rewrite_atom(&p->w, dests.at[k]));
    Type t = type_fresh(atom_type(b->prog, dest));
    list_push(arena, &types, t);
    if (rank > 1) dest = build_reshape(b, dest, flat_dims(b, t, rank));
    list_push(arena, &flat, dest);
  }
  Atom index = args.at[0];
  if (rank > 1) index = flat_indices(b, width, atoms_slice(args, 0, rank), types.at[0].dims);
  list_push(arena, &values, index);
  for (int k = rank; k < args.len; k++) list_push(arena, &values, args.at[k]);
  Exp exp = stm->exp;
  Lambda *identity = lambda_identity(b->prog, types_rows(b->prog, values));
  if (is_hist)
    exp.hist = (struct hist_form){.width = width, .rank = 1, .dests = flat,
                                  .neutral = rewrite_atoms(&p->w, exp.hist.neutral),
                                  .op = rewrite_lambda(&p->w, exp.hist.op), .fn = identity,
                                  .inputs = values};
  else
    exp.scatter = (struct scatter_form){.width = width, .rank = 1, .dests = flat, .fn = identity,
                                        .inputs = values};
  bool by_column = is_hist && p->what.reverse && operator_is_by_column(b->prog, exp.hist.op);
  Atoms out = by_column ? build_by_column(b, &exp) : atoms_of_vars(arena, build_exp(b, NULL, exp));
  for (int k = 0; k < dests.len; k++) {
    Atom y = out.at[k];
    if (rank > 1) y = build_reshape(b, y, atoms_of(arena, types.at[k].rank, types.at[k].dims));
    rewrite_bind(&p->w, stm->bound.at[k], y);
    if (rank == 1 && !by_column) own(p, y);
  }
}

// ---- loops
bool loop_consumes(const Prog *prog, const struct loop_form *e) {
  for (int k = 0; k < e->inits.len; k++) {
    Type t = var_type(prog, e->fn->params.at[k + e->is_for]);
    if (t.unique && t.rank > 0) return true;
  }
  return false;
}

// A loop that consumes cannot be run a second time to make views again (rebind), so it gives none.
static void copy_views(Prepare *p, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  if (!p->what.reverse || !loop_consumes(p->w.from, e)) return;
  for (int k = 0; k < stm->bound.len; k++) {
    Type t = var_type(p->w.from, e->fn->params.at[k + e->is_for]);
    if (t.unique || t.rank == 0 || t.is_acc) continue;
    Atom copy = build_copy(&p->w.to, rewrite_atom(&p->w, atom_var(stm->bound.at[k])));
    rewrite_bind(&p->w, stm->bound.at[k], copy);
    own(p, copy);
  }
}

static Atoms loop_inits(Prepare *p, const struct loop_form *e) {
  Atoms inits = {0};
  for (int k = 0; k < e->inits.len; k++) {
    Var param = e->fn->params.at[k + (e->is_for ? 1 : 0)];
    bool consumed = var_type(p->w.from, param).unique;
    list_push(p->w.to.prog->arena, &inits,
              consumed ? for_consumption(p, e->inits.at[k])
                       : rewrite_atom(&p->w, e->inits.at[k]));
  }
  return inits;
}

// A loop body owns its unique parameters.
static Lambda *prepared_body(Prepare *p, const Lambda *fn) {
  Lambda *out = NEW(p->w.to.prog->arena, Lambda);
  Stms *saved = p->w.to.stms;
  p->w.to.stms = &out->body.stms;
  for (int k = 0; k < fn->params.len; k++) {
    Var v = rewrite_var(&p->w, fn->params.at[k]);
    list_push(p->w.to.prog->arena, &out->params, v);
    if (var_type(p->w.from, fn->params.at[k]).unique) own(p, atom_var(v));
  }
  rewrite_stms(&p->w, fn->body.stms);
  out->body.results = rewrite_atoms(&p->w, fn->body.results);
  out->rets = rewrite_types(&p->w, fn->rets);
  p->w.to.stms = saved;
  return out;
}

// The copy that counts reads the same names; bodies of both are rewritten from the source.  While
// loops in it stay what they are.
static Atom prepared_trips(Prepare *p, const Stm *stm, Atoms inits) {
  Builder *b = &p->w.to;
  Stm plain = *stm;
  bool saved = p->counts;
  p->counts = true;
  plain.exp.loop.fn = prepared_body(p, stm->exp.loop.fn);
  p->counts = saved;
  plain.bound = (Vars){0};
  for (int k = 0; k < stm->bound.len; k++)
    list_push(b->prog->arena, &plain.bound, rewrite_var(&p->w, stm->bound.at[k]));
  plain.exp.loop.inits = inits;
  Atom trips = build_trip_count(b, &plain);
  varset_add_atom(calls_counted(p->what.calls), trips);
  return trips;
}

static void carry_params(Prepare *p, const struct loop_form *e) {
  for (int k = 0; k < e->inits.len; k++) {
    Var param = e->fn->params.at[k + e->is_for];
    if (var_type(p->w.from, param).unique &&
        (!p->once || varset_has_atom(&p->carried, e->inits.at[k])))
      varset_add(&p->carried, param);
  }
}

static void carry_results(Prepare *p, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++)
    if (varset_has_atom(&p->carried, earlier_version(p->w.from, stm, k)))
      varset_add(&p->carried, stm->bound.at[k]);
}

static void prepare_loop(Prepare *p, const Stm *stm) {
  Builder *b = &p->w.to;
  const struct loop_form *e = &stm->exp.loop;
  bool once = p->once;
  carry_params(p, e);
  p->once = false;
  Atoms inits = loop_inits(p, e);
  Stm out = {.exp = stm->exp, .attrs = stm->attrs, .loc = b->loc};
  if (!e->is_for && p->what.reverse && !p->counts) {
    out.exp.loop.bound = prepared_trips(p, stm, inits);
    out.exp.loop.is_for = true;
    out.exp.loop.cond = 0;
    out.exp.loop.fn = prepared_body(p, e->fn);
    Vars params = {0};
    list_push(b->prog->arena, &params, var_new(b->prog, "i", type_scalar(PRIM_I64)));
    for (int k = 0; k < e->fn->params.len; k++)
      list_push(b->prog->arena, &params, out.exp.loop.fn->params.at[k]);
    out.exp.loop.fn->params = params;
  } else {
    out.exp.loop.bound = rewrite_atom(&p->w, e->bound);
    out.exp.loop.fn = prepared_body(p, e->fn);
  }
  p->once = once;
  out.exp.loop.inits = inits;
  for (int k = 0; k < stm->bound.len; k++)
    list_push(b->prog->arena, &out.bound, rewrite_var(&p->w, stm->bound.at[k]));
  build_stm(b, out);
  own_results(p, stm);
  copy_views(p, stm);
}

// ---- statements
static void prepare_update(Prepare *p, const Stm *stm) {
  Atom source = stm->exp.form == FORM_UPDATE ? stm->exp.update.array : stm->exp.flatupdate.array;
  Atom a = rewrite_atom(&p->w, source);
  if (p->what.own_only && !owns(p, a)) {
    Atom copy = build_copy(&p->w.to, a);
    if (source.is_var) {
      rewrite_bind(&p->w, source.var, copy);
      rewrite_stm(&p->w, stm);
      rewrite_bind(&p->w, source.var, a);
      own_results(p, stm);
      return;
    }
  }
  rewrite_stm(&p->w, stm);
  own_results(p, stm);
}

static void prepare_withacc(Prepare *p, const Stm *stm) {
  Stm out = *stm;
  out.exp.withacc.arrays = (Atoms){0};
  for (int k = 0; k < stm->exp.withacc.arrays.len; k++) {
    Atom a = for_consumption(p, stm->exp.withacc.arrays.at[k]);
    // Emitted names represent themselves when rewritten again.
    list_push(p->w.to.prog->arena, &out.exp.withacc.arrays, a);
  }
  rewrite_stm(&p->w, &out);
  own_results(p, stm);
}

// The function's results must not be views of its arguments.  Forward mode differentiates
// the function itself where the rule is exact: transposing the rule costs more.
static void prepare_withvjp(Prepare *p, const Stm *stm) {
  if (stm->attrs.exact && !p->what.reverse && prog_may(p->w.from, SWITCH_EXACT)) {
    withvjp_inline(&p->w, stm);
    return;
  }
  Stm out = *stm;
  Arena *arena = p->w.to.prog->arena;
  Lambda *fn = out.exp.withvjp.fn = arena_copy(arena, stm->exp.withvjp.fn, sizeof *fn);
  Stms stms = {0};
  for (int i = 0; i < fn->body.stms.len; i++) list_push(arena, &stms, fn->body.stms.at[i]);
  Builder in = builder_new(p->w.to.prog, &stms);
  Atoms results = {0};
  for (int k = 0; k < fn->rets.len; k++) {
    Atom r = fn->body.results.at[k];
    list_push(arena, &results, fn->rets.at[k].rank ? build_copy(&in, r) : r);
  }
  fn->body = (Body){.stms = stms, .results = results};
  rewrite_stm(&p->w, &out);
}

// Arguments of unique parameters are consumed; results that may be views of arguments are copied.
static void prepare_apply(Prepare *p, const Stm *stm) {
  const Fn *callee = calls_fn(p->what.calls, stm->exp.apply.fn);
  Prog *prog = p->w.to.prog;
  Stm out = *stm;
  out.exp.apply.args = (Atoms){0};
  for (int k = 0; k < stm->exp.apply.args.len; k++) {
    Atom a = stm->exp.apply.args.at[k];
    bool consumed = var_type(prog, callee->params.at[k]).unique;
    list_push(prog->arena, &out.exp.apply.args,
              consumed ? for_consumption(p, a) : rewrite_atom(&p->w, a));
  }
  rewrite_stm(&p->w, &out);
  for (int k = 0; k < stm->bound.len; k++) {
    Atom y = rewrite_atom(&p->w, atom_var(stm->bound.at[k]));
    if (atom_type(prog, y).rank == 0) continue;
    if (p->what.own_only && !var_type(prog, callee->results.at[k]).unique) {
      y = build_copy(&p->w.to, y);
      rewrite_bind(&p->w, stm->bound.at[k], y);
    }
    own(p, y);
  }
}

static void prepare_stm(Rewrite *w, const Stm *stm);

// Only arrays that this scope owns: others are copied, in the branch that needs a copy.
static bool prepare_match(Prepare *p, const Stm *stm) {
  Stms out = {0};
  Atoms arrays = {0};
  if (!p->what.own_only) return false;
  Prog *prog = p->w.to.prog;
  if (match_to_cells(prog, p->ranges, stm, &out, &arrays)) {
    if (!prog_may(prog, SWITCH_UNBRANCH)) return false;
  } else if (match_if_convert(prog, stm, &out)) {
    if (!prog_may(prog, SWITCH_UNBRANCH)) return false;
    list_push(prog->arena, &arrays, out.at[out.len - 1].exp.update.array);
  } else if (!p->what.reverse || !match_to_loops(prog, stm, &out, &arrays) ||
             !prog_may(prog, SWITCH_BRANCH_LOOPS)) {
    return false;
  }
  for (int i = 0; i < arrays.len; i++)
    if (!owns(p, rewrite_atom(&p->w, arrays.at[i]))) return false;
  bool once = p->once;
  p->once = true;
  for (int i = 0; i < out.len; i++) prepare_stm(&p->w, &out.at[i]);
  p->once = once;
  return true;
}

static bool prepare_hist(Prepare *p, const Stm *stm) {
  const struct hist_form *e = &stm->exp.hist;
  if (!p->what.reverse || p->counts || !hist_is_small(p->w.from, e)) return false;
  if (hist_restores(p->w.from, e)) return false;
  for (int k = 0; k < e->dests.len; k++)
    if (!varset_has_atom(&p->carried, e->dests.at[k])) return false;
  Stms out = {0};
  hist_to_loop(p->w.to.prog, stm, &out);
  for (int i = 0; i < out.len; i++) prepare_stm(&p->w, &out.at[i]);
  return true;
}

static void prepare_stm(Rewrite *w, const Stm *stm) {
  Prepare *p = (Prepare *)w;
  const Exp *e = &stm->exp;
  carry_results(p, stm);
  if (e->form == FORM_MATCH && prepare_match(p, stm)) return;
  if (e->form == FORM_HIST && prepare_hist(p, stm)) return;
  if (e->form == FORM_ATOM) {
    rewrite_bind(w, stm->bound.at[0], rewrite_atom(w, e->atom.arg));
  } else if (e->form == FORM_APPLY) {
    prepare_apply(p, stm);
  } else if (e->form == FORM_WITHVJP) {
    prepare_withvjp(p, stm);
  } else if (e->form == FORM_HIST) {
    prepare_bins(p, stm, (int)e->hist.rank, e->hist.fn, e->hist.inputs, e->hist.dests);
  } else if (e->form == FORM_SCATTER) {
    prepare_bins(p, stm, (int)e->scatter.rank, e->scatter.fn, e->scatter.inputs,
                 e->scatter.dests);
  } else if (e->form == FORM_LOOP) {
    prepare_loop(p, stm);
  } else if (e->form == FORM_UPDATE || e->form == FORM_FLATUPDATE) {
    prepare_update(p, stm);
  } else if (e->form == FORM_WITHACC) {
    prepare_withacc(p, stm);
  } else if (e->form == FORM_REDUCE &&
             prepare_split(p, stm, e->reduce.op, e->reduce.neutral, e->reduce.inputs)) {
    return;
  } else if (e->form == FORM_SCAN &&
             prepare_split(p, stm, e->scan.op, e->scan.neutral, e->scan.inputs)) {
    return;
  } else if ((e->form == FORM_REDUCE || e->form == FORM_SCAN) && prepare_rows(p, stm)) {
    return;  // results are views: nothing owns them
  } else {
    rewrite_stm(w, stm);
    own_results(p, stm);
  }
}

Lambda *ad_normalise(Builder *b, const Lambda *fn, NormaliseFor what) {
  Prepare p = {.what = what};
  p.w = rewrite_new(b->prog, *b);
  p.w.stm = prepare_stm;
  p.owner = map_new(b->prog->arena);
  p.carried = varset_new(b->prog->arena);
  const Lambda *source = normalise_accs(b, fn, what.reverse);
  p.ranges = ranges_find(b->prog, source);
  return rewrite_lambda(&p.w, source);
}
