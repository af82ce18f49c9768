// Statements whose results only one branch of one later match uses move into that branch, so that
// they run only when it is taken.
#include "local.h"

typedef struct {
  int stm, branch;  // branch -1: used elsewhere or more than once
} Place;
typedef struct {
  Prog *prog;
  Arena *scratch;
  Classes classes;
  Map *places;  // variable -> Place: where the current body uses it
  int depth;
} Sink;
enum { DEEP = 60 };  // levels of bodies that are looked into

static void use_at(Sink *s, Var v, Place place) {
  Place *old = map_get(s->places, v.id);
  if (!old) {
    old = NEW(s->scratch, Place);
    *old = place;
    map_put(s->places, v.id, old);
  } else if (old->stm != place.stm || old->branch != place.branch) {
    old->branch = -1;
  }
}

static void use_vars(Sink *s, Vars vars, Place place) {
  for (int i = 0; i < vars.len; i++) use_at(s, vars.at[i], place);
}

// Memory that is overwritten anywhere must be read where the read stands.
static bool may_sink(Sink *s, const Stm *stm, const Vars *free) {
  if (stm->bound.len == 0 || stm->attrs.opaque || exp_has_effect(&stm->exp)) return false;
  for (int i = 0; i < stm->bound.len; i++)
    if (var_is_array(s->prog, stm->bound.at[i]) &&
        class_consumed(&s->classes, stm->bound.at[i]))
      return false;
  for (int i = 0; i < free->len; i++)
    if (var_is_array(s->prog, free->at[i]) && class_consumed(&s->classes, free->at[i]))
      return false;
  return true;
}

// The one branch all results are used in.
static bool one_branch(Sink *s, const Stm *stm, Place *out) {
  bool any = false;
  for (int i = 0; i < stm->bound.len; i++) {
    const Place *p = map_get(s->places, stm->bound.at[i].id);
    if (!p) continue;
    if (p->branch < 0 || (any && (p->stm != out->stm || p->branch != out->branch))) return false;
    *out = *p;
    any = true;
  }
  return any;
}

static void uses_of_stm(Sink *s, const Stm *stm, int at, Place inside) {
  if (stm->exp.form == FORM_MATCH && inside.branch < 0) {
    const struct match_form *m = &stm->exp.match;
    for (int i = 0; i < m->cases.len; i++)
      use_vars(s, body_free(s->prog, s->scratch, &m->cases.at[i].body), (Place){at, i});
    for (int i = 0; i < m->args.len; i++)
      if (m->args.at[i].is_var) use_at(s, m->args.at[i].var, (Place){at, -1});
  } else {
    use_vars(s, exp_free(s->prog, s->scratch, &stm->exp), inside);
  }
  for (int i = 0; i < stm->bound.len; i++) {
    const Type *t = &var_info(s->prog, stm->bound.at[i])->type;
    for (int d = 0; d < t->rank; d++)
      if (t->dims[d].is_var) use_at(s, t->dims[d].var, inside);
  }
}

static void prepend(Sink *s, Body *body, const Stm *stm) {
  Stms out = {0};
  list_push(s->prog->arena, &out, *stm);
  for (int i = 0; i < body->stms.len; i++)
    list_push(s->prog->arena, &out, body->stms.at[i]);
  body->stms = out;
}

// Results and the sizes of parameters are used by the body itself.
static void sink_body(Sink *s, Body *body) {
  if (s->depth == DEEP) return;
  s->depth++;
  Map *saved = s->places;
  s->places = map_new(s->scratch);
  Place nowhere = {-1, -1};
  bool *moved = NEW_ARRAY(s->scratch, bool, body->stms.len + 1);
  for (int i = 0; i < body->results.len; i++)
    if (body->results.at[i].is_var) use_at(s, body->results.at[i].var, nowhere);
  for (int i = body->stms.len - 1; i >= 0; i--) {
    Stm *stm = &body->stms.at[i];
    Vars free = exp_free(s->prog, s->scratch, &stm->exp);
    Place to = nowhere;
    if (one_branch(s, stm, &to) && may_sink(s, stm, &free)) {
      prepend(s, &body->stms.at[to.stm].exp.match.cases.at[to.branch].body, stm);
      moved[i] = true;
    } else {
      to = nowhere;
    }
    uses_of_stm(s, stm, i, to);
  }
  int len = 0;
  for (int i = 0; i < body->stms.len; i++)
    if (!moved[i]) body->stms.at[len++] = body->stms.at[i];
  body->stms.len = len;
  for (int i = 0; i < body->stms.len; i++) {
    if (!exp_has_parts(&body->stms.at[i].exp)) continue;
    Parts parts = exp_parts(s->scratch, &body->stms.at[i].exp);
    for (int k = 0; k < parts.len; k++) sink_body(s, parts.at[k].body);
  }
  s->places = saved;
  s->depth--;
}

// needs: any program.  leaves: no pure statement used in one branch only but outside it.
// cost: linear times the depth of nesting, which is looked into up to 60 levels.
Prog *pass_sink(const Prog *prog, Arena *arena) {
  Prog *out = prog_clone(prog, arena);
  Arena *scratch = arena_new();
  Sink s = {.prog = out, .scratch = scratch, .classes = classes_compute(scratch, out)};
  for (int i = 0; i < out->fns.len; i++) {
    Fn *fn = out->fns.at[i];
    s.places = map_new(scratch);
    sink_body(&s, &fn->body);
  }
  arena_free(scratch);
  return out;
}
