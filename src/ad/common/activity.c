// Three dataflow questions about source code, asked of nested scopes too (loops to a fixpoint):
//   varied(x)   x depends on an argument through forms whose derivative is not known to be zero
//   reached(x)  a seeded result depends on x in that way
//   need(x)     return-sweep code mentions the value of x
#include "local.h"
#include <string.h>

static bool is_differentiable(Type t) { return t.prim != PRIM_UNIT; }

// ---- varied
static void vary(const Prog *prog, VarSet *varied, Var v) {
  if (is_differentiable(var_type(prog, v))) varset_add(varied, v);
}

static void vary_if(const Prog *prog, VarSet *varied, Var v, Atom from) {
  if (varset_has_atom(varied, from)) vary(prog, varied, v);
}

static bool any_varied(const VarSet *varied, Atoms atoms) {
  for (int i = 0; i < atoms.len; i++)
    if (varset_has_atom(varied, atoms.at[i])) return true;
  return false;
}

static bool free_varied(const Prog *prog, const VarSet *varied, const Lambda *fn) {
  Vars vars = lambda_free(prog, prog->arena, fn);
  for (int i = 0; i < vars.len; i++)
    if (varset_has(varied, vars.at[i])) return true;
  return false;
}

static bool prim_varied(const VarSet *varied, const struct prim_form *e) {
  for (int i = 0; i < e->args.len; i++)
    if (varset_has_atom(varied, e->args.at[i]) &&
        op_carries(e->op, e->prim, i))
      return true;
  return false;
}

static void varied_match(const Prog *prog, VarSet *varied, const Stm *stm) {
  const struct match_form *e = &stm->exp.match;
  for (int i = 0; i < e->cases.len; i++) {
    varied_body(prog, varied, &e->cases.at[i].body);
    for (int k = 0; k < stm->bound.len; k++)
      vary_if(prog, varied, stm->bound.at[k], e->cases.at[i].body.results.at[k]);
  }
}

static void varied_loop(const Prog *prog, VarSet *varied, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  int first = e->is_for ? 1 : 0;
  for (int k = 0; k < e->inits.len; k++)
    vary_if(prog, varied, e->fn->params.at[first + k], e->inits.at[k]);
  for (bool changed = true; changed;) {
    changed = false;
    varied_body(prog, varied, &e->fn->body);
    for (int k = 0; k < e->inits.len; k++) {
      Var p = e->fn->params.at[first + k];
      bool was = varset_has(varied, p);
      vary_if(prog, varied, p, e->fn->body.results.at[k]);
      changed = changed || was != varset_has(varied, p);
    }
  }
  for (int k = 0; k < e->inits.len; k++)
    vary_if(prog, varied, stm->bound.at[k], atom_var(e->fn->params.at[first + k]));
}

static void varied_call(const Prog *prog, VarSet *varied, const Stm *stm, const Lambda *fn,
                        Atoms args) {
  for (int k = 0; k < args.len; k++) vary_if(prog, varied, fn->params.at[k], args.at[k]);
  varied_body(prog, varied, &fn->body);
  for (int k = 0; k < stm->bound.len; k++)
    vary_if(prog, varied, stm->bound.at[k], fn->body.results.at[k]);
}

// All versions of an accumulator vary if one does.
static void varied_withacc(const Prog *prog, VarSet *varied, const Stm *stm) {
  const struct withacc_form *e = &stm->exp.withacc;
  varied_call(prog, varied, stm, e->fn, e->arrays);
  for (int k = 0; k < e->arrays.len; k++)
    if (varset_has(varied, stm->bound.at[k])) vary(prog, varied, e->fn->params.at[k]);
  varied_call(prog, varied, stm, e->fn, e->arrays);
}

static void varied_all(const Prog *prog, VarSet *varied, const Stm *stm, bool yes) {
  for (int k = 0; yes && k < stm->bound.len; k++) vary(prog, varied, stm->bound.at[k]);
}

// Arguments of with_vjp whose adjoint is the constant zero are cut off.
static bool is_zero(const Body *body, Atom a) {
  if (!a.is_var) return prim_is_float(a.value.prim) ? a.value.f == 0 : a.value.i == 0;
  for (int i = 0; i < body->stms.len; i++) {
    const Stm *stm = &body->stms.at[i];
    if (stm->exp.form == FORM_REPLICATE && atom_is_var(a, stm->bound.at[0]))
      return is_zero(body, stm->exp.replicate.arg);
  }
  return false;
}

Atoms withvjp_carrying(const Prog *prog, const struct withvjp_form *e) {
  Atoms out = {0};
  for (int k = 0; k < e->args.len; k++)
    if (!is_zero(&e->rev->body, e->rev->body.results.at[k]))
      list_push(prog->arena, &out, e->args.at[k]);
  return out;
}

static void varied_apply(const Prog *prog, VarSet *varied, const Stm *stm) {
  const struct apply_form *e = &stm->exp.apply;
  if (!any_varied(varied, e->args)) return;
  Mask results = calls_varied(varied->calls, e->fn, mask_of(varied, e->args));
  for (int k = 0; k < stm->bound.len; k++)
    if (results[k] == '1') vary(prog, varied, stm->bound.at[k]);
}

static void varied_stm(const Prog *prog, VarSet *varied, const Stm *stm) {
  const Exp *e = &stm->exp;
  switch (e->form) {
    case FORM_ATOM: vary_if(prog, varied, stm->bound.at[0], e->atom.arg); break;
    case FORM_PRIM: varied_all(prog, varied, stm, prim_varied(varied, &e->prim)); break;
    case FORM_CONV: vary_if(prog, varied, stm->bound.at[0], e->conv.arg); break;
    case FORM_OPAQUE: vary_if(prog, varied, stm->bound.at[0], e->opaque.arg); break;
    case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT: break;
    case FORM_LITERAL: varied_all(prog, varied, stm, any_varied(varied, e->literal.elems)); break;
    case FORM_REPLICATE: vary_if(prog, varied, stm->bound.at[0], e->replicate.arg); break;
    case FORM_COPY: vary_if(prog, varied, stm->bound.at[0], e->copy.arg); break;
    case FORM_INDEX: vary_if(prog, varied, stm->bound.at[0], e->index.array); break;
    case FORM_UPDATE:
      vary_if(prog, varied, stm->bound.at[0], e->update.array);
      vary_if(prog, varied, stm->bound.at[0], e->update.value);
      break;
    case FORM_FLATINDEX: vary_if(prog, varied, stm->bound.at[0], e->flatindex.array); break;
    case FORM_FLATUPDATE:
      vary_if(prog, varied, stm->bound.at[0], e->flatupdate.array);
      vary_if(prog, varied, stm->bound.at[0], e->flatupdate.value);
      break;
    case FORM_RESHAPE: vary_if(prog, varied, stm->bound.at[0], e->reshape.array); break;
    case FORM_REARRANGE: vary_if(prog, varied, stm->bound.at[0], e->rearrange.array); break;
    case FORM_CONCAT: varied_all(prog, varied, stm, any_varied(varied, e->concat.arrays)); break;
    case FORM_REVERSE: vary_if(prog, varied, stm->bound.at[0], e->reverse.array); break;
    case FORM_ROTATE: vary_if(prog, varied, stm->bound.at[0], e->rotate.array); break;
    case FORM_MATCH: varied_match(prog, varied, stm); break;
    case FORM_LOOP: varied_loop(prog, varied, stm); break;
    case FORM_MAP: varied_call(prog, varied, stm, e->map.fn, e->map.inputs); break;
    case FORM_REDUCE:
      varied_all(prog, varied, stm, any_varied(varied, e->reduce.inputs) ||
                                        free_varied(prog, varied, e->reduce.op));
      break;
    case FORM_SCAN:
      varied_all(prog, varied, stm, any_varied(varied, e->scan.inputs) ||
                                        free_varied(prog, varied, e->scan.op));
      break;
    case FORM_HIST:
      varied_all(prog, varied, stm,
                 any_varied(varied, e->hist.dests) || any_varied(varied, e->hist.inputs) ||
                     free_varied(prog, varied, e->hist.op));
      break;
    case FORM_SCATTER:
      varied_all(prog, varied, stm,
                 any_varied(varied, e->scatter.dests) || any_varied(varied, e->scatter.inputs));
      break;
    case FORM_WITHACC: varied_withacc(prog, varied, stm); break;
    case FORM_UPDATEACC:
      vary_if(prog, varied, stm->bound.at[0], e->updateacc.acc);
      vary_if(prog, varied, stm->bound.at[0], e->updateacc.value);
      break;
    case FORM_WITHVJP:
      varied_all(prog, varied, stm, any_varied(varied, withvjp_carrying(prog, &e->withvjp)) ||
                                        free_varied(prog, varied, e->withvjp.fn));
      break;
    case FORM_CONSTANT: case FORM_IOTA: case FORM_SCRATCH: case FORM_ASSERT:
    case FORM_TRACE: break;
    case FORM_APPLY: varied_apply(prog, varied, stm); break;
    case FORM_SCREMA: case FORM_JVP: case FORM_VJP: case FORM_DEPENDS: case FORM_JACOBIAN:
    case FORM_COUNT:
      ice("form %d under a differentiation operator", e->form);
  }
}

void varied_body(const Prog *prog, VarSet *varied, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) varied_stm(prog, varied, &body->stms.at[i]);
}

// ---- reach
void useful_atom(const VarSet *varied, VarSet *useful, Atom a) {
  if (varset_has_atom(varied, a)) varset_add_atom(useful, a);
}

static void reach_atoms(const VarSet *varied, VarSet *useful, Atoms atoms) {
  for (int i = 0; i < atoms.len; i++) useful_atom(varied, useful, atoms.at[i]);
}

static void reach_free(const Prog *prog, const VarSet *varied, VarSet *useful, const Lambda *fn) {
  Vars vars = lambda_free(prog, prog->arena, fn);
  for (int i = 0; i < vars.len; i++) useful_atom(varied, useful, atom_var(vars.at[i]));
}

static void reach_loop(const Prog *prog, const VarSet *varied, VarSet *useful, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  int first = e->is_for ? 1 : 0;
  for (int k = 0; k < stm->bound.len; k++)
    if (varset_has(useful, stm->bound.at[k])) varset_add(useful, e->fn->params.at[first + k]);
  for (bool changed = true; changed;) {
    changed = false;
    VarSet before = varset_new(prog->arena);
    for (int k = 0; k < e->inits.len; k++)
      if (varset_has(useful, e->fn->params.at[first + k])) {
        varset_add(&before, e->fn->params.at[first + k]);
        useful_atom(varied, useful, e->fn->body.results.at[k]);
      }
    useful_body(prog, varied, useful, &e->fn->body);
    for (int k = 0; k < e->inits.len; k++) {
      Var p = e->fn->params.at[first + k];
      changed = changed || (varset_has(useful, p) && !varset_has(&before, p));
    }
  }
  for (int k = 0; k < e->inits.len; k++)
    if (varset_has(useful, e->fn->params.at[first + k]))
      useful_atom(varied, useful, e->inits.at[k]);
}

// MAP and WITHACC: bound k is result k, parameter k is argument k.
static void reach_call(const Prog *prog, const VarSet *varied, VarSet *useful, const Stm *stm,
                       const Lambda *fn, Atoms args) {
  for (int k = 0; k < stm->bound.len; k++)
    if (varset_has(useful, stm->bound.at[k])) useful_atom(varied, useful, fn->body.results.at[k]);
  useful_body(prog, varied, useful, &fn->body);
  for (int k = 0; k < args.len; k++)
    if (varset_has(useful, fn->params.at[k])) useful_atom(varied, useful, args.at[k]);
}

static void reach_match(const Prog *prog, const VarSet *varied, VarSet *useful, const Stm *stm) {
  const struct match_form *e = &stm->exp.match;
  for (int i = 0; i < e->cases.len; i++) {
    for (int k = 0; k < stm->bound.len; k++)
      if (varset_has(useful, stm->bound.at[k]))
        useful_atom(varied, useful, e->cases.at[i].body.results.at[k]);
    useful_body(prog, varied, useful, &e->cases.at[i].body);
  }
}

static void reach_prim(const VarSet *varied, VarSet *useful, const struct prim_form *e) {
  for (int i = 0; i < e->args.len; i++)
    if (op_carries(e->op, e->prim, i))
      useful_atom(varied, useful, e->args.at[i]);
}

static void reach_apply(const Prog *prog, const VarSet *varied, VarSet *useful, const Stm *stm) {
  const struct apply_form *e = &stm->exp.apply;
  Mask results = mask_of(useful, atoms_of_vars(prog->arena, stm->bound));
  Mask args = calls_useful(varied->calls, e->fn, mask_of(varied, e->args), results);
  for (int k = 0; k < e->args.len; k++)
    if (args[k] == '1') useful_atom(varied, useful, e->args.at[k]);
}

void useful_stm(const Prog *prog, const VarSet *varied, VarSet *useful, const Stm *stm) {
  const Exp *e = &stm->exp;
  switch (e->form) {
    case FORM_ATOM: useful_atom(varied, useful, e->atom.arg); break;
    case FORM_PRIM: reach_prim(varied, useful, &e->prim); break;
    case FORM_CONV: useful_atom(varied, useful, e->conv.arg); break;
    case FORM_OPAQUE: useful_atom(varied, useful, e->opaque.arg); break;
    case FORM_STOPGRADIENT: case FORM_TUNED: case FORM_MEMORYLEFT: break;
    case FORM_LITERAL: reach_atoms(varied, useful, e->literal.elems); break;
    case FORM_REPLICATE: useful_atom(varied, useful, e->replicate.arg); break;
    case FORM_COPY: useful_atom(varied, useful, e->copy.arg); break;
    case FORM_INDEX: useful_atom(varied, useful, e->index.array); break;
    case FORM_UPDATE:
      useful_atom(varied, useful, e->update.array);
      useful_atom(varied, useful, e->update.value);
      break;
    case FORM_FLATINDEX: useful_atom(varied, useful, e->flatindex.array); break;
    case FORM_FLATUPDATE:
      useful_atom(varied, useful, e->flatupdate.array);
      useful_atom(varied, useful, e->flatupdate.value);
      break;
    case FORM_RESHAPE: useful_atom(varied, useful, e->reshape.array); break;
    case FORM_REARRANGE: useful_atom(varied, useful, e->rearrange.array); break;
    case FORM_CONCAT: reach_atoms(varied, useful, e->concat.arrays); break;
    case FORM_REVERSE: useful_atom(varied, useful, e->reverse.array); break;
    case FORM_ROTATE: useful_atom(varied, useful, e->rotate.array); break;
    case FORM_MATCH: reach_match(prog, varied, useful, stm); break;
    case FORM_LOOP: reach_loop(prog, varied, useful, stm); break;
    case FORM_MAP: reach_call(prog, varied, useful, stm, e->map.fn, e->map.inputs); break;
    case FORM_WITHACC:
      reach_call(prog, varied, useful, stm, e->withacc.fn, e->withacc.arrays);
      break;
    case FORM_REDUCE:
      reach_atoms(varied, useful, e->reduce.inputs);
      reach_free(prog, varied, useful, e->reduce.op);
      break;
    case FORM_SCAN:
      reach_atoms(varied, useful, e->scan.inputs);
      reach_free(prog, varied, useful, e->scan.op);
      break;
    case FORM_HIST:
      reach_atoms(varied, useful, e->hist.dests);
      reach_atoms(varied, useful, e->hist.inputs);
      reach_free(prog, varied, useful, e->hist.op);
      break;
    case FORM_SCATTER:
      reach_atoms(varied, useful, e->scatter.dests);
      reach_atoms(varied, useful, e->scatter.inputs);
      break;
    case FORM_UPDATEACC:
      useful_atom(varied, useful, e->updateacc.acc);
      useful_atom(varied, useful, e->updateacc.value);
      break;
    case FORM_WITHVJP:
      reach_atoms(varied, useful, withvjp_carrying(prog, &e->withvjp));
      reach_free(prog, varied, useful, e->withvjp.fn);
      break;
    case FORM_APPLY: reach_apply(prog, varied, useful, stm); break;
    case FORM_CONSTANT: case FORM_IOTA: case FORM_SCRATCH: case FORM_ASSERT: case FORM_TRACE:
    case FORM_SCREMA: case FORM_JVP: case FORM_VJP: case FORM_DEPENDS: case FORM_JACOBIAN:
    case FORM_COUNT: break;
  }
}

// ---- reach, remembered
typedef struct Asked {
  Mask results;
  int varied;  // members there were
  Vars free;   // reached
  struct Asked *next;
} Asked;
struct UsefulCache {
  FreeVars *free_vars;
  Arena *arena;
  Map *known;  // first variable bound -> Asked *
};

UsefulCache *useful_cache_new(FreeVars *free_vars, Arena *arena) {
  UsefulCache *r = NEW(arena, UsefulCache);
  *r = (UsefulCache){free_vars, arena, map_new(arena)};
  return r;
}

static Vars reach_inside(const Prog *prog, const VarSet *varied, const VarSet *outer,
                         const Stm *stm) {
  UsefulCache *r = outer->reached;
  VarSet useful = varset_new(r->arena);
  useful.reached = r;
  for (int k = 0; k < stm->bound.len; k++)
    if (varset_has(outer, stm->bound.at[k])) varset_add(&useful, stm->bound.at[k]);
  useful_stm(prog, varied, &useful, stm);
  Vars free = free_vars_of_exp(r->free_vars, &stm->exp), out = {0};
  for (int i = 0; i < free.len; i++)
    if (varset_has(&useful, free.at[i])) list_push(r->arena, &out, free.at[i]);
  return out;
}

static void reach_nested(const Prog *prog, const VarSet *varied, VarSet *useful, const Stm *stm) {
  UsefulCache *r = useful->reached;
  uint32_t key = stm->bound.at[0].id;
  Mask results = mask_of(useful, atoms_of_vars(r->arena, stm->bound));
  Asked *first = map_get(r->known, key), *asked = first;
  while (asked && (asked->varied != varied->len || strcmp(asked->results, results) != 0))
    asked = asked->next;
  if (!asked) {
    asked = NEW(r->arena, Asked);
    *asked = (Asked){results, varied->len, reach_inside(prog, varied, useful, stm), first};
    map_put(r->known, key, asked);
  }
  varset_add_all(useful, asked->free);
}

static bool is_reached(const VarSet *useful, const Stm *stm) {
  for (int k = 0; k < stm->bound.len; k++)
    if (varset_has(useful, stm->bound.at[k])) return true;
  return false;
}

void useful_body(const Prog *prog, const VarSet *varied, VarSet *useful, const Body *body) {
  for (int i = body->stms.len - 1; i >= 0; i--) {
    const Stm *stm = &body->stms.at[i];
    if (!is_reached(useful, stm)) continue;
    bool remember = useful->reached && form_has_bodies[stm->exp.form];
    (remember ? reach_nested : useful_stm)(prog, varied, useful, stm);
  }
}
