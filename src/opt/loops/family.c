// The names that an array has which a loop carries, and the references to it under them.
//
//   p | y with [..] = v | match .. { y } | loop (y) { y }        for y a name
//
// An array that was overwritten is not read any more, so there is one array at any time.
#include "loops.h"

typedef struct {
  Loop *s;
  Family *f;
  int depth;     // of bodies around
  bool no_more;  // in the lambda of a combinator: reads only
} Walk;

static void walk_body(Walk *w, const Body *body);

bool family_has(const Family *f, Atom a) { return a.is_var && map_get(f->names, a.var.id); }

static void name(Walk *w, Var v) { map_put(w->f->names, v.id, w->f); }

static void bad(Walk *w, const Stm *stm) {
  if (!w->f->bad) w->f->bad = stm;
}

typedef struct {
  const Family *f;
  int n;
} Mentions;

static void mention(void *state, Atom a) {
  Mentions *m = state;
  m->n += family_has(m->f, a);
}

// How many operands of the form itself are names.
static int mentions(const Walk *w, const Exp *exp) {
  Mentions m = {w->f, 0};
  exp_each_atom(exp, mention, &m);
  return m.n;
}

static void refer(Walk *w, const Stm *stm) {
  Reference ref = {stm, w->depth > 0};
  list_push(w->s->e->scratch, &w->f->refs, ref);
}

static void walk_match(Walk *w, const Stm *stm) {
  const struct match_form *m = &stm->exp.match;
  w->depth++;
  for (int i = 0; i < m->cases.len; i++) walk_body(w, &m->cases.at[i].body);
  w->depth--;
  for (int k = 0; k < stm->bound.len; k++) {
    int named = 0;
    for (int i = 0; i < m->cases.len; i++)
      named += family_has(w->f, m->cases.at[i].body.results.at[k]);
    if (named && named < m->cases.len) bad(w, stm);
    if (named) name(w, stm->bound.at[k]);
  }
}

static void walk_loop(Walk *w, const Stm *stm) {
  const struct loop_form *l = &stm->exp.loop;
  int carried = 0;
  for (int k = 0; k < l->inits.len; k++) {
    if (!family_has(w->f, l->inits.at[k])) continue;
    carried++;
    name(w, l->fn->params.at[k + l->is_for]);
  }
  if (carried > 1 || w->no_more) bad(w, stm);
  w->depth++;
  walk_body(w, &l->fn->body);
  w->depth--;
  for (int k = 0; k < l->inits.len; k++) {
    bool out = family_has(w->f, l->fn->body.results.at[k]);
    if (out != family_has(w->f, l->inits.at[k])) bad(w, stm);
    if (out) name(w, stm->bound.at[k]);
  }
}

// Names are no inputs of combinators, whose lambdas may read them.
static void walk_inside(Walk *w, const Stm *stm) {
  if (mentions(w, &stm->exp)) bad(w, stm);
  Exp exp = stm->exp;
  Parts parts = exp_parts(w->s->e->scratch, &exp);
  bool before = w->no_more;
  w->no_more = true;
  w->depth++;
  for (int k = 0; k < parts.len; k++) {
    walk_body(w, parts.at[k].body);
    for (int r = 0; r < parts.at[k].body->results.len; r++)
      if (family_has(w->f, parts.at[k].body->results.at[r])) bad(w, stm);
  }
  w->depth--;
  w->no_more = before;
}

static void walk_update(Walk *w, const Stm *stm) {
  const struct update_form *u = &stm->exp.update;
  if (!family_has(w->f, u->array)) {
    if (mentions(w, &stm->exp)) bad(w, stm);
    return;
  }
  if (w->no_more || mentions(w, &stm->exp) != 1) bad(w, stm);
  refer(w, stm);
  name(w, stm->bound.at[0]);
}

static void walk_stm(Walk *w, const Stm *stm) {
  switch ((int)stm->exp.form) {
  case FORM_MATCH: walk_match(w, stm); return;
  case FORM_LOOP: walk_loop(w, stm); return;
  case FORM_UPDATE: walk_update(w, stm); return;
  case FORM_INDEX:
    if (family_has(w->f, stm->exp.index.array)) refer(w, stm);
    return;
  }
  walk_inside(w, stm);
}

static void walk_body(Walk *w, const Body *body) {
  for (int i = 0; i < body->stms.len && !w->f->bad; i++) walk_stm(w, &body->stms.at[i]);
}

Family *family_of(Loop *s, Var p) {
  Family *f = NEW(s->e->scratch, Family);
  *f = (Family){.p = p, .names = map_new(s->e->scratch)};
  Walk w = {.s = s, .f = f};
  name(&w, p);
  walk_body(&w, &s->l->fn->body);
  return f;
}
