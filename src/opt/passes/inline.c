// Inlining of core functions.  The call graph is walked from callees to callers; recursive
// functions stay calls.
#include "opt/common/local.h"

#include <string.h>

typedef enum { INLINE_SMALL, INLINE_ALL, INLINE_AD } Want;
typedef struct {
  const Fn *fn;
  int calls, size;
  int expanded;  // size once what it calls is inlined; 0: not known yet
  int whole;     // size once everything is inlined; likewise
  bool derived;  // called under an operator: its derivative may be taken
  bool busy, done, recursive;
} Info;
typedef struct {
  Rewrite w;  // first: handlers get a pointer to it
  Want want;
  Map *infos;     // Fn -> Info
  const Prog *from;
  int in_ad;               // operators around the statement
  bool above;              // the outermost of them is above WHOLE; or the program above ALL
  bool bounded;            // one of them bounds memory: loops in functions must learn of that
  Map *derived;            // calls in functions whose derivatives may be taken
  bool derived_above;      // one of those functions is above WHOLE
  LIST(const Fn *) stack;  // functions being inlined
  LIST(const Loc *) sites;
  bool changed;  // something was inlined
} Inline;

// WHOLE: operators on functions of at most so many statements have everything inlined.
// ALL: pass_inline_all leaves calls where the program would have more.
enum {
  SMALL = 24, EXPANDED = 400, EXPANDED_AD = 60, WHOLE = 4000, ALL = 200000, HUGE_SIZE = 1 << 28
};

static Info *info_of(Inline *p, const char *name) {
  const Fn *fn = prog_fn(p->from, name);
  if (!fn) return NULL;
  Info *info = map_get(p->infos, KEY(fn));
  if (info) return info;
  info = NEW(p->w.to.prog->arena, Info);
  info->fn = fn;
  map_put(p->infos, KEY(fn), info);
  return info;
}

static void scan_body(Inline *p, Info *owner, const Body *body);

static void scan_fn(Inline *p, Info *info) {
  if (info->busy) info->recursive = true;
  if (info->busy || info->done) return;
  info->busy = true;
  scan_body(p, info, &info->fn->body);
  info->busy = false;
  info->done = true;
}

static void scan_stm(Inline *p, Info *owner, const Stm *stm) {
  if (owner) owner->size++;
  if (stm->exp.form == FORM_APPLY) {
    Info *callee = info_of(p, stm->exp.apply.fn);
    if (callee) callee->calls++;
    if (callee) scan_fn(p, callee);
    return;
  }
  if (!exp_has_parts(&stm->exp)) return;
  Exp exp = stm->exp;
  Parts parts = exp_parts(p->w.to.prog->arena, &exp);
  for (int i = 0; i < parts.len; i++) scan_body(p, owner, parts.at[i].body);
}

static void scan_body(Inline *p, Info *owner, const Body *body) {
  for (int i = 0; i < body->stms.len; i++) scan_stm(p, owner, &body->stms.at[i]);
}

static int expanded_body(Inline *p, const Body *body);

// Without this bound, functions that each call the one before twice would be copied 2^n times.
static bool small(Inline *p, Info *info) {
  if (info->size > SMALL) return false;
  if (!info->expanded) {
    info->expanded = HUGE_SIZE;  // while a cycle is walked
    info->expanded = 1 + expanded_body(p, &info->fn->body);
  }
  return info->expanded <= (p->want == INLINE_AD ? EXPANDED_AD : EXPANDED);
}

static int expanded_stm(Inline *p, const Stm *stm) {
  if (stm->exp.form == FORM_APPLY) {
    Info *callee = info_of(p, stm->exp.apply.fn);
    if (!callee || callee->recursive || callee->fn->attrs.noinline_) return 1;
    if (small(p, callee)) return callee->expanded;
    return callee->calls == 1 ? HUGE_SIZE : 1;
  }
  if (!exp_has_parts(&stm->exp)) return 1;
  Exp exp = stm->exp;
  Parts parts = exp_parts(p->w.to.prog->arena, &exp);
  int n = 1;
  for (int i = 0; i < parts.len && n < HUGE_SIZE; i++) n += expanded_body(p, parts.at[i].body);
  return n < HUGE_SIZE ? n : HUGE_SIZE;
}

static int expanded_body(Inline *p, const Body *body) {
  int n = 0;
  for (int i = 0; i < body->stms.len && n < HUGE_SIZE; i++) n += expanded_stm(p, &body->stms.at[i]);
  return n < HUGE_SIZE ? n : HUGE_SIZE;
}

// ---- under operators
// Calls that are left there become calls of derivative functions.  This saves most of the work
// where functions call others several times, to any depth; but adjoints of arrays then go from
// function to function as arrays.  So everything is inlined where that is not too much.
static int whole_body(Inline *p, const Body *body) {
  Arena *arena = p->w.to.prog->arena;
  int n = 0;
  for (int i = 0; i < body->stms.len && n < HUGE_SIZE; i++) {
    Exp exp = body->stms.at[i].exp;
    Info *callee = exp.form == FORM_APPLY ? info_of(p, exp.apply.fn) : NULL;
    if (callee && !callee->whole) {
      callee->whole = 1;  // while a cycle is walked
      callee->whole = whole_body(p, &callee->fn->body);
    }
    n += callee ? callee->whole : 1;
    Parts parts = {0};
    if (exp_has_parts(&exp)) parts = exp_parts(arena, &exp);
    for (int k = 0; k < parts.len && n < HUGE_SIZE; k++) n += whole_body(p, parts.at[k].body);
  }
  return n < HUGE_SIZE ? n : HUGE_SIZE;
}

static bool is_operator(Form form) {
  return form == FORM_JVP || form == FORM_VJP || form == FORM_WITHVJP || form == FORM_DEPENDS ||
         form == FORM_JACOBIAN;
}

static bool wanted(Inline *p, const Stm *call, Info *info) {
  if (info->recursive || fn_name_is_reserved(info->fn->name)) return false;
  for (int i = 0; i < p->stack.len; i++)
    if (p->stack.at[i] == info->fn) return false;
  bool derived = map_get(p->derived, KEY(call)) != NULL;
  if (p->want == INLINE_ALL && !p->above) return true;
  if (p->in_ad > 0 && p->bounded) return true;
  if (info->fn->attrs.noinline_) return false;
  if (p->want == INLINE_ALL) return info->calls == 1 || small(p, info);
  if (p->in_ad > 0 && !p->above) return true;
  if (p->in_ad == 0 && derived && !p->derived_above) return true;
  bool some = p->want == INLINE_SMALL || p->in_ad > 0 || derived;
  return some && (info->calls == 1 || small(p, info));
}

// Functions whose derivatives may be taken, and all that they call; in_fn: the body is of one.
static void mark_derived(Inline *p, const Body *body, bool under, bool in_fn) {
  for (int i = 0; i < body->stms.len; i++) {
    Exp exp = body->stms.at[i].exp;
    Info *callee = under && exp.form == FORM_APPLY ? info_of(p, exp.apply.fn) : NULL;
    if (callee && in_fn) map_put(p->derived, KEY(&body->stms.at[i]), callee);
    if (callee && !callee->derived) {
      callee->derived = true;
      mark_derived(p, &callee->fn->body, true, true);
      if (whole_body(p, &callee->fn->body) > WHOLE) p->derived_above = true;
    }
    if (!exp_has_parts(&exp)) continue;
    Parts parts = exp_parts(p->w.to.prog->arena, &exp);
    for (int k = 0; k < parts.len; k++)
      mark_derived(p, parts.at[k].body, under || is_operator(exp.form), in_fn);
  }
}

// The position of inlined code: its own, then the call's.
static const Loc *loc_at(Inline *p, const Loc *loc, const Loc *site) {
  if (!site) return loc;
  Loc *out = NEW(p->w.to.prog->arena, Loc);
  if (!loc) return site;
  out->span = loc->span;
  out->caller = loc_at(p, loc->caller, site);
  return out;
}

static void inline_call(Inline *p, const Stm *stm, const Info *info) {
  Arena *arena = p->w.to.prog->arena;
  // The body's variables are bound anew at every call: the old bindings are simply replaced.
  for (int i = 0; i < info->fn->params.len; i++)
    rewrite_bind(&p->w, info->fn->params.at[i], rewrite_atom(&p->w, stm->exp.apply.args.at[i]));
  const Loc *site = stm->loc;
  if (p->sites.len) site = loc_at(p, site, p->sites.at[p->sites.len - 1]);
  list_push(arena, &p->stack, info->fn);
  p->changed = true;
  list_push(arena, &p->sites, site);
  rewrite_stms(&p->w, info->fn->body.stms);
  p->stack.len--;
  p->sites.len--;
  for (int i = 0; i < stm->bound.len; i++)
    rewrite_bind(&p->w, stm->bound.at[i], rewrite_atom(&p->w, info->fn->body.results.at[i]));
}

static int operand_size(Inline *p, const Exp *operator) {
  Exp exp = *operator;
  Parts parts = exp_parts(p->w.to.prog->arena, &exp);
  int n = 0;
  for (int k = 0; k < parts.len && n < HUGE_SIZE; k++) n += whole_body(p, parts.at[k].body);
  return n;
}

static void inline_stm(Rewrite *w, const Stm *stm) {
  Inline *p = (Inline *)w;
  if (stm->exp.form == FORM_APPLY) {
    Info *info = info_of(p, stm->exp.apply.fn);
    if (info && wanted(p, stm, info)) {
      inline_call(p, stm, info);
      return;
    }
  }
  bool ad = is_operator(stm->exp.form);
  if (ad && p->in_ad == 0 && p->want != INLINE_ALL) p->above = operand_size(p, &stm->exp) > WHOLE;
  bool outer = p->bounded;
  const Attrs *attrs = &stm->attrs;
  bool bound =
      attrs->checkpoint || attrs->stripmine || attrs->memory_limit || attrs->memory_fraction;
  p->bounded = outer || (ad && bound);
  p->in_ad += ad;
  int at = w->to.stms->len;
  rewrite_stm(w, stm);
  p->in_ad -= ad;
  p->bounded = outer;
  if (p->sites.len == 0) return;
  for (int i = at; i < w->to.stms->len; i++)
    w->to.stms->at[i].loc = loc_at(p, w->to.stms->at[i].loc, p->sites.at[p->sites.len - 1]);
}

static Prog *inline_prog(const Prog *prog, Arena *arena, Want want) {
  Inline p;
  memset(&p, 0, sizeof p);
  p.want = want;
  p.from = prog;
  p.w.stm = inline_stm;
  Prog holder = {.arena = arena};
  p.w.to.prog = &holder;
  p.infos = map_new(arena);
  p.derived = map_new(arena);
  for (int i = 0; i < prog->constants.len; i++) scan_stm(&p, NULL, &prog->constants.at[i]);
  for (int i = 0; i < prog->fns.len; i++) scan_fn(&p, info_of(&p, prog->fns.at[i]->name));
  Body constants = {.stms = prog->constants};
  for (int i = 0; i < prog->fns.len && want == INLINE_ALL; i++)
    if (prog->fns.at[i]->entry && whole_body(&p, &prog->fns.at[i]->body) > ALL) p.above = true;
  if (want == INLINE_AD) mark_derived(&p, &constants, false, false);
  for (int i = 0; i < prog->fns.len && want == INLINE_AD; i++)
    mark_derived(&p, &prog->fns.at[i]->body, false, false);
  Prog *out = rewrite_prog(prog, arena, &p.w);
  out->at_fixpoint = !dce_prog(out) && !p.changed && prog->at_fixpoint;
  return out;
}

// needs: any program.  leaves: no call of a function called once or of at most a few statements.
// cost: linear in the result.
Prog *pass_inline(Prog *prog, Arena *arena) { return inline_prog(prog, arena, INLINE_SMALL); }

// needs: any program.  leaves: no calls but of recursive functions, unless that would be very
// large. cost: linear in the result.
Prog *pass_inline_all(Prog *prog, Arena *arena) {
  return inline_prog(prog, arena, INLINE_ALL);
}

// needs: any program.  leaves: under jvp, vjp, with_vjp and in functions that are called there,
// calls of recursive functions, of those marked noinline, and where inlining all would be too much.
// cost: linear in the result.
Prog *pass_inline_ad(Prog *prog, Arena *arena) { return inline_prog(prog, arena, INLINE_AD); }
