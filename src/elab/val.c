// Values of the evaluator: construction, selection, and conversion from and to lists of core atoms.
#include <string.h>
#include "local.h"

// A blank atom means "any value of the right type".
Atom blank(void) { return (Atom){.is_var = true}; }
bool is_blank(Atom a) { return a.is_var && a.var.id == 0; }

Val *val_new(Elab *e, ValTag tag) {
  Val *v = NEW(e->arena, Val);
  v->tag = tag;
  return v;
}

Val *val_atom(Elab *e, Atom a) {
  Val *v = val_new(e, VAL_ATOM);
  v->atom = a;
  return v;
}

Val *val_array(Elab *e, const Sem *elem, Atoms leaves) {
  check(leaves.len > 0);
  Val *v = val_new(e, VAL_ARRAY);
  v->array.elem = elem;
  v->array.leaves = leaves;
  return v;
}

Val *val_record(Elab *e, int len, const Name *names, Val **vals) {
  enum { LARGEST = 100000 };
  Val *v = val_new(e, VAL_RECORD);
  for (int i = 0; i < len; i++) {
    v->record.parts += vals[i]->tag == VAL_RECORD ? vals[i]->record.parts : 1;
    if (v->record.parts > LARGEST)
      diag_unsupported(e->diag, e->b.loc ? e->b.loc->span : (Span){0},
                       "a value of more than %d parts", LARGEST);
  }
  v->record.len = len;
  v->record.names = names;
  v->record.at = vals;
  return v;
}

Val *val_tuple(Elab *e, int len, Val **vals) {
  Name *names = NEW_ARRAY(e->arena, Name, len);
  for (int i = 0; i < len; i++) {
    char text[16];
    snprintf(text, sizeof text, "%d", i);
    names[i] = name_of(e->names, text);
  }
  return val_record(e, len, names, arena_copy(e->arena, vals, sizeof *vals * (size_t)len));
}

Val *val_unit(Elab *e) { return val_record(e, 0, NULL, NULL); }

Val *val_field(const Val *v, Name name) {
  if (v->tag != VAL_RECORD) return NULL;
  for (int i = 0; i < v->record.len; i++)
    if (v->record.names[i] == name) return v->record.at[i];
  return NULL;
}

Val *val_con(Elab *e, const Sem *sum, int index, Val **args) {
  Val *v = val_new(e, VAL_CON);
  v->con.sem = sum;
  v->con.index = index;
  v->con.args = args;
  return v;
}

const Sem *val_sem(Elab *e, const Val *v) {
  switch (v->tag) {
  case VAL_ATOM: return sem_prim(e, atom_type(e->prog, v->atom).prim);
  case VAL_ARRAY: return sem_array(e, v->array.elem, blank());
  case VAL_ACC: return sem_acc(e, sem_array(e, v->array.elem, blank()));
  case VAL_RECORD: {
    const Sem **fields = NEW_ARRAY(e->arena, const Sem *, v->record.len);
    for (int i = 0; i < v->record.len; i++) fields[i] = val_sem(e, v->record.at[i]);
    return sem_record(e, v->record.len, v->record.names, fields);
  }
  case VAL_CON: return v->con.sem;
  case VAL_SUM: return v->sum.sem;
  case VAL_HOLE: return v->hole.sem;
  case VAL_FUN:
  case VAL_PRIM:
  case VAL_FLIP:
  case VAL_PATH: {
    Sem *sem = NEW(e->arena, Sem);
    sem->tag = SEM_FUN;
    return sem;
  }
  }
  ice("value tag %d", v->tag);
}

static void leaves_of_con(Elab *e, const Val *v, Atoms *out) {
  const Sem *sum = v->con.sem;
  const SemCon *con = &sum->cons[v->con.index];
  int from = out->len;
  for (int i = 0; i < sum->leaves.len; i++) list_push(e->arena, out, blank());
  if (sum->len > 1) out->at[from] = atom_scalar(scalar_int(PRIM_I8, v->con.index));
  Atoms payload = {0};
  for (int i = 0; i < con->len; i++) val_leaves(e, v->con.args[i], &payload);
  check(payload.len == con->slots.len);
  for (int i = 0; i < payload.len; i++) out->at[from + con->slots.at[i]] = payload.at[i];
}

void val_leaves(Elab *e, const Val *v, Atoms *out) {
  switch (v->tag) {
  case VAL_ATOM: list_push(e->arena, out, v->atom); return;
  case VAL_ARRAY:
  case VAL_ACC:
    for (int i = 0; i < v->array.leaves.len; i++)
      list_push(e->arena, out, v->array.leaves.at[i]);
    return;
  case VAL_RECORD:
    if (v->record.len == 0) unit_use(e, v);
    for (int i = 0; i < v->record.len; i++) val_leaves(e, v->record.at[i], out);
    return;
  case VAL_CON: leaves_of_con(e, v, out); return;
  case VAL_SUM:
    for (int i = 0; i < v->sum.leaves.len; i++) list_push(e->arena, out, v->sum.leaves.at[i]);
    return;
  case VAL_HOLE: {
    Leaves leaves = {0};
    sem_leaves(e, v->hole.sem, &leaves);
    for (int i = 0; i < leaves.len; i++) list_push(e->arena, out, blank());
    return;
  }
  case VAL_FUN:
  case VAL_PRIM:
  case VAL_FLIP:
  case VAL_PATH: ice("a function value reaches run time");
  }
}

// Zeros of a leaf; sizes not known are 0.
Atom leaf_zero(Elab *e, Leaf leaf) {
  Type elem = type_scalar(leaf.prim);
  if (leaf.rank == 0) return atom_number(leaf.prim, 0);
  Atoms dims = {0};
  for (int i = 0; i < leaf.rank; i++)
    list_push(e->arena, &dims, is_blank(leaf.dims[i]) ? atom_i64(0) : leaf.dims[i]);
  return build_zero(&e->b, type_array_dims(e->arena, elem, dims));
}

Atoms val_atoms(Elab *e, const Val *v) {
  Atoms out = {0};
  val_leaves(e, v, &out);
  Leaves leaves = {0};
  for (int i = 0; i < out.len; i++) {
    if (!is_blank(out.at[i])) continue;
    if (leaves.len == 0) sem_leaves(e, val_sem(e, v), &leaves);
    check(leaves.len == out.len);
    out.at[i] = leaf_zero(e, leaves.at[i]);
  }
  return out;
}

// ---- from leaves back to values -------------------------------------------------------------

static Val *build_from(Elab *e, const Sem *sem, const Atom *leaves, int *pos);

static Val *build_array(Elab *e, const Sem *array, const Atom *leaves, int *pos, ValTag tag) {
  Leaves rows = {0};
  sem_leaves(e, array, &rows);
  Val *v = val_array(e, array->elem, atoms_of(e->arena, rows.len, leaves + *pos));
  v->tag = tag;
  *pos += rows.len;
  return v;
}

static Val *build_record(Elab *e, const Sem *sem, const Atom *leaves, int *pos) {
  Val **vals = NEW_ARRAY(e->arena, Val *, sem->len);
  for (int i = 0; i < sem->len; i++) vals[i] = build_from(e, sem->fields[i], leaves, pos);
  return val_record(e, sem->len, sem->names, vals);
}

static Val *build_from(Elab *e, const Sem *sem, const Atom *leaves, int *pos) {
  switch (sem->tag) {
  case SEM_PRIM: return val_atom(e, leaves[(*pos)++]);
  case SEM_ARRAY: return build_array(e, sem, leaves, pos, VAL_ARRAY);
  case SEM_ACC: return build_array(e, sem->elem, leaves, pos, VAL_ACC);
  case SEM_RECORD: return build_record(e, sem, leaves, pos);
  case SEM_SUM: {
    Val *v = val_new(e, VAL_SUM);
    v->sum.sem = sem;
    v->sum.leaves = atoms_of(e->arena, sem->leaves.len, leaves + *pos);
    *pos += sem->leaves.len;
    return v;
  }
  case SEM_FUN: ice("a function value comes from run time");
  }
  ice("sem tag %d", sem->tag);
}

Val *val_build(Elab *e, const Sem *sem, const Atom *leaves) {
  int pos = 0;
  return build_from(e, sem, leaves, &pos);
}

Val *val_zero(Elab *e, const Sem *sem) {
  Leaves leaves = {0};
  Atoms atoms = {0};
  sem_leaves(e, sem, &leaves);
  for (int i = 0; i < leaves.len; i++) list_push(e->arena, &atoms, leaf_zero(e, leaves.at[i]));
  return val_build(e, sem, atoms.at);
}

// ---- queries --------------------------------------------------------------------------------

static Val **map_list(Elab *e, Val *const *vals, int len, Atom (*f)(void *, Atom), void *state) {
  Val **out = NEW_ARRAY(e->arena, Val *, len);
  for (int i = 0; i < len; i++) out[i] = val_map(e, vals[i], f, state);
  return out;
}

// The first-order part of a value with every atom replaced; closures stay.
Val *val_map(Elab *e, const Val *v, Atom (*f)(void *state, Atom a), void *state) {
  Val *out = arena_copy(e->arena, v, sizeof *v);
  switch (v->tag) {
  case VAL_ATOM: out->atom = f(state, v->atom); break;
  case VAL_ARRAY:
  case VAL_ACC:
  case VAL_SUM: {
    const Atoms *from = v->tag == VAL_SUM ? &v->sum.leaves : &v->array.leaves;
    Atoms leaves = atoms_of(e->arena, from->len, from->at);
    for (int i = 0; i < leaves.len; i++)
      if (!is_blank(leaves.at[i])) leaves.at[i] = f(state, leaves.at[i]);
    if (v->tag == VAL_SUM) out->sum.leaves = leaves;
    else out->array.leaves = leaves;
    break;
  }
  case VAL_RECORD:
    if (v->record.len == 0) unit_use(e, v), out->record.token = (Var){0};
    out->record.at = map_list(e, v->record.at, v->record.len, f, state);
    break;
  case VAL_CON:
    out->con.args = map_list(e, v->con.args, v->con.sem->cons[v->con.index].len, f, state);
    break;
  case VAL_FUN:
  case VAL_PRIM:
  case VAL_FLIP:
  case VAL_PATH:
  case VAL_HOLE: break;
  }
  return out;
}

static bool any_of(Val *const *vals, int len, bool (*p)(const Val *)) {
  for (int i = 0; i < len; i++)
    if (p(vals[i])) return true;
  return false;
}

bool val_is_functional(const Val *v) {
  switch (v->tag) {
  case VAL_FUN:
  case VAL_PRIM:
  case VAL_FLIP:
  case VAL_PATH: return true;
  case VAL_RECORD: return any_of(v->record.at, v->record.len, val_is_functional);
  case VAL_CON:
    return any_of(v->con.args, v->con.sem->cons[v->con.index].len, val_is_functional);
  case VAL_ATOM:
  case VAL_ARRAY:
  case VAL_ACC:
  case VAL_SUM:
  case VAL_HOLE: return false;
  }
  return false;
}

bool val_has_acc(const Val *v) {
  if (v->tag == VAL_ACC) return true;
  if (v->tag == VAL_RECORD) return any_of(v->record.at, v->record.len, val_has_acc);
  return false;
}

Atom val_scalar(const Val *v) {
  if (v->tag == VAL_HOLE && v->hole.sem->tag == SEM_PRIM)
    return atom_number(v->hole.sem->prim, 0);
  check(v->tag == VAL_ATOM);
  return v->atom;
}

Atom val_size(Elab *e, const Val *array) {
  if (array->tag == VAL_HOLE) return atom_i64(0);
  check(array->tag == VAL_ARRAY || array->tag == VAL_ACC);
  return dim_of(e, array->array.leaves.at[0], 0);
}
