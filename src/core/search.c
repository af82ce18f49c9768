// Looking for a form.
#include "core.h"

typedef struct {
  bool (*is)(const Exp *exp);
  bool found;
} Search;

static void search_body(void *state, const Body *body, const Vars *params) {
  (void)params;
  Search *s = state;
  for (int i = 0; i < body->stms.len && !s->found; i++) {
    s->found = s->is(&body->stms.at[i].exp);
    if (!s->found) exp_each_body(&body->stms.at[i].exp, search_body, s);
  }
}

bool body_has(const Body *body, bool (*is)(const Exp *exp)) {
  Search s = {is, false};
  search_body(&s, body, NULL);
  return s.found;
}

bool exp_has(const Exp *exp, bool (*is)(const Exp *exp)) {
  Search s = {is, false};
  exp_each_body(exp, search_body, &s);
  return s.found;
}

bool prog_has(const Prog *prog, bool (*is)(const Exp *exp)) {
  Body constants = {.stms = prog->constants};
  bool found = body_has(&constants, is);
  for (int i = 0; i < prog->fns.len && !found; i++) found = body_has(&prog->fns.at[i]->body, is);
  return found;
}
