// Verification of core: every variable bound once, used in scope, sizes in scope, operands and
// results of the right types, and consumption (consume.c).  Constants are in scope after them,
// also in functions that they call.  Sizes are compared only where both are constants: two
// variables may well hold the same number.
#include "verify.h"
#include <string.h>

bool require(Verifier *v, bool ok, const char *what) {
  if (ok || v->fault) return !v->fault;
  if (v->stm && v->stm->bound.len) {
    Var at = v->stm->bound.at[0];
    v->fault = arena_printf(v->arena, "%s, at %s_%u", what, var_info(&v->prog, at)->base, at.id);
  } else {
    v->fault = what;
  }
  return false;
}

bool agree(Verifier *v, Type a, Type b, const char *what) {
  if (!require(v, type_same_shape_rank(a, b), what)) return false;
  for (int i = 0; i < a.rank; i++)
    if (!a.dims[i].is_var && !b.dims[i].is_var &&
        !require(v, atom_same(a.dims[i], b.dims[i]), what))
      return false;
  return true;
}

bool scalar_at(Verifier *v, Atom a, Prim p, const char *what) {
  Type t = atom_type(&v->prog, a);
  return require(v, type_is_scalar(t) && t.prim == p, what);
}

bool sizes_at(Verifier *v, Atoms atoms, const char *what) {
  for (int i = 0; i < atoms.len; i++)
    if (!scalar_at(v, atoms.at[i], PRIM_I64, what)) return false;
  return true;
}

bool array_at(Verifier *v, Atom a, const char *what) {
  Type t = atom_type(&v->prog, a);
  return require(v, t.rank > 0 && !t.is_acc, what);
}

bool copyable_at(Verifier *v, Atom a, const char *what) {
  return require(v, !atom_type(&v->prog, a).is_acc, what);
}

bool lambda_at(Verifier *v, const Lambda *fn, Types params, const Types *rets, const char *what) {
  if (!require(v, fn != NULL, what) || !require(v, fn->params.len == params.len, what))
    return false;
  for (int i = 0; i < params.len; i++)
    if (!agree(v, params.at[i], var_type(&v->prog, fn->params.at[i]), what)) return false;
  if (rets && !require(v, fn->rets.len == rets->len, what)) return false;
  for (int i = 0; rets && i < rets->len; i++)
    if (!agree(v, rets->at[i], fn->rets.at[i], what)) return false;
  return true;
}

Types types_cat(Verifier *v, Types a, Types b) {
  Types all = {0};
  for (int i = 0; i < a.len; i++) list_push(v->arena, &all, a.at[i]);
  for (int i = 0; i < b.len; i++) list_push(v->arena, &all, b.at[i]);
  return all;
}

// ---- scopes
static bool in_scope(Verifier *v, Var var) {
  return require(v, var.id > 0 && var.id < (uint32_t)v->prog.vars.len && v->open[var.id],
              "use of a variable not in scope");
}

static void atom_scope(void *state, Atom a) {
  if (a.is_var) in_scope(state, a.var);
}

static bool type_scope(Verifier *v, Type t) {
  if (t.is_acc && !in_scope(v, t.token)) return false;
  for (int i = 0; i < t.rank; i++) {
    if (t.dims[i].is_var && !in_scope(v, t.dims[i].var)) return false;
    if (!scalar_at(v, t.dims[i], PRIM_I64, "a size that is not an i64")) return false;
    if (!require(v, t.dims[i].is_var || t.dims[i].value.i >= 0, "a negative size")) return false;
  }
  return true;
}

static bool types_scope(Verifier *v, Types types) {
  for (int i = 0; i < types.len; i++)
    if (!type_scope(v, types.at[i])) return false;
  return true;
}

// Types in a list of binders may mention any of them.
static bool bind(Verifier *v, Vars vars) {
  for (int i = 0; i < vars.len; i++) {
    uint32_t id = vars.at[i].id;
    if (!require(v, id > 0 && id < (uint32_t)v->prog.vars.len, "a binding of no variable") ||
        !require(v, !v->bound[id], "variable bound twice"))
      return false;
    v->bound[id] = v->open[id] = true;
    list_push(v->arena, &v->scope, vars.at[i]);
  }
  for (int i = 0; i < vars.len; i++)
    if (!type_scope(v, var_type(&v->prog, vars.at[i]))) return false;
  return true;
}

static void close(Verifier *v, int from) {
  for (int i = from; i < v->scope.len; i++) v->open[v->scope.at[i].id] = false;
  v->scope.len = from;
}

// ---- statements and bodies
static bool verify_stm(Verifier *v, const Stm *stm);

static bool verify_stms(Verifier *v, Stms stms) {
  for (int i = 0; i < stms.len; i++)
    if (!verify_stm(v, &stms.at[i])) return false;
  return true;
}

static bool results_scope(Verifier *v, Atoms results) {
  for (int i = 0; i < results.len; i++) atom_scope(v, results.at[i]);
  return !v->fault;
}

static bool results_agree(Verifier *v, Atoms results, Types types, const char *what) {
  if (!require(v, results.len == types.len, what)) return false;
  for (int i = 0; i < types.len; i++)
    if (!agree(v, atom_type(&v->prog, results.at[i]), types.at[i], what)) return false;
  return true;
}

// Sizes of what a lambda gives are in scope outside of it; a loop's may be its parameters.
static bool verify_lambda(Verifier *v, const Lambda *fn, bool own_sizes) {
  if (!fn) return true;
  int from = v->scope.len;
  if (!bind(v, fn->params) || !verify_stms(v, fn->body.stms)) return false;
  if (!results_scope(v, fn->body.results)) return false;
  if (own_sizes && !types_scope(v, fn->rets)) return false;
  if (!results_agree(v, fn->body.results, fn->rets, "a function's results disagree with its types"))
    return false;
  close(v, from);
  return own_sizes || types_scope(v, fn->rets);
}

static bool verify_case(Verifier *v, const Case *c, Vars bound) {
  int from = v->scope.len;
  if (!verify_stms(v, c->body.stms) || !results_scope(v, c->body.results)) return false;
  if (!results_agree(v, c->body.results, types_of_vars(&v->prog, bound),
                     "a branch's results disagree with the bound types"))
    return false;
  close(v, from);
  return true;
}

static bool verify_bodies(Verifier *v, const Exp *exp, Vars bound) {
  bool own = exp->form == FORM_LOOP || exp->form == FORM_JVP || exp->form == FORM_VJP ||
             exp->form == FORM_WITHVJP || exp->form == FORM_DEPENDS ||
             exp->form == FORM_JACOBIAN || exp->form == FORM_WITHACC;
  for (const Field *f = form_info[exp->form].fields; f->kind != FIELD_END; f++) {
    if (f->kind == FIELD_LAMBDA) {
      if (!verify_lambda(v, FIELD_CONST(exp, f, Lambda *), own)) return false;
    } else if (f->kind == FIELD_OPERATORS) {
      Operators ops = FIELD_CONST(exp, f, Operators);
      for (int i = 0; i < ops.len; i++)
        if (!verify_lambda(v, ops.at[i].op, false)) return false;
    } else if (f->kind == FIELD_CASES) {
      Cases cases = FIELD_CONST(exp, f, Cases);
      for (int i = 0; i < cases.len; i++)
        if (!verify_case(v, &cases.at[i], bound)) return false;
    }
  }
  return true;
}

static bool verify_bound(Verifier *v, const Exp *exp, Vars bound) {
  Types types = exp_types(&v->prog, exp);
  if (!require(v, types.len == bound.len, "the wrong number of results is bound")) return false;
  for (int i = 0; i < bound.len; i++)
    if (!agree(v, types.at[i], var_type(&v->prog, bound.at[i]),
               "the bound type disagrees with the expression"))
      return false;
  return true;
}

static bool verify_fn(Verifier *v, const Fn *fn);

static void locals_open(Verifier *v, bool open) {
  for (int i = v->constants; i < v->scope.len; i++) v->open[v->scope.at[i].id] = open;
}

// A function that a constant calls mentions only constants before it, so functions are checked
// where they are called first.
static bool verify_callee(Verifier *v, const struct apply_form *e) {
  const Fn *fn = prog_fn(&v->prog, e->fn);
  if (!fn || map_get(v->fns, KEY(fn))) return true;
  locals_open(v, false);
  bool good = verify_fn(v, fn);
  locals_open(v, true);
  return good;
}

static bool verify_stm(Verifier *v, const Stm *stm) {
  const Stm *outer = v->stm;
  v->stm = stm;
  if (stm->exp.form == FORM_APPLY && !verify_callee(v, &stm->exp.apply)) return false;
  exp_each_atom(&stm->exp, atom_scope, v);
  bool good = !v->fault && verify_bodies(v, &stm->exp, stm->bound) &&
              verify_form(v, &stm->exp, stm->bound) && verify_bound(v, &stm->exp, stm->bound) &&
              bind(v, stm->bound);
  if (good) v->stm = outer;
  return good;
}

static bool verify_fn(Verifier *v, const Fn *fn) {
  int from = v->scope.len;
  if (map_get(v->fns, KEY(fn))) return true;
  map_put(v->fns, KEY(fn), v);
  if (!bind(v, fn->params) || !verify_stms(v, fn->body.stms)) return false;
  if (!results_scope(v, fn->body.results)) return false;
  if (!results_agree(v, fn->body.results, types_of_vars(&v->prog, fn->results),
                     "a function's results disagree with its types"))
    return false;
  // Names of results represent them in the types of the others, after the body.
  if (!bind(v, fn->results)) return false;
  close(v, from);
  return true;
}

static bool verify_names(Verifier *v) {
  Names *names = names_new(v->arena);
  Map *seen = map_new(v->arena);
  for (int i = 0; i < v->prog.fns.len; i++) {
    Name name = name_of(names, v->prog.fns.at[i]->name);
    if (!require(v, !map_get(seen, KEY(name)), "two functions of the same name")) return false;
    map_put(seen, KEY(name), v);
  }
  return true;
}

const char *core_fault(const Prog *prog, Arena *arena) {
  Verifier v = {.prog = *prog, .arena = arena};
  v.prog.arena = arena;
  v.bound = NEW_ARRAY(arena, bool, prog->vars.len);
  v.open = NEW_ARRAY(arena, bool, prog->vars.len);
  v.fns = map_new(arena);
  bool good = verify_names(&v);
  for (int i = 0; good && i < prog->constants.len; i++) {
    v.constants = v.scope.len;
    good = verify_stm(&v, &prog->constants.at[i]);
  }
  v.constants = v.scope.len;
  for (int i = 0; good && i < prog->fns.len; i++) good = verify_fn(&v, prog->fns.at[i]);
  return good ? consume_fault(prog, arena) : v.fault;
}

void core_verify(const Prog *prog, const char *pass) {
  Arena *arena = arena_new();
  const char *fault = core_fault(prog, arena);
  if (fault) {
    Text text = {0};
    core_print(&text, prog);
    fwrite(text.at, 1, text.len, stderr);
    text_free(&text);
    ice("after pass '%s': %s", pass, fault);
  }
  arena_free(arena);
}
