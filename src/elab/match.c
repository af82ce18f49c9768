// `match`: constructors and literals known at compile time choose statically; the rest become
// tests, case by case, each a choice between its body and the remaining cases.
#include "local.h"

typedef enum { NEVER, ALWAYS, MAYBE } Verdict;

// The remaining tests: a conjunction of scalar tests.
typedef struct {
  Verdict verdict;
  Atom cond;
} Test;

static Test and_(Elab *e, Test t, Atom cond) {
  if (t.verdict == NEVER || atom_is(cond, 1)) return t;
  if (!cond.is_var) return (Test){.verdict = NEVER};
  if (t.verdict == ALWAYS) return (Test){MAYBE, cond};
  return (Test){MAYBE, build_op(&e->b, OP_AND, t.cond, cond)};
}


static Test test(Elab *e, Test t, const Pat *pat, Val *v, const Env *env);

static Test test_con(Elab *e, Test t, const Pat *pat, Val *v, const Env *env) {
  const Sem *sum = val_sem(e, v);
  check(sum->tag == SEM_SUM);
  int index = 0;
  while (index < sum->len && sum->cons[index].name != pat->constr.name) index++;
  if (v->tag == VAL_CON && v->con.index != index) return (Test){.verdict = NEVER};
  if (v->tag == VAL_SUM && sum->len > 1)
    t = and_(e, t, build_op(&e->b, OP_EQ, v->sum.leaves.at[0],
                            atom_scalar(scalar_int(PRIM_I8, index))));
  if (t.verdict == NEVER || pat->constr.args.len == 0) return t;
  Val **args = con_payload(e, v, pat->constr.name);
  for (int i = 0; i < pat->constr.args.len; i++)
    t = test(e, t, pat->constr.args.at[i], args[i], env);
  return t;
}

static Test test(Elab *e, Test t, const Pat *pat, Val *v, const Env *env) {
  if (t.verdict == NEVER) return t;
  switch (pat->tag) {
  case PAT_NAME:
  case PAT_WILD: return t;
  case PAT_TUPLE:
    for (int i = 0; i < pat->tuple.elems.len && v->tag == VAL_RECORD; i++)
      t = test(e, t, pat->tuple.elems.at[i], v->record.at[i], env);
    return t;
  case PAT_RECORD:
    for (int i = 0; i < pat->record.fields.len && v->tag == VAL_RECORD; i++)
      t = test(e, t, pat->record.fields.at[i].pat, val_field(v, pat->record.fields.at[i].name),
               env);
    return t;
  case PAT_LIT:
    return and_(e, t, build_op(&e->b, OP_EQ, val_scalar(v), eval_scalar(e, pat->lit.exp, env)));
  case PAT_CONSTR: return test_con(e, t, pat, v, env);
  case PAT_ASCRIBE: return test(e, t, pat->ascribe.pat, v, env);
  case PAT_ATTR: return test(e, t, pat->attr.pat, v, env);
  }
  return t;
}

static Val *case_body(Elab *e, const MatchCase *c, Val *v, const Env *env, const Sem *want) {
  const Env *inner = pat_bind(e, env, c->pat, v, NULL);
  e->want = want;
  return eval(e, c->body, inner);
}

static Val *cases_from(Elab *e, const Expr *exp, int i, Val *v, const Env *env,
                       const Sem *want) {
  const MatchCase *c = &exp->match.cases.at[i];
  bool last = i + 1 == exp->match.cases.len;
  at(e, c->span);
  Test t = last ? (Test){.verdict = ALWAYS}
                : test(e, (Test){.verdict = ALWAYS}, c->pat, v, env);
  if (t.verdict == ALWAYS) return case_body(e, c, v, env, want);
  if (t.verdict == NEVER) return cases_from(e, exp, i + 1, v, env, want);
  const Loc *loc = e->b.loc;
  Branch yes = {0}, no = {0};
  scope_open(e, &yes.scope);
  yes.val = case_body(e, c, v, env, want);
  scope_close(e, &yes.scope);
  scope_open(e, &no.scope);
  no.val = cases_from(e, exp, i + 1, v, env, want);
  scope_close(e, &no.scope);
  e->b.loc = loc;
  return emit_if(e, t.cond, &yes, &no);
}

// On the tag of a sum alone, with one case per constructor: a flat choice.
static bool is_flat(const Expr *exp, const Val *v) {
  if (v->tag != VAL_SUM || v->sum.sem->len < 3) return false;
  for (int i = 0; i < exp->match.cases.len; i++) {
    const Pat *p = exp->match.cases.at[i].pat;
    while (p->tag == PAT_ASCRIBE || p->tag == PAT_ATTR)
      p = p->tag == PAT_ASCRIBE ? p->ascribe.pat : p->attr.pat;
    bool last = i + 1 == exp->match.cases.len;
    if (last && (p->tag == PAT_WILD || p->tag == PAT_NAME)) continue;
    if (p->tag != PAT_CONSTR) return false;
    for (int k = 0; k < p->constr.args.len; k++)
      if (p->constr.args.at[k]->tag != PAT_NAME && p->constr.args.at[k]->tag != PAT_WILD)
        return false;
  }
  return true;
}

static int con_of(const Sem *sum, const Pat *p) {
  while (p->tag == PAT_ASCRIBE || p->tag == PAT_ATTR)
    p = p->tag == PAT_ASCRIBE ? p->ascribe.pat : p->attr.pat;
  if (p->tag != PAT_CONSTR) return -1;
  for (int i = 0; i < sum->len; i++)
    if (sum->cons[i].name == p->constr.name) return i;
  return -1;
}

static Val *match_flat(Elab *e, const Expr *exp, Val *v, const Env *env, const Sem *want) {
  Branches branches = {0};
  Cases cases = {0};
  const Loc *loc = e->b.loc;
  for (int i = 0; i < exp->match.cases.len; i++) {
    const MatchCase *c = &exp->match.cases.at[i];
    Branch b = {0};
    scope_open(e, &b.scope);
    b.val = case_body(e, c, v, env, want);
    scope_close(e, &b.scope);
    list_push(e->arena, &branches, b);
    Case out = {0};
    int index = con_of(v->sum.sem, c->pat);
    if (i + 1 < exp->match.cases.len)
      list_push(e->arena, &out.pats, (CasePat){.any = index < 0,
                                               .lit = scalar_int(PRIM_I8, index)});
    list_push(e->arena, &cases, out);
  }
  e->b.loc = loc;
  return join(e, &branches, atom_list1(e, v->sum.leaves.at[0]), cases);
}

Val *match_eval(Elab *e, const Expr *exp, const Env *env) {
  const Sem *want = e->want;
  e->want = NULL;
  Val *v = eval(e, exp->match.src, env);
  at(e, exp->span);
  if (is_flat(exp, v)) return match_flat(e, exp, v, env, want);
  return cases_from(e, exp, 0, v, env, want);
}
