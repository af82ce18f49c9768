// Type expressions against values: binding size parameters, checking declared sizes, and giving
// sizes to types.
//
// A declared type is walked together with the value.  Below an array, what remains of the value
// is its leaves at a depth: a Part.  Abbreviations are opened in the environment of their
// definition; their size and type parameters represent the arguments, looked up in the frame
// of the mention.
#include "local.h"

typedef struct Frame {
  const Env *env;
  const TypeDef *def;          // NULL: not inside an abbreviation
  const TypeArgList *args;     // of the mention
  const struct Frame *outer;   // where the arguments are read
} Frame;

// An existential size of a type walked into: whatever the value has.
typedef struct {
  Name name;
  const TypeDef *def;  // the abbreviation whose definition binds it, or NULL
} UnknownSize;
typedef LIST(UnknownSize) UnknownSizes;

// The value below some array dimensions.
typedef struct {
  const Sem *sem;
  int from, len;   // leaves of the array
  int depth;       // dimensions already passed
} Part;

typedef struct {
  Elab *e;
  const Env **env;       // of the innermost frame's caller: grows as pending sizes are bound
  const Env *base;
  Pending *pending;
  UnknownSizes unknown;
  const char *message;
  const TypeExp *type;   // the whole type, for messages
  Atoms leaves;          // of the array being walked
  Atom *want;            // its dimensions, max_rank per leaf
  int stride;
} Walk;

Pending pending_of(Elab *e, const TypeParamList *tparams) {
  Pending p = {0};
  for (int i = 0; tparams && i < tparams->len; i++) {
    const TypeParam *t = &tparams->at[i];
    if (t->tag != TPARAM_SIZE) continue;
    list_push(e->arena, &p.names, t->name);
    list_push(e->arena, &p.bindings, t->info ? t->info->binding : NULL);
  }
  return p;
}

static int pending_index(const Pending *p, Name name) {
  for (int i = 0; p && i < p->names.len; i++)
    if (p->names.at[i] == name) return i;
  return -1;
}

void pending_bind(Elab *e, const Env **env, Pending *p, int i, Atom size) {
  *env = env_val(e, *env, p->names.at[i], p->bindings.at[i], val_atom(e, size));
  p->names.at[i] = p->names.at[--p->names.len];
  p->bindings.at[i] = p->bindings.at[--p->bindings.len];
}

// ---- names in frames ------------------------------------------------------------------------

static int frame_param(const Frame *f, bool is_size, Name name) {
  if (!f->def || !f->args) return -1;
  for (int i = 0; i < f->def->params.len && i < f->args->len; i++) {
    const TypeDefParam *p = &f->def->params.at[i];
    if (p->is_size != is_size) continue;
    if ((is_size ? p->size->name : p->type->name) == name) return i;
  }
  return -1;
}

static bool is_unknown(const Walk *w, const TypeDef *def, Name name) {
  for (int i = 0; i < w->unknown.len; i++)
    if (w->unknown.at[i].name == name && w->unknown.at[i].def == def) return true;
  return false;
}

// Pending names are those of the function: definitions of abbreviations do not see them.
static bool mentions_pending(Elab *e, const Walk *w, const TypeDef *def, const Expr *exp) {
  if ((!w->pending || w->pending->names.len == 0) && w->unknown.len == 0) return false;
  NameList names = {0};
  names_of_exp(e, exp, &names);
  for (int i = 0; i < names.len; i++)
    if ((!def && pending_index(w->pending, names.at[i]) >= 0) || is_unknown(w, def, names.at[i]))
      return true;
  return false;
}

static void add_unknown(Walk *w, const TypeDef *def, const TypeParamList *sizes) {
  for (int i = 0; i < sizes->len; i++) {
    UnknownSize u = {sizes->at[i].name, def};
    if (def || pending_index(w->pending, u.name) < 0) list_push(w->e->arena, &w->unknown, u);
  }
}

static Name bare_name(const Expr *exp) {
  if (exp->tag != EXP_VAR || exp->var.name.parts.len != 1) return NULL;
  return exp->var.name.parts.at[0];
}

// Size parameters of an abbreviation that its definition's sizes mention, as values.
static const Env *frame_env(Elab *e, const Walk *w, const Frame *f, bool *known);


static Atom size_known(Elab *e, const Walk *w, const Frame *f, const SizeExp *size, bool *known) {
  if (!size->exp) return *known = false, blank();
  Name name = bare_name(size->exp);
  int i = name ? frame_param(f, true, name) : -1;
  if (i >= 0) return size_known(e, w, f->outer, &f->args->at[i].size, known);
  if (mentions_pending(e, w, f->def, size->exp)) return *known = false, blank();
  const Env *env = frame_env(e, w, f, known);
  return *known ? eval_i64(e, size->exp, env) : blank();
}

static const Env *frame_env(Elab *e, const Walk *w, const Frame *f, bool *known) {
  if (!f->def) return *w->env;
  const Env *env = f->env;
  for (int i = 0; f->args && i < f->def->params.len && i < f->args->len; i++) {
    if (!f->def->params.at[i].is_size) continue;
    Atom a = size_known(e, w, f->outer, &f->args->at[i].size, known);
    if (!*known) return env;
    const Binding *b = f->def->params.at[i].size;
    env = env_val(e, env, b->name, b, val_atom(e, a));
  }
  return env;
}

static Op operator_of(const Expr *exp) {
  const Binding *b = exp->binop.op.inst ? exp->binop.op.inst->binding : NULL;
  if (!b || b->tag != BIND_OPERATOR) return OP_COUNT;
  if (b->intr == INTR_ADD) return OP_ADD;
  if (b->intr == INTR_SUB) return OP_SUB;
  return b->intr == INTR_MUL ? OP_MUL : OP_COUNT;
}

// Binds the pending names of the size that inference found a value for.
static bool solve_by_inference(Walk *w, const Expr *exp) {
  Elab *e = w->e;
  NameList names = {0};
  names_of_exp(e, exp, &names);
  bool all = true;
  for (int i = 0; i < names.len; i++) {
    int p = pending_index(w->pending, names.at[i]);
    Atom size;
    if (p < 0) continue;
    if (inst_size(e, w->pending, names.at[i], &size)) pending_bind(e, w->env, w->pending, p, size);
    else all = false;
  }
  return all;
}

// The operand next to a known one: from how the size was computed, else by the inverse operation.
static Atom other_operand(Elab *e, Op op, Atom actual, Atom known, bool known_left) {
  if (actual.is_var) {
    VarFact f = *fact(e, actual.var);
    bool computed = f.op == op && (f.a.is_var || f.b.is_var);
    if (computed && atom_same(known_left ? f.a : f.b, known)) return known_left ? f.b : f.a;
  }
  if (op == OP_ADD) return emit_op(e, OP_SUB, actual, known);
  if (op == OP_SUB)
    return known_left ? emit_op(e, OP_SUB, known, actual) : emit_op(e, OP_ADD, actual, known);
  Atom divisor = emit_op(e, OP_MAX, known, atom_i64(1));
  return emit_op(e, OP_QUOT, actual, divisor);
}

// Pending names inside a compound size, [n * m]t.
static void solve_size(Walk *w, const Expr *exp, Atom actual) {
  Elab *e = w->e;
  Name name = bare_name(exp);
  int p = name ? pending_index(w->pending, name) : -1;
  if (p >= 0) pending_bind(e, w->env, w->pending, p, actual);
  Op op = exp->tag == EXP_BINOP ? operator_of(exp) : OP_COUNT;
  if (op == OP_COUNT) return;
  bool left = mentions_pending(e, w, NULL, exp->binop.left);
  bool right = mentions_pending(e, w, NULL, exp->binop.right);
  if (left && right) {
    VarFact f = {.op = OP_COUNT};
    if (actual.is_var) f = *fact(e, actual.var);
    if (f.op != op || (!f.a.is_var && !f.b.is_var)) return;
    solve_size(w, exp->binop.left, f.a);
    solve_size(w, exp->binop.right, f.b);
  } else if (left) {
    Atom known = eval_i64(e, exp->binop.right, *w->env);
    solve_size(w, exp->binop.left, other_operand(e, op, actual, known, false));
  } else if (right) {
    Atom known = eval_i64(e, exp->binop.left, *w->env);
    solve_size(w, exp->binop.right, other_operand(e, op, actual, known, true));
  }
}

// The size expected where the value has `actual`; binds pending names.
static Atom walk_size(Walk *w, const Frame *f, const SizeExp *size, Atom actual) {
  Elab *e = w->e;
  if (!size->exp) return actual;
  Name name = bare_name(size->exp);
  int i = name ? frame_param(f, true, name) : -1;
  if (i >= 0) return walk_size(w, f->outer, &f->args->at[i].size, actual);
  int p = name && !f->def ? pending_index(w->pending, name) : -1;
  if (p >= 0) {
    pending_bind(e, w->env, w->pending, p, actual);
    return actual;
  }
  if (!f->def && mentions_pending(e, w, NULL, size->exp) && !solve_by_inference(w, size->exp))
    solve_size(w, size->exp, actual);
  bool known = true;
  Atom expected = size_known(e, w, f, size, &known);
  return known ? expected : actual;
}

// The meaning of a name: an abbreviation to open (returned with its frame), or nothing to see.
static const TypeExp *open_name(Walk *w, const Frame *f, const VarRef *ref,
                                const TypeArgList *args, Frame *out) {
  Elab *e = w->e;
  const NameList *path = &ref->name.parts;
  Name last = path->at[path->len - 1];
  int i = path->len == 1 ? frame_param(f, false, last) : -1;
  if (i >= 0) {
    *out = *f->outer;
    return f->args->at[i].type;
  }
  const TypeDef *def = ref->inst ? ref->inst->def : NULL;
  if (!def || def->tag == TYPEDEF_PRIM || def->tag == TYPEDEF_PARAM || def->tag == TYPEDEF_ACC)
    return NULL;
  const Env *env = f->def ? f->env : *w->env;
  const Env *found = NULL;
  if (path->len == 1) {
    found = env_type(e, env, last);
  } else if (env_term(e, env, path->at[0])) {
    found = mod_type(env_module(e, env, path->at, path->len - 1), last);
  }
  if (!found || !found->type.def->written) return NULL;
  *out = (Frame){found->type.env, found->type.def, args, f};
  return found->type.def->written;
}

// ---- below arrays ---------------------------------------------------------------------------

static int sem_width(Elab *e, const Sem *sem) {
  Leaves leaves = {0};
  sem_leaves(e, sem, &leaves);
  return leaves.len;
}

static void walk_part(Walk *w, const Frame *f, const TypeExp *type, Part part);

static void part_array(Walk *w, const Frame *f, const TypeExp *type, Part part) {
  Elab *e = w->e;
  if (part.sem->tag != SEM_ARRAY || part.len == 0) return;
  Atom actual = dim_of(e, w->leaves.at[part.from], part.depth);
  Atom expected = walk_size(w, f, &type->array.size, actual);
  for (int i = 0; i < part.len; i++)
    w->want[(part.from + i) * w->stride + part.depth] = expected;
  Part row = {part.sem->elem, part.from, part.len, part.depth + 1};
  walk_part(w, f, type->array.elem, row);
}

static void part_field(Walk *w, const Frame *f, const TypeExp *type, Part part, Name name) {
  if (part.sem->tag != SEM_RECORD) return;
  int from = part.from;
  for (int i = 0; i < part.sem->len; i++) {
    int width = sem_width(w->e, part.sem->fields[i]);
    if (part.sem->names[i] == name)
      walk_part(w, f, type, (Part){part.sem->fields[i], from, width, part.depth});
    from += width;
  }
}

static Name tuple_name(Elab *e, int i) {
  char text[16];
  snprintf(text, sizeof text, "%d", i);
  return name_of(e->names, text);
}

// Payload arrays have slots of their own; a payload of one leaf is the common case walked here.
static void part_sum(Walk *w, const Frame *f, const TypeExp *type, Part part) {
  if (part.sem->tag != SEM_SUM) return;
  for (int c = 0; c < type->sum.clauses.len; c++) {
    const SumClause *clause = &type->sum.clauses.at[c];
    for (int k = 0; k < part.sem->len; k++) {
      const SemCon *con = &part.sem->cons[k];
      if (con->name != clause->name) continue;
      for (int a = 0, slot = 0; a < con->len && a < clause->args.len; a++) {
        int width = sem_width(w->e, con->payload[a]);
        if (width == 1)
          walk_part(w, f, clause->args.at[a],
                    (Part){con->payload[a], part.from + (int)con->slots.at[slot], 1, part.depth});
        slot += width;
      }
    }
  }
}

static void walk_part(Walk *w, const Frame *f, const TypeExp *type, Part part) {
  Frame inner;
  const TypeExp *def;
  switch (type->tag) {
  case TEXP_NAME:
    def = open_name(w, f, &type->name, NULL, &inner);
    if (def) walk_part(w, &inner, def, part);
    return;
  case TEXP_APPLY:
    if (type->apply.fn->tag != TEXP_NAME) return;
    def = open_name(w, f, &type->apply.fn->name, &type->apply.args, &inner);
    if (def) walk_part(w, &inner, def, part);
    return;
  case TEXP_ARRAY: part_array(w, f, type, part); return;
  case TEXP_TUPLE:
    for (int i = 0; i < type->tuple.elems.len; i++)
      part_field(w, f, type->tuple.elems.at[i], part, tuple_name(w->e, i));
    return;
  case TEXP_RECORD:
    for (int i = 0; i < type->record.fields.len; i++)
      part_field(w, f, type->record.fields.at[i].type, part, type->record.fields.at[i].name);
    return;
  case TEXP_SUM: part_sum(w, f, type, part); return;
  case TEXP_ARROW: return;
  case TEXP_UNIQUE: walk_part(w, f, type->unique.elem, part); return;
  case TEXP_EXISTS:
    add_unknown(w, f->def, &type->exists.sizes);
    walk_part(w, f, type->exists.type, part);
    return;
  }
}

// ---- values ---------------------------------------------------------------------------------

static Val *walk_val(Walk *w, const Frame *f, const TypeExp *type, Val *v);

static void coercion_message(Walk *w, Text *text, Atoms *shown, Atoms have, const Atom *want,
                             int rank) {
  Elab *e = w->e;
  text_puts(text, "Value of (desugared) shape ");
  for (int k = 0; k < rank; k++) {
    text_puts(text, "[%d]");
    list_push(e->arena, shown, have.at[k]);
  }
  text_puts(text, " cannot match shape of type \"");
  const TypeExp *elem = w->type;
  for (int k = 0; k < rank; k++) {
    text_puts(text, "[%d]");
    list_push(e->arena, shown, want[k]);
    while (elem->tag == TEXP_UNIQUE) elem = elem->unique.elem;
    if (elem->tag == TEXP_ARRAY) elem = elem->array.elem;
  }
  type_exp_print(text, elem);
  text_puts(text, "\".");
}

static Atom leaf_settle(Walk *w, int i) {
  Elab *e = w->e;
  Atom leaf = w->leaves.at[i];
  Atoms have = dims_of(e, leaf);
  Atoms want = atoms_of(e->arena, have.len, w->want + i * w->stride);
  bool same = true;
  for (int k = 0; k < have.len; k++) same = same && atom_same(have.at[k], want.at[k]);
  Atom empty = same ? leaf : emit_empty_as(e, leaf, want);
  if (!is_blank(empty)) return empty;
  if (w->message) return emit_shaped(e, leaf, want, w->message);
  Atom ok = atom_bool(true);
  for (int k = 0; k < have.len; k++)
    if (!atom_same(have.at[k], want.at[k]))
      ok = emit_op(e, OP_AND, ok, emit_size_eq(e, have.at[k], want.at[k]));
  if (!atom_is(ok, 1)) {
    Text text = {0};
    Atoms shown = {0};
    coercion_message(w, &text, &shown, have, want.at, have.len);
    emit_assert(e, ok, arena_strdup(e->arena, text.at), shown);
    text_free(&text);
  }
  return emit_reshape(e, leaf, want);
}

static Val *walk_array(Walk *w, const Frame *f, const TypeExp *type, Val *v) {
  Elab *e = w->e;
  w->leaves = v->array.leaves;
  w->stride = 0;
  for (int i = 0; i < w->leaves.len; i++) {
    int rank = atom_type(e->prog, w->leaves.at[i]).rank;
    if (rank > w->stride) w->stride = rank;
  }
  w->want = NEW_ARRAY(e->arena, Atom, w->leaves.len * w->stride + 1);
  for (int i = 0; i < w->leaves.len; i++) {
    Atoms dims = dims_of(e, w->leaves.at[i]);
    for (int k = 0; k < dims.len; k++) w->want[i * w->stride + k] = dims.at[k];
  }
  const Loc *loc = e->b.loc;  // sizes have places of their own
  walk_part(w, f, type, (Part){val_sem(e, v), 0, w->leaves.len, 0});
  e->b.loc = loc;
  Atoms leaves = {0};
  for (int i = 0; i < w->leaves.len; i++) list_push(e->arena, &leaves, leaf_settle(w, i));
  return val_array(e, v->array.elem, leaves);
}

static Val *walk_fields(Walk *w, const Frame *f, Val *v, int len, const FieldType *fields,
                        TypeExp *const *elems) {
  Elab *e = w->e;
  if (v->tag != VAL_RECORD || v->record.len == 0) return v;
  Val **out = arena_copy(e->arena, v->record.at, sizeof *out * (size_t)v->record.len);
  Map *places = map_new(e->arena);
  for (int k = 0; k < v->record.len; k++) map_put(places, KEY(v->record.names[k]), &out[k]);
  for (int i = 0; i < len; i++) {
    Val **at = map_get(places, KEY(fields ? fields[i].name : tuple_name(e, i)));
    if (at) *at = walk_val(w, f, fields ? fields[i].type : elems[i], *at);
  }
  return val_record(e, v->record.len, v->record.names, out);
}

static Val *walk_con(Walk *w, const Frame *f, const TypeExp *type, Val *v) {
  Elab *e = w->e;
  if (v->tag != VAL_CON) return v;
  const SemCon *con = &v->con.sem->cons[v->con.index];
  Val **args = arena_copy(e->arena, v->con.args, sizeof *args * (size_t)con->len);
  for (int c = 0; c < type->sum.clauses.len; c++) {
    const SumClause *clause = &type->sum.clauses.at[c];
    if (clause->name != con->name) continue;
    for (int a = 0; a < con->len && a < clause->args.len; a++)
      args[a] = walk_val(w, f, clause->args.at[a], args[a]);
  }
  return val_con(e, v->con.sem, v->con.index, args);
}

static Val *walk_val(Walk *w, const Frame *f, const TypeExp *type, Val *v) {
  Frame inner;
  const TypeExp *def;
  switch (type->tag) {
  case TEXP_NAME:
    def = open_name(w, f, &type->name, NULL, &inner);
    return def ? walk_val(w, &inner, def, v) : v;
  case TEXP_APPLY:
    if (type->apply.fn->tag != TEXP_NAME) return v;
    def = open_name(w, f, &type->apply.fn->name, &type->apply.args, &inner);
    return def ? walk_val(w, &inner, def, v) : v;
  case TEXP_ARRAY: return v->tag == VAL_ARRAY ? walk_array(w, f, type, v) : v;
  case TEXP_TUPLE:
    return walk_fields(w, f, v, type->tuple.elems.len, NULL, type->tuple.elems.at);
  case TEXP_RECORD:
    return walk_fields(w, f, v, type->record.fields.len, type->record.fields.at, NULL);
  case TEXP_SUM: return walk_con(w, f, type, v);
  case TEXP_ARROW: return v;
  case TEXP_UNIQUE: return walk_val(w, f, type->unique.elem, v);
  case TEXP_EXISTS:
    add_unknown(w, f->def, &type->exists.sizes);
    return walk_val(w, f, type->exists.type, v);
  }
  return v;
}

// Existential names of the type are neither pending nor bound: each is bound where it occurs first.
static Pending with_existentials(Elab *e, const TypeExp *type, const Pending *pending) {
  Pending p = {0};
  for (int i = 0; pending && i < pending->names.len; i++) {
    list_push(e->arena, &p.names, pending->names.at[i]);
    list_push(e->arena, &p.bindings, pending->bindings.at[i]);
  }
  for (; type->tag == TEXP_EXISTS || type->tag == TEXP_UNIQUE;
       type = type->tag == TEXP_EXISTS ? type->exists.type : type->unique.elem)
    for (int i = 0; type->tag == TEXP_EXISTS && i < type->exists.sizes.len; i++) {
      const TypeParam *t = &type->exists.sizes.at[i];
      list_push(e->arena, &p.names, t->name);
      list_push(e->arena, &p.bindings, t->info ? t->info->binding : NULL);
    }
  return p;
}

Val *texp_match(Elab *e, const Env **env, const TypeExp *type, Val *v, Pending *pending,
                const char *message) {
  Pending more = {0};
  if (type->tag == TEXP_EXISTS || type->tag == TEXP_UNIQUE) {
    more = with_existentials(e, type, pending);
    if (!pending || more.names.len > pending->names.len) pending = &more;
  }
  const Env *inner = *env;
  Walk w = {.e = e, .env = pending == &more ? &inner : env, .base = *env, .pending = pending,
            .message = message, .type = type};
  Frame f = {.env = NULL};
  return walk_val(&w, &f, type, v);
}


// ---- types without values -------------------------------------------------------------------

static const Sem *overlay(Walk *w, const Frame *f, const TypeExp *type, const Sem *sem);

static Atom overlay_size(Walk *w, const Frame *f, const SizeExp *size, Atom hint) {
  bool plain = size->exp && (size->exp->tag == EXP_VAR || size->exp->tag == EXP_INT);
  if (!plain || !is_blank(hint)) return hint;
  bool known = true;
  Atom a = size_known(w->e, w, f, size, &known);
  return known ? a : hint;
}

static const Sem *overlay_fields(Walk *w, const Frame *f, const TypeExp *type, const Sem *sem) {
  Elab *e = w->e;
  const Sem **fields = arena_copy(e->arena, sem->fields, sizeof *fields * (size_t)sem->len);
  bool tuple = type->tag == TEXP_TUPLE;
  int len = tuple ? type->tuple.elems.len : type->record.fields.len;
  for (int i = 0; i < len; i++) {
    Name name = tuple ? tuple_name(e, i) : type->record.fields.at[i].name;
    for (int k = 0; k < sem->len; k++)
      if (sem->names[k] == name)
        fields[k] = overlay(w, f, tuple ? type->tuple.elems.at[i] : type->record.fields.at[i].type,
                            fields[k]);
  }
  return sem_record(e, sem->len, sem->names, fields);
}

static const Sem *overlay(Walk *w, const Frame *f, const TypeExp *type, const Sem *sem) {
  Frame inner;
  const TypeExp *def = NULL;
  switch (type->tag) {
  case TEXP_NAME: def = open_name(w, f, &type->name, NULL, &inner); break;
  case TEXP_APPLY:
    if (type->apply.fn->tag == TEXP_NAME)
      def = open_name(w, f, &type->apply.fn->name, &type->apply.args, &inner);
    break;
  case TEXP_ARRAY:
    if (sem->tag != SEM_ARRAY) return sem;
    return sem_array(w->e, overlay(w, f, type->array.elem, sem->elem),
                     overlay_size(w, f, &type->array.size, sem->dim));
  case TEXP_TUPLE:
  case TEXP_RECORD: return sem->tag == SEM_RECORD ? overlay_fields(w, f, type, sem) : sem;
  case TEXP_UNIQUE: return overlay(w, f, type->unique.elem, sem);
  case TEXP_EXISTS:
    add_unknown(w, f->def, &type->exists.sizes);
    return overlay(w, f, type->exists.type, sem);
  case TEXP_SUM:
  case TEXP_ARROW: return sem;
  }
  return def ? overlay(w, &inner, def, sem) : sem;
}

static bool has_sizes(const Sem *sem) {
  if (sem->tag == SEM_ARRAY) return true;
  for (int i = 0; sem->tag == SEM_RECORD && i < sem->len; i++)
    if (has_sizes(sem->fields[i])) return true;
  return false;
}

static const Sem *sem_sized(Elab *e, const Env *env, const TypeExp *type, const Pending *pending,
                            const Sem *sem) {
  if (!has_sizes(sem)) return sem;
  Walk w = {.e = e, .env = &env, .base = env, .pending = (Pending *)pending, .type = type};
  Frame f = {.env = NULL};
  return overlay(&w, &f, type, sem);
}

const Sem *texp_sem(Elab *e, const Env *env, const TypeExp *type, const Pending *pending) {
  return sem_sized(e, env, type, pending, sem_of_type(e, type->info->type, env));
}

const Sem *texp_hints(Elab *e, const Env *env, const TypeExp *type, const Sem *sem) {
  return sem_sized(e, env, type, NULL, sem);
}
