// How entry point values look from outside: a tree over their leaves, with type names for users.
//
// Names are those that the program wrote, seen through abbreviations: in `type t = (u, i32)` the
// first field of t is a u.  A type without a written name is named by its structure.
#include <string.h>
#include "local.h"

// Where names of a written type are looked up: inside a definition its parameters represent args.
typedef struct Frame {
  const Env *env;
  const TypeDef *def;         // NULL: not inside an abbreviation
  const TypeArgList *args;
  const struct Frame *outer;  // where the arguments are read
  const ModVal *mod;          // of the definition, where it was named through a module
  const char *path;           // how that module was named: "m."
} Frame;
typedef struct {
  const TypeExp *type;        // NULL: nothing was written
  const Frame *frame;
} Written;
static const Written nothing = {NULL, NULL};

// ---- written types --------------------------------------------------------------------------
static const TypeArg *frame_arg(const Frame *f, const QualName *name) {
  if (!f->def || !f->args || name->parts.len != 1) return NULL;
  for (int i = 0; i < f->def->params.len && i < f->args->len; i++) {
    const TypeDefParam *p = &f->def->params.at[i];
    if (!p->is_size && p->type->name == name->parts.at[0]) return &f->args->at[i];
  }
  return NULL;
}

static Written written_bare(Written w) {
  while (w.type && (w.type->tag == TEXP_UNIQUE || w.type->tag == TEXP_EXISTS))
    w.type = w.type->tag == TEXP_UNIQUE ? w.type->unique.elem : w.type->exists.type;
  return w;
}

// Whether the name is one of the module that the frame's definition was found in.
static bool frame_exports(Elab *e, const Frame *f, Name name) {
  const Env *found = f->mod ? mod_type(f->mod, name) : NULL;
  return found && found == env_type(e, f->env, name);
}

static const char *module_path(Elab *e, const NameList *path) {
  const char *out = "";
  for (int i = 0; i + 1 < path->len; i++)
    out = arena_printf(e->arena, "%s%s.", out, path->at[i]);
  return out;
}

// The meaning of a name.
static Written written_name(Elab *e, const Frame *f, const VarRef *ref, const TypeArgList *args) {
  const NameList *path = &ref->name.parts;
  const TypeArg *arg = frame_arg(f, &ref->name);
  if (arg) return (Written){arg->type, f->outer};
  const TypeDef *def = ref->inst ? ref->inst->def : NULL;
  if (!def || def->tag == TYPEDEF_PRIM || def->tag == TYPEDEF_PARAM || def->tag == TYPEDEF_ACC)
    return nothing;
  const Env *found = NULL;
  const ModVal *mod = NULL;
  Name last = path->at[path->len - 1];
  if (path->len > 1 && env_term(e, f->env, path->at[0]))
    mod = env_module(e, f->env, path->at, path->len - 1);
  if (path->len == 1) found = env_type(e, f->env, last);
  else if (mod) found = mod_type(mod, last);
  if (!found || !found->type.def->written) return nothing;
  Frame *inner = NEW(e->arena, Frame);
  *inner = (Frame){found->type.env, found->type.def, args, f, mod, mod ? module_path(e, path) : ""};
  if (!mod && frame_exports(e, f, last)) {
    inner->mod = f->mod;
    inner->path = f->path;
  }
  return (Written){found->type.def->written, inner};
}

// Abbreviations opened until a form shows.
static Written written_open(Elab *e, Written w) {
  for (;;) {
    w = written_bare(w);
    if (!w.type) return nothing;
    if (w.type->tag == TEXP_NAME)
      w = written_name(e, w.frame, &w.type->name, NULL);
    else if (w.type->tag == TEXP_APPLY && w.type->apply.fn->tag == TEXP_NAME)
      w = written_name(e, w.frame, &w.type->apply.fn->name, &w.type->apply.args);
    else
      return w;
  }
}

static Written written_field(Written w, int i, Name name) {
  if (!w.type) return nothing;
  if (w.type->tag == TEXP_TUPLE && i < w.type->tuple.elems.len)
    return (Written){w.type->tuple.elems.at[i], w.frame};
  if (w.type->tag == TEXP_RECORD)
    for (int k = 0; k < w.type->record.fields.len; k++)
      if (w.type->record.fields.at[k].name == name)
        return (Written){w.type->record.fields.at[k].type, w.frame};
  return nothing;
}

static Written written_payload(Written w, Name con, int i) {
  if (!w.type || w.type->tag != TEXP_SUM) return nothing;
  for (int k = 0; k < w.type->sum.clauses.len; k++) {
    const SumClause *c = &w.type->sum.clauses.at[k];
    if (c->name == con && i < c->args.len) return (Written){c->args.at[i], w.frame};
  }
  return nothing;
}

// ---- names ----------------------------------------------------------------------------------
static void name_of_sem(Text *out, const Sem *sem);

bool names_are_tuple(int len, const Name *names) {
  for (int i = 0; i < len; i++) {
    char number[16];
    snprintf(number, sizeof number, "%d", i);
    if (strcmp(names[i], number) != 0) return false;
  }
  return len != 1;
}

static void name_of_record(Text *out, const Sem *sem) {
  bool tuple = names_are_tuple(sem->len, sem->names);
  text_putc(out, tuple ? '(' : '{');
  for (int i = 0; i < sem->len; i++) {
    if (i) text_puts(out, ", ");
    if (!tuple) text_printf(out, "%s: ", sem->names[i]);
    name_of_sem(out, sem->fields[i]);
  }
  text_putc(out, tuple ? ')' : '}');
}

static void name_of_sum(Text *out, const Sem *sem) {
  for (int i = 0; i < sem->len; i++) {
    if (i) text_puts(out, " | ");
    text_printf(out, "#%s", sem->cons[i].name);
    for (int k = 0; k < sem->cons[i].len; k++) {
      const Sem *p = sem->cons[i].payload[k];
      text_putc(out, ' ');
      if (p->tag == SEM_SUM) text_putc(out, '(');
      name_of_sem(out, p);
      if (p->tag == SEM_SUM) text_putc(out, ')');
    }
  }
}

static void name_of_sem(Text *out, const Sem *sem) {
  switch (sem->tag) {
  case SEM_PRIM: text_puts(out, prim_info[sem->prim].name); return;
  case SEM_ARRAY:
    text_puts(out, "[]");
    name_of_sem(out, sem->elem);
    return;
  case SEM_RECORD: name_of_record(out, sem); return;
  case SEM_SUM: name_of_sum(out, sem); return;
  case SEM_ACC: text_puts(out, "acc"); return;
  case SEM_FUN: text_puts(out, "->"); return;
  }
}

// The written type without sizes, stars and existentials.
static void name_of_texp(Elab *e, Text *out, const TypeExp *type, const Frame *f) {
  switch (type->tag) {
  case TEXP_NAME: {
    const TypeArg *arg = frame_arg(f, &type->name.name);
    if (arg) {
      name_of_texp(e, out, arg->type, f->outer);
      return;
    }
    if (type->name.name.parts.len == 1 && frame_exports(e, f, type->name.name.parts.at[0]))
      text_puts(out, f->path);
    qual_name_print(out, &type->name.name);
    return;
  }
  case TEXP_APPLY:
    name_of_texp(e, out, type->apply.fn, f);
    for (int i = 0; i < type->apply.args.len; i++) {
      if (type->apply.args.at[i].is_size) continue;
      text_putc(out, ' ');
      name_of_texp(e, out, type->apply.args.at[i].type, f);
    }
    return;
  case TEXP_ARRAY:
    text_puts(out, "[]");
    name_of_texp(e, out, type->array.elem, f);
    return;
  case TEXP_TUPLE:
    text_putc(out, '(');
    for (int i = 0; i < type->tuple.elems.len; i++) {
      if (i) text_puts(out, ", ");
      name_of_texp(e, out, type->tuple.elems.at[i], f);
    }
    text_putc(out, ')');
    return;
  case TEXP_RECORD:
    text_putc(out, '{');
    for (int i = 0; i < type->record.fields.len; i++) {
      if (i) text_puts(out, ", ");
      text_printf(out, "%s: ", type->record.fields.at[i].name);
      name_of_texp(e, out, type->record.fields.at[i].type, f);
    }
    text_putc(out, '}');
    return;
  case TEXP_SUM:
    for (int i = 0; i < type->sum.clauses.len; i++) {
      const SumClause *c = &type->sum.clauses.at[i];
      text_printf(out, i ? " | #%s" : "#%s", c->name);
      for (int k = 0; k < c->args.len; k++) {
        text_putc(out, ' ');
        name_of_texp(e, out, c->args.at[k], f);
      }
    }
    return;
  case TEXP_ARROW: type_exp_print(out, type); return;
  case TEXP_UNIQUE: name_of_texp(e, out, type->unique.elem, f); return;
  case TEXP_EXISTS: name_of_texp(e, out, type->exists.type, f); return;
  }
}

static const char *type_name(Elab *e, const Sem *sem, Written w) {
  Text text = {0};
  bool plain = sem->tag == SEM_PRIM;
  const Sem *elem = sem;
  while (elem->tag == SEM_ARRAY) elem = elem->elem;
  plain = plain || elem->tag == SEM_PRIM;
  if (w.type && !plain) name_of_texp(e, &text, w.type, w.frame);
  else name_of_sem(&text, sem);
  const char *name = arena_strdup(e->arena, text.at ? text.at : "()");
  text_free(&text);
  return name;
}

static int width(Elab *e, const Sem *sem) {
  Leaves leaves = {0};
  sem_leaves(e, sem, &leaves);
  return leaves.len;
}

static const AbiType *abi_of(Elab *e, const Sem *sem, Written w);

static void abi_record(Elab *e, AbiType *out, const Sem *sem, Written open) {
  out->kind = ABI_RECORD;
  out->is_tuple = names_are_tuple(sem->len, sem->names);
  for (int i = 0; i < sem->len; i++) {
    list_push(e->arena, &out->field_names, sem->names[i]);
    list_push(e->arena, &out->fields,
              abi_of(e, sem->fields[i], written_field(open, i, sem->names[i])));
  }
}

static void abi_sum(Elab *e, AbiType *out, const Sem *sem, Written open) {
  out->kind = ABI_SUM;
  for (int i = 0; i < sem->len; i++) {
    const SemCon *con = &sem->cons[i];
    list_push(e->arena, &out->field_names, con->name);
    list_grow(e->arena, (void **)&out->payloads.at, out->payloads.len, &out->payloads.cap,
              sizeof *out->payloads.at);
    list_grow(e->arena, (void **)&out->slots.at, out->slots.len, &out->slots.cap,
              sizeof *out->slots.at);
    int at_con = out->payloads.len++;
    out->slots.len++;
    out->payloads.at[at_con].at = NULL;
    out->payloads.at[at_con].len = out->payloads.at[at_con].cap = 0;
    out->slots.at[at_con].at = NULL;
    out->slots.at[at_con].len = out->slots.at[at_con].cap = 0;
    for (int k = 0; k < con->len; k++)
      list_push(e->arena, &out->payloads.at[at_con],
                abi_of(e, con->payload[k], written_payload(open, con->name, k)));
    for (int k = 0; k < con->slots.len; k++)
      list_push(e->arena, &out->slots.at[at_con], (int)con->slots.at[k]);
  }
}

// Dimensions above an element that is no array.
static void abi_array(Elab *e, AbiType *out, const Sem *sem, Written open) {
  const Sem *elem = sem;
  Written inner = open;
  for (; elem->tag == SEM_ARRAY; elem = elem->elem) {
    if (out->rank > 0) open = written_open(e, inner);
    bool shown = open.type && open.type->tag == TEXP_ARRAY;
    inner = shown ? (Written){open.type->array.elem, open.frame} : nothing;
    out->rank++;
  }
  out->kind = elem->tag == SEM_PRIM ? ABI_ARRAY : ABI_OPAQUE_ARRAY;
  if (elem->tag == SEM_PRIM) out->prim = elem->prim;
  else list_push(e->arena, &out->fields, abi_of(e, elem, inner));
}

static const AbiType *abi_of(Elab *e, const Sem *sem, Written w) {
  AbiType *out = NEW(e->arena, AbiType);
  w = written_bare(w);
  Written open = written_open(e, w);
  out->name = type_name(e, sem, w);
  out->leaves = width(e, sem);
  switch (sem->tag) {
  case SEM_PRIM:
    out->kind = ABI_SCALAR;
    out->prim = sem->prim;
    return out;
  case SEM_ARRAY: abi_array(e, out, sem, open); return out;
  case SEM_RECORD: abi_record(e, out, sem, open); return out;
  case SEM_SUM: abi_sum(e, out, sem, open); return out;
  case SEM_ACC:
  case SEM_FUN: break;
  }
  ice("an entry point value without external form");
}

const AbiType *abi_type(Elab *e, const Sem *sem, const TypeExp *type, const Env *env) {
  Frame *frame = NEW(e->arena, Frame);
  *frame = (Frame){.env = env};
  return abi_of(e, sem, (Written){type, frame});
}
