// Copying with changes.  Every variable bound in what is copied gets a fresh one, so code may be
// copied any number of times.  Between two programs the substitution is an array; within one it
// is sparse, because a small lambda copied out of a large program must cost what the lambda costs.
#include "local.h"
#include <string.h>

Rewrite rewrite_new(const Prog *from, Builder to) {
  Rewrite w = {.from = from, .to = to};
  if (from == to.prog) {
    w.sparse = map_new(to.prog->arena);
  } else {
    w.cap = from->vars.len;
    w.subst = NEW_ARRAY(to.prog->arena, Atom, w.cap);
    w.has_subst = NEW_ARRAY(to.prog->arena, bool, w.cap);
    w.copied = map_new(to.prog->arena);
  }
  return w;
}

static void subst_grow(Rewrite *w, int need) {
  int cap = w->cap * 2 > need ? w->cap * 2 : need;
  Atom *subst = NEW_ARRAY(w->to.prog->arena, Atom, cap);
  bool *has = NEW_ARRAY(w->to.prog->arena, bool, cap);
  if (w->cap) {
    memcpy(subst, w->subst, sizeof *subst * (size_t)w->cap);
    memcpy(has, w->has_subst, sizeof *has * (size_t)w->cap);
  }
  w->subst = subst;
  w->has_subst = has;
  w->cap = cap;
}

void rewrite_bind(Rewrite *w, Var old, Atom atom) {
  if (w->sparse) {
    map_put(w->sparse, old.id, arena_copy(w->to.prog->arena, &atom, sizeof atom));
    return;
  }
  if ((int)old.id >= w->cap) subst_grow(w, (int)old.id + 1);
  w->subst[old.id] = atom;
  w->has_subst[old.id] = true;
}

Atom rewrite_atom(Rewrite *w, Atom a) {
  if (!a.is_var) return a;
  if (w->sparse) {
    const Atom *to = map_get(w->sparse, a.var.id);
    return to ? *to : a;
  }
  if ((int)a.var.id < w->cap && w->has_subst[a.var.id]) return w->subst[a.var.id];
  if (w->from == w->to.prog) return a;
  ice("variable %s_%u has no copy", var_info(w->from, a.var)->base, a.var.id);
}

Atoms rewrite_atoms(Rewrite *w, Atoms atoms) {
  Atoms out = {0};
  list_reserve(w->to.prog->arena, &out, atoms.len);
  out.len = atoms.len;
  for (int i = 0; i < atoms.len; i++) out.at[i] = rewrite_atom(w, atoms.at[i]);
  return out;
}

Type rewrite_type(Rewrite *w, Type t) {
  if (t.rank) {
    Atom *dims = arena_alloc_raw(w->to.prog->arena, sizeof *dims * (size_t)t.rank);
    for (int i = 0; i < t.rank; i++) dims[i] = rewrite_atom(w, t.dims[i]);
    t.dims = dims;
  }
  if (t.is_acc) {
    Atom token = rewrite_atom(w, atom_var(t.token));
    check(token.is_var);
    t.token = token.var;
  }
  return t;
}

Types rewrite_types(Rewrite *w, Types types) {
  Types out = {0};
  list_reserve(w->to.prog->arena, &out, types.len);
  for (int i = 0; i < types.len; i++)
    list_push(w->to.prog->arena, &out, rewrite_type(w, types.at[i]));
  return out;
}

// The variable comes before its type, which may mention it (an accumulator's own token).
static Var var_begin(Rewrite *w, Var old) {
  Var v = var_new(w->to.prog, var_info(w->from, old)->base, type_scalar(PRIM_UNIT));
  rewrite_bind(w, old, atom_var(v));
  return v;
}

static void var_end(Rewrite *w, Var old, Var v) {
  Type type = rewrite_type(w, var_type(w->from, old));
  w->to.prog->vars.at[v.id].type = type;
}

Var rewrite_var(Rewrite *w, Var old) {
  Var v = var_begin(w, old);
  var_end(w, old, v);
  return v;
}

// Types in a list of binders may mention any of them.
static Vars rewrite_binders(Rewrite *w, Vars old) {
  Vars vars = {0};
  list_reserve(w->to.prog->arena, &vars, old.len);
  for (int i = 0; i < old.len; i++)
    list_push(w->to.prog->arena, &vars, var_begin(w, old.at[i]));
  for (int i = 0; i < old.len; i++) var_end(w, old.at[i], vars.at[i]);
  return vars;
}

// Data of statements besides nodes (text, positions) is copied once per program.
static const void *copy_once(Rewrite *w, const void *p, size_t size) {
  if (!w->copied || !p) return p;
  void *copy = map_get(w->copied, KEY(p));
  if (!copy) {
    copy = arena_copy(w->to.prog->arena, p, size);
    map_put(w->copied, KEY(p), copy);
  }
  return copy;
}

static const char *copy_text(Rewrite *w, const char *s) {
  return s ? copy_once(w, s, strlen(s) + 1) : NULL;
}

static const Loc *copy_loc(Rewrite *w, const Loc *loc) {
  if (!w->copied || !loc) return loc;
  if (loc == w->last_loc) return w->last_copy;
  Loc *copy = map_get(w->copied, KEY(loc));
  if (!copy) {
    copy = arena_copy(w->to.prog->arena, loc, sizeof *loc);
    map_put(w->copied, KEY(loc), copy);
    copy->caller = copy_loc(w, loc->caller);
  }
  w->last_loc = loc;
  w->last_copy = copy;
  return copy;
}

static Data copy_data(Rewrite *w, Data data) {
  data.at = copy_once(w, data.at, sizeof *data.at * (size_t)data.len);
  return data;
}

static Slice rewrite_slice(Rewrite *w, Slice slice) {
  Slice out = {0};
  list_reserve(w->to.prog->arena, &out, slice.len);
  for (int i = 0; i < slice.len; i++) {
    SliceDim d = slice.at[i];
    d.start = rewrite_atom(w, d.start);
    if (!d.is_fix) {
      d.count = rewrite_atom(w, d.count);
      d.stride = rewrite_atom(w, d.stride);
    }
    list_push(w->to.prog->arena, &out, d);
  }
  return out;
}

static Operators rewrite_operators(Rewrite *w, Operators ops) {
  Operators out = {0};
  for (int i = 0; i < ops.len; i++) {
    Operator op = ops.at[i];
    if (op.op) op.op = rewrite_lambda(w, op.op);
    op.neutral = rewrite_atoms(w, op.neutral);
    list_push(w->to.prog->arena, &out, op);
  }
  return out;
}

static Cases rewrite_cases(Rewrite *w, Cases cases) {
  Cases out = {0};
  list_reserve(w->to.prog->arena, &out, cases.len);
  for (int i = 0; i < cases.len; i++) {
    Case c = {.body = rewrite_body(w, &cases.at[i].body)};
    for (int k = 0; k < cases.at[i].pats.len; k++)
      list_push(w->to.prog->arena, &c.pats, cases.at[i].pats.at[k]);
    list_push(w->to.prog->arena, &out, c);
  }
  return out;
}

static Ints copy_ints(Rewrite *w, Ints ints) {
  Ints out = {0};
  for (int i = 0; i < ints.len; i++) list_push(w->to.prog->arena, &out, ints.at[i]);
  return out;
}

Exp rewrite_exp(Rewrite *w, const Exp *exp) {
  Exp out = *exp;
  for (const Field *f = form_info[exp->form].fields; f->kind != FIELD_END; f++) {
    switch (f->kind) {
      case FIELD_ATOM: FIELD(&out, f, Atom) = rewrite_atom(w, FIELD_CONST(exp, f, Atom)); break;
      case FIELD_ATOMS: FIELD(&out, f, Atoms) = rewrite_atoms(w, FIELD_CONST(exp, f, Atoms)); break;
      case FIELD_LAMBDA: {
        const Lambda *fn = FIELD_CONST(exp, f, Lambda *);
        if (fn) FIELD(&out, f, Lambda *) = rewrite_lambda(w, fn);
        break;
      }
      case FIELD_OPERATORS:
        FIELD(&out, f, Operators) = rewrite_operators(w, FIELD_CONST(exp, f, Operators));
        break;
      case FIELD_SLICE: FIELD(&out, f, Slice) = rewrite_slice(w, FIELD_CONST(exp, f, Slice)); break;
      case FIELD_CASES: FIELD(&out, f, Cases) = rewrite_cases(w, FIELD_CONST(exp, f, Cases)); break;
      case FIELD_INTS: FIELD(&out, f, Ints) = copy_ints(w, FIELD_CONST(exp, f, Ints)); break;
      case FIELD_STRING: case FIELD_FN:
        FIELD(&out, f, const char *) = copy_text(w, FIELD_CONST(exp, f, const char *));
        break;
      case FIELD_DATA: FIELD(&out, f, Data) = copy_data(w, FIELD_CONST(exp, f, Data)); break;
      case FIELD_OP: case FIELD_PRIM: case FIELD_INT: case FIELD_FLAG: case FIELD_END: break;
    }
  }
  return out;
}

void rewrite_stm(Rewrite *w, const Stm *stm) {
  Stm out = {.exp = rewrite_exp(w, &stm->exp), .attrs = stm->attrs};
  out.bound = rewrite_binders(w, stm->bound);
  out.loc = copy_loc(w, stm->loc);
  build_stm(&w->to, out);
}

// Builders called from the handler give their statements the position of the one they replace.
void rewrite_stms(Rewrite *w, Stms stms) {
  const Loc *saved = w->to.loc;
  for (int i = 0; i < stms.len; i++) {
    const Stm *stm = &stms.at[i];
    w->to.loc = copy_loc(w, stm->loc);
    if (w->stm) w->stm(w, stm);
    else rewrite_stm(w, stm);
  }
  w->to.loc = saved;
}

Body rewrite_body(Rewrite *w, const Body *body) {
  Stms *saved = w->to.stms;
  Body out = {0};
  list_reserve(w->to.prog->arena, &out.stms, body->stms.len);
  w->to.stms = &out.stms;
  rewrite_stms(w, body->stms);
  out.results = rewrite_atoms(w, body->results);
  w->to.stms = saved;
  return out;
}

Lambda *rewrite_lambda(Rewrite *w, const Lambda *fn) {
  Lambda *out = NEW(w->to.prog->arena, Lambda);
  out->params = rewrite_binders(w, fn->params);
  out->body = rewrite_body(w, &fn->body);
  out->rets = rewrite_types(w, fn->rets);
  return out;
}
