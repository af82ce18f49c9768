// Vectorised operators:
//
//   reduce (\u v -> map g u v) nes as   =  map (\ne col -> reduce g ne col) nes (transpose as)
//   scan   (\u v -> map g u v) nes as   =  transpose (map (\ne col -> scan g ne col) nes
//                                                                        (transpose as))
//
// where the map ranges over whole rows of both operands (either order) and possibly arrays from
// outside.  Repeated until the operator is not a map.
#include "opt/common/local.h"

// The map inside the operator: inputs in terms of the operands, or from outside.
typedef struct {
  const struct map_form *map;
  int k;         // operands per side
  int *operand;  // input i of the map is parameter operand[i] of the operator; -1: from outside
} Vectorised;

static int param_at(const Lambda *fn, Atom a) {
  for (int i = 0; i < fn->params.len; i++)
    if (atom_is_var(a, fn->params.at[i])) return i;
  return -1;
}

static bool mentions_params(const Prog *prog, Arena *arena, const Lambda *inner,
                            const Lambda *op) {
  Vars free = lambda_free(prog, arena, inner);
  for (int i = 0; i < free.len; i++)
    if (param_at(op, atom_var(free.at[i])) >= 0) return true;
  return false;
}

static bool vectorised(const Prog *prog, Arena *arena, const Lambda *op, Vectorised *v) {
  if (op->body.stms.len != 1 || op->body.stms.at[0].exp.form != FORM_MAP) return false;
  const Stm *stm = &op->body.stms.at[0];
  v->map = &stm->exp.map;
  v->k = op->params.len / 2;
  if (stm->bound.len != v->k || op->body.results.len != v->k) return false;
  for (int i = 0; i < v->k; i++)
    if (!atom_is_var(op->body.results.at[i], stm->bound.at[i])) return false;
  if (mentions_params(prog, arena, v->map->fn, op)) return false;
  if (v->map->width.is_var && param_at(op, v->map->width) >= 0) return false;
  v->operand = NEW_ARRAY(arena, int, v->map->inputs.len);
  for (int i = 0; i < v->map->inputs.len; i++) {
    v->operand[i] = param_at(op, v->map->inputs.at[i]);
    if (atom_type(prog, v->map->inputs.at[i]).is_acc) return false;
  }
  return true;
}

static Atom transposed(Builder *b, Atom a) {
  int rank = atom_type(b->prog, a).rank;
  int *perm = NEW_ARRAY(b->prog->arena, int, rank);
  for (int i = 0; i < rank; i++) perm[i] = i < 2 ? 1 - i : i;
  return build_rearrange(b, a, perm);
}

// The operator on elements: its parameters are fresh, outside rows are free variables.
static Lambda *element_operator(Builder *b, const Vectorised *v, const Atom *outside) {
  Types types = {0};
  for (int i = 0; i < 2 * v->k; i++)
    list_push(b->prog->arena, &types, v->map->fn->rets.at[i % v->k]);
  LambdaBuilder lb = lambda_begin(b, "x", types);
  Atoms args = {0};
  for (int i = 0; i < v->map->inputs.len; i++)
    list_push(b->prog->arena, &args,
              v->operand[i] >= 0 ? atom_var(lb.lambda->params.at[v->operand[i]]) : outside[i]);
  Atoms results = lambda_inline(&lb.inner, v->map->fn, args);
  return lambda_end(&lb, results);
}

// map (\nes.. cols.. outside.. -> reduce/scan g nes cols) over the columns.
static Vars columns(Builder *b, const Stm *stm, const Vectorised *v, Atoms neutral, Atoms inputs,
                    Atom width) {
  Arena *arena = b->prog->arena;
  Atoms over = atoms_concat(arena, neutral, (Atoms){0});
  for (int i = 0; i < inputs.len; i++) list_push(arena, &over, transposed(b, inputs.at[i]));
  for (int i = 0; i < v->map->inputs.len; i++)
    if (v->operand[i] < 0) list_push(arena, &over, v->map->inputs.at[i]);
  Types rows = {0};
  for (int i = 0; i < over.len; i++)
    list_push(arena, &rows, type_row(atom_type(b->prog, over.at[i])));
  LambdaBuilder lb = lambda_begin(b, "col", rows);
  Atoms params = atoms_of_vars(arena, lb.lambda->params);
  Atom *outside = NEW_ARRAY(arena, Atom, v->map->inputs.len + 1);
  for (int i = 0, at = 2 * v->k; i < v->map->inputs.len; i++)
    if (v->operand[i] < 0) outside[i] = params.at[at++];
  Lambda *op = element_operator(&lb.inner, v, outside);
  Exp exp = {.form = stm->exp.form};
  Atoms nes = atoms_of(arena, v->k, params.at), cols = atoms_of(arena, v->k, params.at + v->k);
  Types types = {0};
  for (int i = 0; i < v->k; i++) {
    Type t = op->rets.at[i];
    list_push(arena, &types, exp.form == FORM_SCAN ? type_array(arena, t, width) : t);
  }
  if (exp.form == FORM_SCAN)
    exp.scan = (struct scan_form){.width = width, .exclusive = stm->exp.scan.exclusive, .op = op,
                                  .neutral = nes, .inputs = cols};
  else
    exp.reduce = (struct reduce_form){.width = width, .op = op, .neutral = nes, .inputs = cols,
                                      .comm = stm->exp.reduce.comm};
  Vars ys = build_many(&lb.inner, "y", types, exp);
  Lambda *fn = lambda_end(&lb, atoms_of_vars(arena, ys));
  Types outs = {0};
  for (int i = 0; i < v->k; i++)
    list_push(arena, &outs, type_array(arena, types.at[i], v->map->width));
  return build_many(b, "cols", outs, (Exp){.form = FORM_MAP,
                    .map = {.width = v->map->width, .fn = fn, .inputs = over}});
}

bool soac_interchange(Builder *to, const Stm *stm) {
  Vectorised v;
  const Exp *x = &stm->exp;
  bool scan = x->form == FORM_SCAN;
  if (!scan && x->form != FORM_REDUCE) return false;
  const Lambda *op = scan ? x->scan.op : x->reduce.op;
  if (!vectorised(to->prog, to->prog->arena, op, &v)) return false;
  Vars ys = columns(to, stm, &v, scan ? x->scan.neutral : x->reduce.neutral,
                    scan ? x->scan.inputs : x->reduce.inputs, scan ? x->scan.width
                                                                   : x->reduce.width);
  for (int i = 0; i < ys.len; i++) {
    Atom y = scan ? transposed(to, atom_var(ys.at[i])) : atom_var(ys.at[i]);
    Stm bind = {.exp = {.form = FORM_ATOM, .atom = {y}}, .loc = stm->loc};
    list_push(to->prog->arena, &bind.bound, stm->bound.at[i]);
    build_stm(to, bind);
  }
  return true;
}

static bool interchange_body(Prog *prog, Body *body);

static bool interchange_stm(Prog *prog, Stms *out, const Stm *stm) {
  Builder b = builder_new(prog, out);
  b.loc = stm->loc;
  int from = out->len;
  bool changed = soac_interchange(&b, stm);
  if (!changed) list_push(prog->arena, out, *stm);
  for (int i = from; i < out->len; i++) {
    Stm *made = &out->at[i];
    if (!exp_has_parts(&made->exp)) continue;
    Parts parts = exp_parts(prog->arena, &made->exp);
    for (int k = 0; k < parts.len; k++)
      if (interchange_body(prog, parts.at[k].body)) changed = true;
  }
  return changed;
}

static bool interchange_body(Prog *prog, Body *body) {
  Stms out = {0};
  bool changed = false;
  list_reserve(prog->arena, &out, body->stms.len);
  for (int i = 0; i < body->stms.len; i++)
    if (interchange_stm(prog, &out, &body->stms.at[i])) changed = true;
  body->stms = out;
  return changed;
}

// needs: any program; simplify first, so that operators are bare.  leaves: no reduce or scan whose
// operator is exactly one map of its operands.  cost: linear.
Prog *pass_interchange(Prog *prog, Arena *arena) {
  Prog *out = prog_own(prog, arena);
  out->at_fixpoint = prog->at_fixpoint;
  for (int i = 0; i < out->fns.len; i++)
    if (interchange_body(out, &out->fns.at[i]->body)) out->at_fixpoint = false;
  return out;
}
