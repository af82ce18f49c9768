// Statements whose results only one branch of one later match uses move into that branch, so that
// they run only when it is taken.  One walk from the last statement to the first: whoever uses a
// variable has found its own place before, and the place of all uses is where their bodies meet.
#include "opt/common/local.h"

typedef struct {
  int place, index;
} Home;
// A body; numbers are indices into the list of places, and place 0 is outside of all functions.
typedef struct {
  int parent, depth;
  bool branch;      // of a match: may take statements from outside
  Stms stms;        // as they stood
  int *first;       // by statement: the place of its first body
  bool *moved;      // by statement
  LIST(Home) sunk;  // what moves in, last first
} Place;
typedef struct {
  Prog *prog;
  Arena *scratch;
  AliasClasses classes;
  LIST(Place) places;
  int *where;  // by variable: the innermost place around all its uses; 0: none yet
  bool changed;
} Sink;
typedef struct {
  Sink *sink;
  int place;
} User;

static int meet(const Sink *s, int a, int b) {
  while (a != b) {
    if (s->places.at[a].depth >= s->places.at[b].depth) a = s->places.at[a].parent;
    else b = s->places.at[b].parent;
  }
  return a;
}

static void use_atom(void *state, Atom a) {
  User *user = state;
  if (!a.is_var) return;
  int *where = &user->sink->where[a.var.id];
  *where = *where ? meet(user->sink, *where, user->place) : user->place;
}

static void use_types(User *user, Vars bound) {
  for (int i = 0; i < bound.len; i++) {
    Type t = var_type(user->sink->prog, bound.at[i]);
    for (int d = 0; d < t.rank; d++) use_atom(user, t.dims[d]);
    if (t.is_acc) use_atom(user, atom_var(t.token));
  }
}

// Memory that is overwritten anywhere must be read where the read stands.
static bool may_sink(Sink *s, const Stm *stm) {
  if (stm->bound.len == 0 || stm->attrs.opaque || exp_has_effect(&stm->exp)) return false;
  for (int i = 0; i < stm->bound.len; i++)
    if (var_is_array(s->prog, stm->bound.at[i]) &&
        alias_class_consumed(&s->classes, stm->bound.at[i]))
      return false;
  Vars free = exp_free(s->prog, s->scratch, &stm->exp);
  for (int i = 0; i < free.len; i++)
    if (var_is_array(s->prog, free.at[i]) && alias_class_consumed(&s->classes, free.at[i]))
      return false;
  return true;
}

// The innermost place around all uses that is reached through branches only.
static int target(const Sink *s, const Stm *stm, int from) {
  int to = 0;
  for (int i = 0; i < stm->bound.len; i++) {
    int where = s->where[stm->bound.at[i].id];
    if (where) to = to ? meet(s, to, where) : where;
  }
  if (!to) return from;
  for (int p = to; p != from; p = s->places.at[p].parent)
    if (!s->places.at[p].branch) to = s->places.at[p].parent;
  return to;
}

static int place_new(Sink *s, int parent, bool branch) {
  Place place = {.parent = parent, .branch = branch};
  if (parent >= 0) place.depth = s->places.at[parent].depth + 1;
  list_push(s->scratch, &s->places, place);
  return s->places.len - 1;
}

static void place_body(Sink *s, const Body *body, int place);

static void place_stm(Sink *s, Stm *stm, Home home) {
  int to = target(s, stm, home.place);
  if (to != home.place && !may_sink(s, stm)) to = home.place;
  if (to != home.place) {
    s->places.at[home.place].moved[home.index] = s->changed = true;
    list_push(s->scratch, &s->places.at[to].sunk, home);
  }
  User user = {s, to};
  exp_each_atom(&stm->exp, use_atom, &user);
  use_types(&user, stm->bound);
  if (!exp_has_parts(&stm->exp)) return;
  Parts parts = exp_parts(s->scratch, &stm->exp);
  int first = s->places.len;
  s->places.at[home.place].first[home.index] = first;
  for (int k = 0; k < parts.len; k++) place_new(s, to, stm->exp.form == FORM_MATCH);
  for (int k = 0; k < parts.len; k++) {
    user.place = first + k;
    if (parts.at[k].fn) use_types(&user, parts.at[k].fn->params);
    place_body(s, parts.at[k].body, first + k);
  }
}

static void place_body(Sink *s, const Body *body, int place) {
  Place *p = &s->places.at[place];
  p->stms = body->stms;
  p->first = NEW_ARRAY(s->scratch, int, body->stms.len + 1);
  p->moved = NEW_ARRAY(s->scratch, bool, body->stms.len + 1);
  User user = {s, place};
  for (int i = 0; i < body->results.len; i++) use_atom(&user, body->results.at[i]);
  for (int i = body->stms.len - 1; i >= 0; i--)
    place_stm(s, &body->stms.at[i], (Home){place, i});
}

static void body_build(Sink *s, Body *body, int place);

static void stm_build(Sink *s, Stms *out, Home home) {
  const Place *from = &s->places.at[home.place];
  Stm stm = from->stms.at[home.index];
  if (exp_has_parts(&stm.exp)) {
    Parts parts = exp_parts(s->scratch, &stm.exp);
    for (int k = 0; k < parts.len; k++)
      body_build(s, parts.at[k].body, from->first[home.index] + k);
  }
  list_push(s->prog->arena, out, stm);
}

static void body_build(Sink *s, Body *body, int place) {
  const Place *p = &s->places.at[place];
  Stms out = {0};
  for (int i = p->sunk.len - 1; i >= 0; i--) stm_build(s, &out, p->sunk.at[i]);
  for (int i = 0; i < p->stms.len; i++)
    if (!p->moved[i]) stm_build(s, &out, (Home){place, i});
  body->stms = out;
}

// needs: any program.  leaves: no pure statement used in one branch only but outside it.
// cost: linear, times the depth of nesting for variables used in many places.
Prog *pass_sink(Prog *prog, Arena *arena) {
  Prog *out = prog_own(prog, arena);
  Arena *scratch = arena_beside(out->arena);
  Sink s = {.prog = out, .scratch = scratch, .classes = alias_classes_compute(scratch, out)};
  s.where = NEW_ARRAY(scratch, int, out->vars.len);
  place_new(&s, -1, false);
  out->at_fixpoint = prog->at_fixpoint;
  for (int i = 0; i < out->fns.len; i++) {
    Fn *fn = out->fns.at[i];
    s.changed = false;
    int place = place_new(&s, 0, false);
    place_body(&s, &fn->body, place);
    if (s.changed) body_build(&s, &fn->body, place);
    if (s.changed) out->at_fixpoint = false;
  }
  arena_free(scratch);
  return out;
}
