// Patterns: binding names to the parts of a value.
#include "local.h"

static Val *hole_of(Elab *e, const Sem *sem) {
  Val *v = val_new(e, VAL_HOLE);
  v->hole.sem = sem;
  return v;
}

static Val *hole_field(Elab *e, const Sem *sem, Name name) {
  for (int i = 0; sem->tag == SEM_RECORD && i < sem->len; i++)
    if (sem->names[i] == name) return hole_of(e, sem->fields[i]);
  ice("a hole has no field %s", name);
}

static Val *field_of(Elab *e, Val *v, Name name) {
  if (v->tag == VAL_HOLE) return hole_field(e, v->hole.sem, name);
  Val *f = val_field(v, name);
  if (!f) ice("no field %s", name);
  return f;
}

// The payload of a constructor whose choice is known to be `index`.
Val **con_payload(Elab *e, const Val *v, Name name) {
  if (v->tag == VAL_CON) return v->con.args;
  const Sem *sum = v->tag == VAL_SUM ? v->sum.sem : v->hole.sem;
  int index = 0;
  while (index < sum->len && sum->cons[index].name != name) index++;
  check(index < sum->len);
  const SemCon *con = &sum->cons[index];
  Val **out = NEW_ARRAY(e->arena, Val *, con->len);
  for (int i = 0, at_slot = 0; i < con->len; i++) {
    if (v->tag == VAL_HOLE) {
      out[i] = hole_of(e, con->payload[i]);
      continue;
    }
    Leaves leaves = {0};
    sem_leaves(e, con->payload[i], &leaves);
    Atoms atoms = {0};
    for (int k = 0; k < leaves.len; k++) {
      Atom a = v->sum.leaves.at[con->slots.at[at_slot++]];
      list_push(e->arena, &atoms, is_blank(a) ? leaf_zero(e, leaves.at[k]) : a);
    }
    out[i] = val_build(e, con->payload[i], atoms.at);
  }
  return out;
}

static Name tuple_name(Elab *e, int i) {
  char text[16];
  snprintf(text, sizeof text, "%d", i);
  return name_of(e->names, text);
}

const Env *pat_bind(Elab *e, const Env *env, const Pat *pat, Val *v, Pending *pending) {
  if (e->program->witnesses) sizes_see(e, env, pat, v);
  switch (pat->tag) {
  case PAT_NAME:
    if (!pat->span.src->builtin) rename_hint(e, v, pat->name.name);
    return env_val(e, env, pat->name.name, pat->info ? pat->info->binding : NULL, v);
  case PAT_WILD:
  case PAT_LIT: return env;
  case PAT_TUPLE:
    for (int i = 0; i < pat->tuple.elems.len; i++)
      env = pat_bind(e, env, pat->tuple.elems.at[i], field_of(e, v, tuple_name(e, i)), pending);
    return env;
  case PAT_RECORD:
    for (int i = 0; i < pat->record.fields.len; i++) {
      const FieldPat *f = &pat->record.fields.at[i];
      env = pat_bind(e, env, f->pat, field_of(e, v, f->name), pending);
    }
    return env;
  case PAT_CONSTR: {
    Val **args = con_payload(e, v, pat->constr.name);
    for (int i = 0; i < pat->constr.args.len; i++)
      env = pat_bind(e, env, pat->constr.args.at[i], args[i], pending);
    return env;
  }
  case PAT_ASCRIBE:
    at(e, pat->span);
    v = texp_match(e, &env, pat->ascribe.type, v, pending,
                   "Value has size %d where its type says %d.");
    return pat_bind(e, env, pat->ascribe.pat, v, pending);
  case PAT_ATTR: return pat_bind(e, env, pat->attr.pat, v, pending);
  }
  return env;
}
