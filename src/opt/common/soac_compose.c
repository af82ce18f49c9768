// SOACs as one shape, and putting two of them into one.  Lambdas are moved, not copied; parameters
// that become known are bound by `atom` statements, which the simplifier removes.
#include "local.h"

bool stm_is_group(const Stm *stm) {
  switch ((int)stm->exp.form) {
  case FORM_MAP: case FORM_REDUCE: case FORM_SCAN: case FORM_SCREMA: case FORM_HIST:
  case FORM_SCATTER: return true;
  }
  return false;
}

static Types row_types(Prog *prog, Atoms inputs) {
  Types out = {0};
  for (int i = 0; i < inputs.len; i++)
    list_push(prog->arena, &out, type_row(atom_type(prog, inputs.at[i])));
  return out;
}

static Operators one_operator(Prog *prog, Lambda *op, Atoms neutral, bool comm) {
  Operators out = {0};
  list_push(prog->arena, &out, (Operator){.op = op, .neutral = neutral, .comm = comm});
  return out;
}

static int count(const Operators *ops) {
  int n = 0;
  for (int i = 0; i < ops->len; i++) n += ops->at[i].neutral.len;
  return n;
}

static void bind_stm(Prog *prog, Stms *stms, Var v, Atom a) {
  Stm stm = {.exp = {.form = FORM_ATOM, .atom = {a}}};
  list_push(prog->arena, &stm.bound, v);
  list_push(prog->arena, stms, stm);
}

static void stms_append(Prog *prog, Stms *to, Stms from) {
  for (int i = 0; i < from.len; i++) list_push(prog->arena, to, from.at[i]);
}

// front before back, in back's place when there is room before it.
static Stms stms_before(Prog *prog, Stms front, Stms back, int *room) {
  int n = front.len + back.len;
  if (n == 0) return back;
  Stms out = {NULL, n, n};
  if (*room >= front.len && back.len) {
    out.at = back.at - front.len;
    *room -= front.len;
  } else {
    out.at = (Stm *)arena_alloc_raw(prog->arena, 2 * (size_t)n * sizeof(Stm)) + n;
    *room = n;
    for (int i = 0; i < back.len; i++) out.at[front.len + i] = back.at[i];
  }
  for (int i = 0; i < front.len; i++) out.at[i] = front.at[i];
  return out;
}

// Without scans nothing needs to wait for them: post goes into fn.
static void absorb_post(Prog *prog, Group *g) {
  int n = g->n_red;
  if (lambda_is_identity(g->post)) {
    g->post = NULL;
    return;
  }
  g->room.fn = 0;
  Lambda *fn = NEW(prog->arena, Lambda);
  *fn = *g->fn;
  fn->body.stms = (Stms){0};
  stms_append(prog, &fn->body.stms, g->fn->body.stms);
  for (int i = 0; i < g->post->params.len; i++)
    bind_stm(prog, &fn->body.stms, g->post->params.at[i], g->fn->body.results.at[n + i]);
  stms_append(prog, &fn->body.stms, g->post->body.stms);
  fn->body.results = atoms_concat(prog->arena, atoms_slice(g->fn->body.results, 0, n),
                                  g->post->body.results);
  fn->rets = (Types){0};
  for (int i = 0; i < n; i++) list_push(prog->arena, &fn->rets, g->fn->rets.at[i]);
  for (int i = 0; i < g->post->rets.len; i++)
    list_push(prog->arena, &fn->rets, g->post->rets.at[i]);
  g->fn = fn;
  g->post = NULL;
}

static Vars vars_slice(Arena *arena, const Vars *vars, int from, int to) {
  Vars out = {0};
  for (int i = from; i < to; i++) list_push(arena, &out, vars->at[i]);
  return out;
}

static Group group_of_screma(Prog *prog, const Stm *stm, GroupRoom room) {
  const struct screma_form *s = &stm->exp.screma;
  Group g = {.form = FORM_MAP, .width = s->width, .fn = s->fn, .inputs = s->inputs,
             .scans = s->scans, .reds = s->reds, .post = s->post, .room = room};
  g.n_scan = count(&s->scans);
  g.n_red = count(&s->reds);
  g.red_bound = vars_slice(prog->arena, &stm->bound, 0, g.n_red);
  g.out_bound = vars_slice(prog->arena, &stm->bound, g.n_red, stm->bound.len);
  if (!g.n_scan) absorb_post(prog, &g);
  return g;
}

Group group_of(Prog *prog, const Stm *stm, GroupRoom room) {
  const Exp *x = &stm->exp;
  Group g = {.form = FORM_MAP, .out_bound = stm->bound, .room = room};
  switch ((int)x->form) {
  case FORM_MAP:
    g.width = x->map.width, g.fn = x->map.fn, g.inputs = x->map.inputs;
    return g;
  case FORM_REDUCE:
    g.width = x->reduce.width, g.inputs = x->reduce.inputs;
    g.fn = lambda_identity(prog, row_types(prog, g.inputs));
    g.reds = one_operator(prog, x->reduce.op, x->reduce.neutral, x->reduce.comm);
    g.n_red = g.inputs.len;
    g.red_bound = stm->bound;
    g.out_bound = (Vars){0};
    return g;
  case FORM_SCAN:
    g.width = x->scan.width, g.inputs = x->scan.inputs;
    g.fn = lambda_identity(prog, row_types(prog, g.inputs));
    g.scans = one_operator(prog, x->scan.op, x->scan.neutral, false);
    g.scans.at[0].exclusive = x->scan.exclusive;
    g.n_scan = g.inputs.len;
    g.post = lambda_identity(prog, row_types(prog, g.inputs));
    return g;
  case FORM_SCREMA: return group_of_screma(prog, stm, room);
  case FORM_HIST:
    g.form = FORM_HIST;
    g.width = x->hist.width, g.fn = x->hist.fn, g.inputs = x->hist.inputs;
    return g;
  case FORM_SCATTER:
    g.form = FORM_SCATTER;
    g.width = x->scatter.width, g.fn = x->scatter.fn, g.inputs = x->scatter.inputs;
    return g;
  }
  ice("not a group");
}

static Lambda *plain_post(Prog *prog, const Group *g) {
  Types types = {0};
  for (int i = g->n_red; i < g->fn->rets.len; i++)
    list_push(prog->arena, &types, g->fn->rets.at[i]);
  return lambda_identity(prog, types);
}

Stm group_stm(Prog *prog, const Group *g, const Stm *like) {
  Stm stm = *like;
  if (g->form == FORM_HIST) {
    stm.exp.hist.fn = g->fn;
    stm.exp.hist.inputs = g->inputs;
    return stm;
  }
  if (g->form == FORM_SCATTER) {
    stm.exp.scatter.fn = g->fn;
    stm.exp.scatter.inputs = g->inputs;
    return stm;
  }
  stm.bound = vars_slice(prog->arena, &g->red_bound, 0, g->red_bound.len);
  for (int i = 0; i < g->out_bound.len; i++)
    list_push(prog->arena, &stm.bound, g->out_bound.at[i]);
  if (!g->n_scan && !g->n_red) {
    stm.exp = (Exp){.form = FORM_MAP,
                    .map = {.width = g->width, .fn = g->fn, .inputs = g->inputs}};
    return stm;
  }
  Lambda *post = g->post ? g->post : plain_post(prog, g);
  stm.exp = (Exp){.form = FORM_SCREMA,
                  .screma = {.width = g->width, .fn = g->fn, .scans = g->scans, .reds = g->reds,
                             .post = post, .inputs = g->inputs}};
  return stm;
}

// The fused lambda: results are collected from both by ranges.
static void take(Prog *prog, Lambda *to, const Lambda *from, int at, int end) {
  for (int i = at; i < end; i++) {
    list_push(prog->arena, &to->body.results, from->body.results.at[i]);
    list_push(prog->arena, &to->rets, from->rets.at[i]);
  }
}

static int index_of(const Vars *vars, Atom a) {
  for (int i = 0; i < vars->len; i++)
    if (atom_is_var(a, vars->at[i])) return i;
  return -1;
}

static int shared_input(Prog *prog, const Group *p, Atom a) {
  if (atom_type(prog, a).is_acc) return -1;
  for (int i = 0; i < p->inputs.len; i++)
    if (atom_same(p->inputs.at[i], a)) return i;
  return -1;
}

static Lambda *lambda_begin_with(Prog *prog, const Lambda *a) {
  Lambda *out = NEW(prog->arena, Lambda);
  for (int i = 0; i < a->params.len; i++) list_push(prog->arena, &out->params, a->params.at[i]);
  stms_append(prog, &out->body.stms, a->body.stms);
  return out;
}

// c's inputs: what p makes, what p reads too, and further ones.
static void join_inputs(Prog *prog, const Group *p, const Group *c, Group *g) {
  g->inputs = atoms_concat(prog->arena, p->inputs, (Atoms){0});
  for (int i = 0; i < c->inputs.len; i++) {
    Var param = c->fn->params.at[i];
    int out = index_of(&p->out_bound, c->inputs.at[i]);
    int same = shared_input(prog, p, c->inputs.at[i]);
    if (out >= 0) {
      bind_stm(prog, &g->fn->body.stms, param, p->fn->body.results.at[p->n_red + out]);
    } else if (same >= 0) {
      bind_stm(prog, &g->fn->body.stms, param, atom_var(p->fn->params.at[same]));
    } else {
      list_push(prog->arena, &g->fn->params, param);
      list_push(prog->arena, &g->inputs, c->inputs.at[i]);
    }
  }
}

static Operators operators_concat(Prog *prog, Operators a, Operators b) {
  Operators out = {0};
  for (int i = 0; i < a.len; i++) list_push(prog->arena, &out, a.at[i]);
  for (int i = 0; i < b.len; i++) list_push(prog->arena, &out, b.at[i]);
  return out;
}

static void take_kept(Prog *prog, Lambda *to, const Lambda *from, int at, const bool *drop,
                      int n) {
  for (int i = 0; i < n; i++)
    if (!drop[i]) take(prog, to, from, at + i, at + i + 1);
}

static Lambda *post_of(Prog *prog, const Group *g) {
  return g->post ? g->post : plain_post(prog, g);
}

// post of a fused group: scan outputs of both, then plain values of both.
static Lambda *join_posts(Prog *prog, const Group *p, const Group *c, const bool *drop,
                          const Lambda *pp, const Lambda *cp, int *room) {
  Lambda *post = NEW(prog->arena, Lambda);
  const Lambda *posts[] = {pp, cp};
  const int scans[] = {p->n_scan, c->n_scan};
  for (int part = 0; part < 2; part++)
    for (int k = 0; k < 2; k++)
      for (int i = part ? scans[k] : 0; i < (part ? posts[k]->params.len : scans[k]); i++)
        list_push(prog->arena, &post->params, posts[k]->params.at[i]);
  post->body.stms = stms_before(prog, pp->body.stms, cp->body.stms, room);
  take_kept(prog, post, pp, 0, drop, p->out_bound.len);
  take(prog, post, cp, 0, cp->rets.len);
  return post;
}

static void join_bound(Prog *prog, const Group *p, const Group *c, const bool *drop, Group *g) {
  g->red_bound = vars_slice(prog->arena, &p->red_bound, 0, p->red_bound.len);
  for (int i = 0; i < c->red_bound.len; i++)
    list_push(prog->arena, &g->red_bound, c->red_bound.at[i]);
  g->out_bound = (Vars){0};
  for (int i = 0; i < p->out_bound.len; i++)
    if (!drop[i]) list_push(prog->arena, &g->out_bound, p->out_bound.at[i]);
  for (int i = 0; i < c->out_bound.len; i++)
    list_push(prog->arena, &g->out_bound, c->out_bound.at[i]);
}

// c is a plain map and reads scan outputs of p: its lambda runs after p's post.
static Group merge_into_post(Prog *prog, Group p, Group c, const bool *drop) {
  Group g = p;
  g.room = (GroupRoom){.post = c.room.fn};
  g.fn = lambda_begin_with(prog, p.fn);
  take(prog, g.fn, p.fn, 0, p.fn->rets.len);
  g.post = lambda_begin_with(prog, p.post);
  g.inputs = atoms_concat(prog->arena, p.inputs, (Atoms){0});
  for (int i = 0; i < c.inputs.len; i++) {
    Var param = c.fn->params.at[i];
    int out = index_of(&p.out_bound, c.inputs.at[i]);
    if (out >= 0) {
      bind_stm(prog, &g.post->body.stms, param, p.post->body.results.at[out]);
      continue;
    }
    Type type = var_type(prog, param);
    type.unique = false;
    int same = shared_input(prog, &p, c.inputs.at[i]);
    Var row = same >= 0 ? p.fn->params.at[same] : var_new(prog, var_info(prog, param)->base, type);
    if (same < 0) {
      list_push(prog->arena, &g.fn->params, row);
      list_push(prog->arena, &g.inputs, c.inputs.at[i]);
    }
    list_push(prog->arena, &g.fn->body.results, atom_var(row));
    list_push(prog->arena, &g.fn->rets, type);
    list_push(prog->arena, &g.post->params, param);
  }
  g.post->body.stms =
      stms_before(prog, g.post->body.stms, c.fn->body.stms, &g.room.post);
  take_kept(prog, g.post, p.post, 0, drop, p.out_bound.len);
  take(prog, g.post, c.fn, 0, c.fn->rets.len);
  join_bound(prog, &p, &c, drop, &g);
  return g;
}

Group group_merge(Prog *prog, Group p, Group c, const bool *drop) {
  bool edge = false;
  for (int i = 0; i < c.inputs.len; i++)
    edge = edge || index_of(&p.out_bound, c.inputs.at[i]) >= 0;
  if (edge && p.n_scan) return merge_into_post(prog, p, c, drop);
  bool scans = p.n_scan || c.n_scan;
  const Lambda *pp = scans ? post_of(prog, &p) : NULL, *cp = scans ? post_of(prog, &c) : NULL;
  Group g = {.form = c.form, .width = c.width, .n_scan = p.n_scan + c.n_scan,
             .n_red = p.n_red + c.n_red, .room = c.room};
  g.fn = lambda_begin_with(prog, p.fn);
  join_inputs(prog, &p, &c, &g);
  g.fn->body.stms = stms_before(prog, g.fn->body.stms, c.fn->body.stms, &g.room.fn);
  int pr = p.n_scan + p.n_red, cr = c.n_scan + c.n_red;
  take(prog, g.fn, p.fn, 0, p.n_scan);
  take(prog, g.fn, c.fn, 0, c.n_scan);
  take(prog, g.fn, p.fn, p.n_scan, pr);
  take(prog, g.fn, c.fn, c.n_scan, cr);
  // With scans all plain values go on to post, where unwanted results end.
  if (scans) take(prog, g.fn, p.fn, pr, p.fn->rets.len);
  else take_kept(prog, g.fn, p.fn, pr, drop, p.out_bound.len);
  take(prog, g.fn, c.fn, cr, c.fn->rets.len);
  g.scans = operators_concat(prog, p.scans, c.scans);
  g.reds = operators_concat(prog, p.reds, c.reds);
  if (scans) g.post = join_posts(prog, &p, &c, drop, pp, cp, &g.room.post);
  join_bound(prog, &p, &c, drop, &g);
  return g;
}
