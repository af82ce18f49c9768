// Copying functions, whole programs, and lambdas within a program.
#include "local.h"
#include <string.h>

static const char *text_copy(Arena *arena, const char *s) {
  return s ? arena_strdup(arena, s) : NULL;
}

static const AbiType *abi_copy(Arena *arena, const AbiType *t) {
  if (!t) return NULL;
  AbiType *out = arena_copy(arena, t, sizeof *t);
  out->name = text_copy(arena, t->name);
  out->field_names.at = NULL, out->field_names.len = out->field_names.cap = 0;
  out->fields.at = NULL, out->fields.len = out->fields.cap = 0;
  out->payloads.at = NULL, out->payloads.len = out->payloads.cap = 0;
  out->slots.at = NULL, out->slots.len = out->slots.cap = 0;
  for (int i = 0; i < t->field_names.len; i++)
    list_push(arena, &out->field_names, text_copy(arena, t->field_names.at[i]));
  for (int i = 0; i < t->fields.len; i++)
    list_push(arena, &out->fields, abi_copy(arena, t->fields.at[i]));
  out->payloads.at = arena_alloc(arena, sizeof *out->payloads.at * (size_t)t->payloads.len);
  out->payloads.cap = t->payloads.len;
  for (int i = 0; i < t->payloads.len; i++, out->payloads.len++)
    for (int k = 0; k < t->payloads.at[i].len; k++)
      list_push(arena, &out->payloads.at[i], abi_copy(arena, t->payloads.at[i].at[k]));
  out->slots.at = arena_alloc(arena, sizeof *out->slots.at * (size_t)t->slots.len);
  out->slots.cap = t->slots.len;
  for (int i = 0; i < t->slots.len; i++, out->slots.len++)
    for (int k = 0; k < t->slots.at[i].len; k++)
      list_push(arena, &out->slots.at[i], t->slots.at[i].at[k]);
  return out;
}

static AbiParam abi_param_copy(Arena *arena, AbiParam p) {
  return (AbiParam){.name = text_copy(arena, p.name),
                    .type = abi_copy(arena, p.type),
                    .unique = p.unique};
}

static const EntryInfo *entry_copy(Arena *arena, const EntryInfo *entry) {
  if (!entry) return NULL;
  EntryInfo *out = NEW(arena, EntryInfo);
  out->name = text_copy(arena, entry->name);
  out->doc = text_copy(arena, entry->doc);
  out->sizes = entry->sizes;
  out->size_params = entry->size_params;
  out->result = abi_param_copy(arena, entry->result);
  for (int i = 0; i < entry->params.len; i++)
    list_push(arena, &out->params, abi_param_copy(arena, entry->params.at[i]));
  return out;
}

static const Loc *loc_copy(Arena *arena, const Loc *loc) {
  if (!loc) return NULL;
  Loc *out = arena_copy(arena, loc, sizeof *loc);
  out->caller = loc_copy(arena, loc->caller);
  return out;
}

Note note_copy(Arena *arena, Note note) {
  return (Note){
      .loc = loc_copy(arena, note.loc), .kind = note.kind, .text = text_copy(arena, note.text)};
}

static Vars binders_copy(Rewrite *w, Vars old) {
  Vars vars = {0};
  for (int i = 0; i < old.len; i++) list_push(w->to.prog->arena, &vars, rewrite_var(w, old.at[i]));
  return vars;
}

Fn *rewrite_fn(Rewrite *w, const Fn *fn) {
  Arena *arena = w->to.prog->arena;
  Fn *out = NEW(arena, Fn);
  out->name = text_copy(arena, fn->name);
  out->params = binders_copy(w, fn->params);
  out->body = rewrite_body(w, &fn->body);
  out->results = binders_copy(w, fn->results);
  bool same = w->from == w->to.prog;
  out->entry = same ? fn->entry : entry_copy(arena, fn->entry);
  out->loc = same ? fn->loc : loc_copy(arena, fn->loc);
  out->attrs = fn->attrs;
  return out;
}

Prog *rewrite_prog(const Prog *prog, Arena *arena, Rewrite *w) {
  Prog *out = prog_new(arena);
  out->level = prog->level;
  out->switches = prog->switches;
  out->target = prog->target;
  out->one_case = prog->one_case;
  vars_reserve(out, prog->vars.len);
  Rewrite fresh = rewrite_new(prog, builder_new(out, &out->constants));
  fresh.stm = w->stm;
  *w = fresh;
  rewrite_stms(w, prog->constants);
  for (int i = 0; i < prog->fns.len; i++) {
    Fn *fn = rewrite_fn(w, prog->fns.at[i]);
    list_push(arena, &out->fns, fn);
  }
  out->vars_made = out->vars.len;
  out->bytes_made = arena_used(arena);
  return out;
}

Lambda *lambda_copy(Builder *b, const Lambda *fn) {
  Rewrite w = rewrite_new(b->prog, *b);
  return rewrite_lambda(&w, fn);
}

Atoms body_inline(Builder *b, const Prog *from, const Body *body, Vars params, Atoms args) {
  check(params.len == args.len);
  Rewrite w = rewrite_new(from, *b);
  for (int i = 0; i < args.len; i++) rewrite_bind(&w, params.at[i], args.at[i]);
  rewrite_stms(&w, body->stms);
  return rewrite_atoms(&w, body->results);
}

Atoms lambda_inline(Builder *b, const Lambda *fn, Atoms args) {
  return body_inline(b, b->prog, &fn->body, fn->params, args);
}
