// Memory classes by union-find, one walk over the program.  Law: a result that may share memory
// with an operand is in its class; so is everything that passes through branches and loops.
#include "local.h"

static int find(AliasClasses *c, int v) {
  while (c->parent[v] != v) v = c->parent[v] = c->parent[c->parent[v]];
  return v;
}

static void join(AliasClasses *c, const Prog *prog, Var a, Atom b) {
  if (!b.is_var || !var_is_array(prog, a) || !var_is_array(prog, b.var)) return;
  int x = find(c, (int)a.id), y = find(c, (int)b.var.id);
  if (x == y) return;
  // The smaller id is the root, so the answer does not depend on the order of joins.
  int root = x < y ? x : y, child = x < y ? y : x;
  c->parent[child] = root;
  c->consumers[root] += c->consumers[child];
}

static void consume(AliasClasses *c, Atom a) {
  if (a.is_var) c->consumers[find(c, (int)a.var.id)]++;
}

static void join_all(AliasClasses *c, const Prog *prog, const Vars *vars, int from,
                     const Atoms *atoms) {
  for (int i = 0; i < atoms->len && from + i < vars->len; i++)
    join(c, prog, vars->at[from + i], atoms->at[i]);
}

static void join_bodies(AliasClasses *c, const Prog *prog, const Stm *stm, const Body *body) {
  join_all(c, prog, &stm->bound, 0, &body->results);
}

static void class_match(AliasClasses *c, const Prog *prog, const Stm *stm) {
  const struct match_form *e = &stm->exp.match;
  for (int i = 0; i < e->cases.len; i++) join_bodies(c, prog, stm, &e->cases.at[i].body);
}

static void class_loop(AliasClasses *c, const Prog *prog, const Stm *stm) {
  const struct loop_form *e = &stm->exp.loop;
  int first = e->is_for ? 1 : 0;
  join_all(c, prog, &e->fn->params, first, &e->inits);
  join_all(c, prog, &e->fn->params, first, &e->fn->body.results);
  join_bodies(c, prog, stm, &e->fn->body);
  for (int i = 0; i < e->inits.len; i++)
    if (var_info(prog, e->fn->params.at[first + i])->type.unique) consume(c, e->inits.at[i]);
}

static void class_apply(AliasClasses *c, const Prog *prog, const Stm *stm) {
  const struct apply_form *e = &stm->exp.apply;
  const Fn *fn = prog_fn(prog, e->fn);
  for (int i = 0; i < e->args.len; i++) {
    bool unique = !fn || var_info(prog, fn->params.at[i])->type.unique;
    if (unique) consume(c, e->args.at[i]);
    for (int k = 0; k < stm->bound.len; k++)
      if (!fn || !var_info(prog, fn->results.at[k])->type.unique)
        join(c, prog, stm->bound.at[k], e->args.at[i]);
  }
}

// An operator's two halves of parameters, its results, and what they are applied to.
static void class_operator(AliasClasses *c, const Prog *prog, const Lambda *op, const Atom *left,
                           const Atom *right) {
  int k = op->params.len / 2;
  for (int i = 0; i < k; i++) {
    join(c, prog, op->params.at[i], left[i]);
    join(c, prog, op->params.at[i], op->body.results.at[i]);
    join(c, prog, op->params.at[k + i], atom_var(op->params.at[i]));
    if (right) join(c, prog, op->params.at[k + i], right[i]);
  }
}

static void class_lambda_inputs(AliasClasses *c, const Prog *prog, const Lambda *fn, Atoms inputs) {
  join_all(c, prog, &fn->params, 0, &inputs);
}

static void class_map(AliasClasses *c, const Prog *prog, const Stm *stm) {
  const struct map_form *e = &stm->exp.map;
  class_lambda_inputs(c, prog, e->fn, e->inputs);
  for (int i = 0; i < stm->bound.len; i++)
    if (var_info(prog, stm->bound.at[i])->type.is_acc)
      join(c, prog, stm->bound.at[i], e->fn->body.results.at[i]);
}

static void class_screma(AliasClasses *c, const Prog *prog, const Stm *stm) {
  const struct screma_form *e = &stm->exp.screma;
  class_lambda_inputs(c, prog, e->fn, e->inputs);
  int at = 0, red = 0;
  const Atom *results = e->fn->body.results.at;
  for (int i = 0; i < e->scans.len; i++) {
    class_operator(c, prog, e->scans.at[i].op, e->scans.at[i].neutral.at, results + at);
    for (int k = 0; k < e->scans.at[i].neutral.len; k++)
      join(c, prog, e->post->params.at[at + k], e->scans.at[i].neutral.at[k]);
    at += e->scans.at[i].neutral.len;
  }
  int scans = at;
  for (int i = 0; i < e->reds.len; i++) {
    class_operator(c, prog, e->reds.at[i].op, e->reds.at[i].neutral.at, results + at);
    for (int k = 0; k < e->reds.at[i].neutral.len; k++)
      join(c, prog, stm->bound.at[red++], e->reds.at[i].neutral.at[k]);
    at += e->reds.at[i].neutral.len;
  }
  for (int i = at; i < e->fn->body.results.len; i++)
    join(c, prog, e->post->params.at[scans + i - at], results[i]);
  for (int i = 0; i < e->post->body.results.len; i++)
    if (var_info(prog, stm->bound.at[red + i])->type.is_acc)
      join(c, prog, stm->bound.at[red + i], e->post->body.results.at[i]);
}

static void class_dests(AliasClasses *c, const Prog *prog, const Stm *stm, Atoms dests) {
  join_all(c, prog, &stm->bound, 0, &dests);
  for (int i = 0; i < dests.len; i++) consume(c, dests.at[i]);
}

static void class_withacc(AliasClasses *c, const Prog *prog, const Stm *stm) {
  const struct withacc_form *e = &stm->exp.withacc;
  class_dests(c, prog, stm, e->arrays);
  join_all(c, prog, &e->fn->params, 0, &e->arrays);
  join_bodies(c, prog, stm, &e->fn->body);
}

// Differentiation: any result may share memory with any argument.
static void class_opaque_call(AliasClasses *c, const Prog *prog, const Stm *stm, const Lambda *fn,
                              Atoms args) {
  join_all(c, prog, &fn->params, 0, &args);
  join_bodies(c, prog, stm, &fn->body);
  int y = 0, x = 0;
  while (y < stm->bound.len && !var_is_array(prog, stm->bound.at[y])) y++;
  while (x < args.len && !(args.at[x].is_var && var_is_array(prog, args.at[x].var))) x++;
  if (y == stm->bound.len || x == args.len) return;
  for (int k = x; k < args.len; k++) join(c, prog, stm->bound.at[y], args.at[k]);
  for (int i = y + 1; i < stm->bound.len; i++) join(c, prog, stm->bound.at[i], args.at[x]);
}

static void class_exp(AliasClasses *c, const Prog *prog, const Stm *stm) {
  const Exp *x = &stm->exp;
  Var y = stm->bound.len ? stm->bound.at[0] : (Var){0};
  switch (x->form) {
  case FORM_ATOM: join(c, prog, y, x->atom.arg); break;
  case FORM_OPAQUE: join(c, prog, y, x->opaque.arg); break;
  case FORM_STOPGRADIENT: join(c, prog, y, x->stopgradient.arg); break;
  case FORM_TUNED: case FORM_MEMORYLEFT: break;
  case FORM_INDEX: join(c, prog, y, x->index.array); break;
  case FORM_FLATINDEX: join(c, prog, y, x->flatindex.array); break;
  case FORM_RESHAPE: join(c, prog, y, x->reshape.array); break;
  case FORM_REARRANGE: join(c, prog, y, x->rearrange.array); break;
  case FORM_REVERSE: join(c, prog, y, x->reverse.array); break;
  case FORM_UPDATE:
    join(c, prog, y, x->update.array);
    consume(c, x->update.array);
    break;
  case FORM_FLATUPDATE:
    join(c, prog, y, x->flatupdate.array);
    consume(c, x->flatupdate.array);
    break;
  case FORM_MATCH: class_match(c, prog, stm); break;
  case FORM_LOOP: class_loop(c, prog, stm); break;
  case FORM_APPLY: class_apply(c, prog, stm); break;
  case FORM_MAP: class_map(c, prog, stm); break;
  case FORM_REDUCE:
    class_operator(c, prog, x->reduce.op, x->reduce.neutral.at, x->reduce.inputs.at);
    join_all(c, prog, &stm->bound, 0, &x->reduce.neutral);
    break;
  case FORM_SCAN:
    class_operator(c, prog, x->scan.op, x->scan.neutral.at, x->scan.inputs.at);
    break;
  case FORM_SCREMA: class_screma(c, prog, stm); break;
  case FORM_HIST:
    class_dests(c, prog, stm, x->hist.dests);
    class_operator(c, prog, x->hist.op, x->hist.neutral.at, NULL);
    class_lambda_inputs(c, prog, x->hist.fn, x->hist.inputs);
    break;
  case FORM_SCATTER:
    class_dests(c, prog, stm, x->scatter.dests);
    class_lambda_inputs(c, prog, x->scatter.fn, x->scatter.inputs);
    break;
  case FORM_WITHACC: class_withacc(c, prog, stm); break;
  case FORM_UPDATEACC:
    join(c, prog, y, x->updateacc.acc);
    consume(c, x->updateacc.acc);
    break;
  case FORM_JVP: class_opaque_call(c, prog, stm, x->jvp.fn, x->jvp.args); break;
  case FORM_VJP: class_opaque_call(c, prog, stm, x->vjp.fn, x->vjp.args); break;
  case FORM_DEPENDS: class_opaque_call(c, prog, stm, x->depends.fn, x->depends.args); break;
  case FORM_JACOBIAN: class_opaque_call(c, prog, stm, x->jacobian.fn, x->jacobian.args); break;
  case FORM_WITHVJP:
    class_opaque_call(c, prog, stm, x->withvjp.fn, x->withvjp.args);
    class_opaque_call(c, prog, stm, x->withvjp.rev, x->withvjp.args);
    break;
  case FORM_PRIM: case FORM_CONV: case FORM_LITERAL: case FORM_CONSTANT: case FORM_IOTA:
  case FORM_REPLICATE: case FORM_COPY: case FORM_SCRATCH: case FORM_CONCAT: case FORM_ROTATE:
  case FORM_ASSERT: case FORM_TRACE: case FORM_COUNT: break;
  }
}

static void class_stms(AliasClasses *c, const Prog *prog, Arena *arena, const Stms *stms) {
  for (int i = 0; i < stms->len; i++) {
    class_exp(c, prog, &stms->at[i]);
    if (!exp_has_parts(&stms->at[i].exp)) continue;
    Parts parts = exp_parts(arena, &stms->at[i].exp);
    for (int k = 0; k < parts.len; k++) class_stms(c, prog, arena, &parts.at[k].body->stms);
  }
}

// A result promised unique is given away: the same as overwriting it.
static void class_fn(AliasClasses *c, const Prog *prog, Arena *arena, const Fn *fn) {
  class_stms(c, prog, arena, &fn->body.stms);
  for (int i = 0; i < fn->results.len; i++)
    if (var_info(prog, fn->results.at[i])->type.unique) consume(c, fn->body.results.at[i]);
}

AliasClasses alias_classes_compute(Arena *arena, const Prog *prog) {
  AliasClasses c = {.cap = prog->vars.len};
  c.parent = NEW_ARRAY(arena, int, c.cap);
  c.consumers = NEW_ARRAY(arena, int, c.cap);
  for (int i = 0; i < c.cap; i++) c.parent[i] = i;
  class_stms(&c, prog, arena, &prog->constants);
  for (int i = 0; i < prog->fns.len; i++) class_fn(&c, prog, arena, prog->fns.at[i]);
  return c;
}

int alias_class_of(AliasClasses *classes, Var v) {
  return (int)v.id < classes->cap ? find(classes, (int)v.id) : -1;
}

void alias_class_join(AliasClasses *classes, const Prog *prog, Var v, Var a) {
  if ((int)a.id >= classes->cap || !var_is_array(prog, a)) return;
  if ((int)v.id < classes->cap) join(classes, prog, v, atom_var(a));
  else consume(classes, atom_var(a));
}

bool alias_class_consumed(AliasClasses *classes, Var v) {
  return (int)v.id >= classes->cap || classes->consumers[find(classes, (int)v.id)] > 0;
}

bool alias_class_consumed_once(AliasClasses *classes, Var v) {
  return (int)v.id < classes->cap && classes->consumers[find(classes, (int)v.id)] == 1;
}
