// The files: a header with the types and prototypes of the derivatives, and their source.  Types of
// the user's file go into the header, static functions that derivatives call are copied.
#include "sweep.h"

void note_original(CDiff *d, const CFunction *f) {
  CFunction *body = cprogram_body(d->p, f);
  if (!body) return;
  for (int i = 0; i < d->originals.len; i++)
    if (d->originals.at[i] == body) return;
  list_push(d->arena, &d->originals, body);
}

static bool find_static(const CExpr *e, void *state) {
  if (e->tag == CE_FUNCTION) note_original(state, e->function);
  return true;
}

typedef struct {
  CDiff *d;
  Map *called;
} Called;

static bool find_called(const CExpr *e, void *state) {
  const Called *c = state;
  CFunction *body = e->tag == CE_FUNCTION ? cprogram_body(c->d->p, e->function) : NULL;
  if (body) map_put(c->called, KEY(body), body);
  return true;
}

void code_visit(CDiff *d, CExprVisit *visit, void *state) {
  for (int i = 0; i < d->derived.len; i++)
    if (d->derived.at[i]->out) cstmt_visit(d->derived.at[i]->out->body, NULL, visit, state);
  for (int i = 0; i < d->splits.len; i++) {
    if (!d->splits.at[i]->made) continue;
    cstmt_visit(d->splits.at[i]->forward->body, NULL, visit, state);
    cstmt_visit(d->splits.at[i]->backward->body, NULL, visit, state);
  }
}

// Without the functions whose calls were removed as statements that nothing uses.
static void keep_called(CDiff *d) {
  Called c = {d, map_new(d->arena)};
  code_visit(d, find_called, &c);
  int kept = 0;
  for (int i = 0; i < d->originals.len; i++)
    if (map_get(c.called, KEY(d->originals.at[i]))) d->originals.at[kept++] = d->originals.at[i];
  d->originals.len = kept;
}

// Functions that copies of static functions call.
static void close_originals(CDiff *d) {
  for (int i = 0; i < d->originals.len; i++)
    if (d->originals.at[i]->is_static)
      cstmt_visit(d->originals.at[i]->body, NULL, find_static, d);
}

static CUnit without_items(const CUnit *unit) {
  CUnit r = *unit;
  r.items.len = r.items.cap = 0;
  r.items.at = NULL;
  return r;
}

static void print_types(Text *out, CDiff *d) {
  for (int u = 0; u < d->p->units.len; u++) {
    CUnit types = without_items(d->p->units.at[u]);
    for (int i = 0; i < d->p->units.at[u]->items.len; i++) {
      CItem item = d->p->units.at[u]->items.at[i];
      if (item.tag == CITEM_VARS && item.record) item.tag = CITEM_RECORD;
      bool type = item.tag == CITEM_RECORD || item.tag == CITEM_TYPEDEF;
      if (type && !item.included) list_push(d->arena, &types.items, item);
      if (type && item.record) headers_enumerators(d, item.record);
    }
    cunit_print(out, &types);
  }
}

static bool is_copied(const CDiff *d, const CFunction *f) {
  for (int i = 0; i < d->derived.len; i++)
    if (d->derived.at[i]->source == f) return true;
  for (int i = 0; i < d->originals.len; i++)
    if (d->originals.at[i] == f && f->is_static) return true;
  return false;
}

static bool is_member(const CUnit *unit, const CRecord *r) {
  for (int i = 0; i < unit->records.len; i++)
    for (int k = 0; k < unit->records.at[i]->fields.len; k++)
      if (unit->records.at[i]->fields.at[k].record == r) return true;
  return false;
}

// Of the functions whose statements are in the source.
static void print_inner_types(Text *out, const CDiff *d) {
  for (int u = 0; u < d->p->units.len; u++) {
    const CUnit *unit = d->p->units.at[u];
    CUnit types = without_items(unit);
    for (int i = 0; i < unit->records.len; i++) {
      const CRecord *r = unit->records.at[i];
      if (!r->owner || !is_copied(d, r->owner) || is_member(unit, r)) continue;
      CItem item = {.tag = CITEM_RECORD, .record = r};
      list_push(d->arena, &types.items, item);
    }
    types.includes = (CTexts){0};
    cunit_print(out, &types);
  }
}

static void print_shadow_records(Text *out, const CDiff *d) {
  for (int i = 0; i < d->shadow_records.len; i++)
    text_printf(out, "typedef struct %s %s;\n", d->shadow_records.at[i]->alias,
                d->shadow_records.at[i]->alias);
  for (int i = 0; i < d->shadow_records.len; i++) {
    const CRecord *r = d->shadow_records.at[i];
    text_printf(out, "#ifndef DAGAZ_HAS_%s\n#define DAGAZ_HAS_%s\n", r->alias, r->alias);
    text_printf(out, "struct %s {\n", r->alias);
    for (int k = 0; k < r->fields.len; k++) {
      text_puts(out, "  ");
      ctype_print(out, r->fields.at[k].type, r->fields.at[k].name);
      text_puts(out, ";\n");
    }
    text_puts(out, "};\n#endif\n");
  }
}

void place_print(Text *out, const CFlow *f, int obj) {
  Obj o = f->objs.at[obj];
  if (o.tag == OBJ_VAR) text_puts(out, o.var->name);
  else if (o.tag == OBJ_FIELD) {
    Obj p = f->objs.at[o.parent];
    bool arrow = p.tag == OBJ_TARGET;
    place_print(out, f, arrow ? p.parent : o.parent);
    text_printf(out, "%s%s", arrow ? "->" : ".", o.field->name);
  } else if (o.tag == OBJ_TARGET) {
    text_putc(out, '*');
    place_print(out, f, o.parent);
  }
}

static void places_print(Text *out, const Derived *f, const ObjSet *set) {
  for (int i = 0; i < f->flow->objs.len; i++) {
    if (!set_has(set, i) || !f->flow->objs.at[i].entry) continue;
    text_putc(out, ' ');
    place_print(out, f->flow, i);
  }
}

// The words that scripts written for other tools look for.
static void comment_print(Text *out, Derived *f) {
  bool adjoint = f->d->options->mode == CDIFF_ADJOINT;
  static const char *const modes[2][2] = {
      {"forward (tangent)", "forward (tangent), several directions,"},
      {"reverse (adjoint)", "reverse (adjoint), several directions,"}};
  text_printf(out, "/*  Differentiation of %s in %s mode:\n     %s of useful results:",
      f->source->name,
              modes[adjoint][directions_many(f->d)],
              adjoint ? "gradient    " : "variations  ");
  if (f->result_active) text_printf(out, " %s", f->source->name);
  places_print(out, f, &f->wanted);
  text_puts(out, "\n     with respect to varying inputs:");
  places_print(out, f, &f->given);
  text_puts(out, "  */\n");
}

static VarUse use_of_all(const CDiff *d) {
  VarUse use = var_use_new(d->arena);
  for (int i = 0; i < d->derived.len; i++)
    if (d->derived.at[i]->out) var_use_add(&use, d->derived.at[i]->out->body, true);
  for (int i = 0; i < d->splits.len; i++) {
    if (!d->splits.at[i]->made) continue;
    var_use_add(&use, d->splits.at[i]->forward->body, true);
    var_use_add(&use, d->splits.at[i]->backward->body, true);
  }
  for (int i = 0; i < d->originals.len; i++)
    if (d->originals.at[i]->is_static) var_use_add(&use, d->originals.at[i]->body, false);
  return use;
}

// A static variable of the file has a copy beside the derivatives: one that is never written, or a
// counter that they do not read.
static void print_globals(Text *out, CDiff *d) {
  VarUse use = use_of_all(d);
  for (int u = 0; u < d->p->units.len; u++) {
    const CUnit *unit = d->p->units.at[u];
    for (int i = 0; i < unit->globals.len; i++) {
      const CVar *v = unit->globals.at[i];
      if (!map_get(use.used, KEY(v)) || (v->at.src && v->at.src != unit->source)) continue;
      if (!v->at.src) continue;
      bool kept = (v->type->quals & CQ_CONST) || !v->addressed;
      bool counts = !map_get(use.read, KEY(v)) && !v->addressed && ctype_is_scalar(v->type);
      bool fixed = v->storage == CSTORE_STATIC && ((!v->assigned && kept) || counts);
      if (v->storage == CSTORE_STATIC && !fixed)
        refuse(d, v->at, "[c-global] A static variable of the file that is written.",
               "make it a parameter of the functions that use it");
      if (!fixed) headers_variable(d, v);
      text_puts(out, fixed ? "static " : "extern ");
      ctype_print(out, v->type, v->name);
      if (fixed && v->init) {
        text_puts(out, " = ");
        cexpr_print(out, v->init);
      }
      text_puts(out, ";\n");
    }
  }
}

static void print_originals(Text *out, CDiff *d) {
  for (int i = 0; i < d->originals.len; i++) {
    if (!d->originals.at[i]->is_static) headers_function(d, d->originals.at[i]);
    cfunction_head_print(out, d->originals.at[i]);
    text_puts(out, ";\n");
  }
  for (int i = 0; i < d->originals.len; i++) {
    if (!d->originals.at[i]->is_static) continue;
    text_putc(out, '\n');
    cfunction_print(out, d->originals.at[i], d->layout);
  }
}

static void print_prototypes(Text *out, const CDiff *d, bool heads) {
  for (int i = 0; i < d->derived.len; i++) {
    const Derived *f = d->derived.at[i];
    bool repeated = false;
    for (int k = 0; k < i; k++) repeated |= d->derived.at[k] == f;
    if (repeated || f->head != heads || !f->out) continue;
    if (heads) comment_print(out, d->derived.at[i]);
    cfunction_head_print(out, f->out);
    text_puts(out, ";\n");
  }
}

static void print_splits(Text *out, const CDiff *d, bool bodies) {
  for (int i = 0; i < d->splits.len; i++) {
    const Split *s = d->splits.at[i];
    const CFunction *parts[2] = {s->forward, s->backward};
    for (int k = 0; s->made && k < 2; k++) {
      if (bodies) {
        text_printf(out, "\n/*  %s sweep of %s, with what it keeps on the tape  */\n",
                    k ? "Reverse" : "Forward", s->f->source->name);
        cfunction_print(out, parts[k], d->layout);
      } else {
        cfunction_head_print(out, parts[k]);
        text_puts(out, ";\n");
      }
    }
  }
}

static void guard_name(char *p) {
  for (; *p; p++)
    if (!((*p >= '0' && *p <= '9') || ((*p | 32) >= 'a' && (*p | 32) <= 'z'))) *p = '_';
}

const char *cdiff_tail(const CDiffOptions *o) {
  static const char *const tails[2][2] = {{"d", "dv"}, {"b", "bv"}};
  return tails[o->mode == CDIFF_ADJOINT][o->directions > 0];
}

static const char *header_text(CDiff *d) {
  Text out = {0};
  const char *tail = cdiff_tail(d->options);
  char guard[128];
  snprintf(guard, sizeof guard, "%.100s_%s_h", d->options->base, tail);
  guard_name(guard);
  text_printf(&out, "#ifndef DAGAZ_%s\n#define DAGAZ_%s\n", guard, guard);
  text_puts(&out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
  char types[128];
  snprintf(types, sizeof types, "%.100s", d->p->units.at[0]->path);
  guard_name(types);
  text_printf(&out, "#ifndef DAGAZ_TYPES_%s\n#define DAGAZ_TYPES_%s\n", types, types);
  print_types(&out, d);
  text_puts(&out, "#endif\n");
  if (directions_many(d) && !directions_any(d))
    text_printf(&out, "#ifndef NBDirsMax\n#define NBDirsMax %d\n#endif\n",
                d->options->directions);
  print_shadow_records(&out, d);
  if (directions_any(d)) text_puts(&out, "#ifndef __cplusplus  // which has no such parameters\n");
  print_prototypes(&out, d, true);
  if (directions_any(d)) text_puts(&out, "#endif\n");
  text_puts(&out, "#ifdef __cplusplus\n}\n#endif\n#endif\n");
  const char *text = arena_strdup(d->arena, out.at);
  text_free(&out);
  return text;
}

static const char *source_text(CDiff *d) {
  Text out = {0};
  bool adjoint = d->options->mode == CDIFF_ADJOINT;
  text_printf(&out, "/* Made by `dagaz %s` from %s. */\n#include \"%s_%s.h\"\n#include <stdlib.h>\n"
              "#include <math.h>\n#include <string.h>\n", adjoint ? "adjoint" : "tangent",
              d->p->units.at[0]->path, d->options->base, cdiff_tail(d->options));
  if (d->tape) text_puts(&out, "#include \"dagaz_tape.h\"\n");
  text_putc(&out, '\n');
  print_inner_types(&out, d);
  print_globals(&out, d);
  print_originals(&out, d);
  print_prototypes(&out, d, false);
  print_splits(&out, d, false);
  print_splits(&out, d, true);
  for (int i = 0; i < d->derived.len; i++) {
    Derived *f = d->derived.at[i];
    bool repeated = false;
    for (int k = 0; k < i; k++) repeated |= d->derived.at[k] == f;
    if (repeated || !f->out) continue;
    text_putc(&out, '\n');
    comment_print(&out, f);
    cfunction_print(&out, f->out, d->layout);
  }
  const char *text = arena_strdup(d->arena, out.at);
  text_free(&out);
  return text;
}

// Making one function may ask for others.
static bool make_one(CDiff *d) {
  bool adjoint = d->options->mode == CDIFF_ADJOINT;
  for (int i = 0; i < d->derived.len; i++) {
    Derived *f = d->derived.at[i];
    if (f->made || (!f->head && !f->used)) continue;
    f->made = true;
    if (adjoint) adjoint_make(f);
    else tangent_make(f);
    return true;
  }
  for (int i = 0; i < d->splits.len; i++) {
    Split *s = d->splits.at[i];
    if (s->made || !s->used) continue;
    s->made = true;
    split_make(s);
    return true;
  }
  return false;
}

static void make_all(CDiff *d) {
  while (make_one(d)) {}
}

CDiffResult cdiff_program(CProgram *p, const CDiffOptions *options) {
  CDiff *d = NEW(p->arena, CDiff);
  *d = (CDiff){.p = p, .arena = p->arena, .options = options, .records = map_new(p->arena),
               .library = map_new(p->arena), .passive = map_new(p->arena),
               .made_calls = map_new(p->arena), .given = map_new(p->arena)};
  CDiffResult result = {0};
  cprogram_lift(p);
  for (int i = 0; i < options->heads.len; i++)
    list_push(p->arena, &result.heads, derived_head(d, &options->heads.at[i]));
  make_all(d);
  keep_called(d);
  rule_originals(d);
  given_originals(d);
  close_originals(d);
  headers_names(d);
  result.header = header_text(d);
  d->layout = p->units.at[0]->layout;
  d->layout.printed = NEW(d->arena, CPrintedList);
  d->layout.printed->arena = d->arena;
  result.source = source_text(d);
  headers_names_back(d);
  result.printed = d->layout.printed;
  result.tape = d->tape;
  return result;
}
