// The report: tables of what the analyses found and what the adjoint does about it.  The tangent's
// and the adjoint's functions are made, and looked at: nothing here decides anything.
#include "cost.h"
#include "sweep.h"

typedef struct {
  CProgram *p;
  Arena *arena;
  const CDiff *tangent, *adjoint;
  const CNames *lengths;
  Costs *forward, *reverse;
  CReport *out;
} Report;

static const char *text_of(Arena *arena, Text *t) {
  const char *s = arena_strdup(arena, t->at ? t->at : "");
  text_free(t);
  return s;
}

static const char *line_text(Arena *arena, Span at) {
  return at.src ? arena_printf(arena, "%d", span_place(at).line) : "";
}

static void row_add(Arena *arena, CReportTable *t, const char *const *cells) {
  CReportRow row = {{0}};
  for (int i = 0; i < MOST_COLUMNS && t->columns[i]; i++) row.cells[i] = cells[i];
  list_push(arena, &t->rows, row);
}

// ---- activity -----------------------------------------------------------------------------------
static const char *role(const Derived *f, int obj, const ObjSet *inputs, const ObjSet *outputs) {
  bool in = set_has(inputs, obj), out = set_has(outputs, obj) || obj == f->flow->result;
  if (set_has(&f->active, obj))
    return in && out ? "active: input and output" : in ? "active: input" : out ? "active: output"
                                                                               : "active";
  if (set_has(&f->varied, obj)) return "depends on inputs, influences no output";
  if (set_has(&f->useful, obj)) return "influences outputs, depends on no input";
  return "passive";
}

static bool is_shown(const Derived *f, int obj) {
  const Obj *o = &f->flow->objs.at[obj];
  const CType *t = o->type;
  t = ctype_element(t);
  if (o->tag == OBJ_HEAP || !ctype_is_float(t)) return false;
  o = cflow_whole(f->flow, obj);
  return o->tag == OBJ_TARGET || (o->tag == OBJ_VAR && o->var->number >= 0);
}

static CReportTable activity_table(const Report *r, const Derived *f) {
  CReportTable t = {.key = "activity", .title = "activity", .columns = {"place", "is"}};
  CFlow *source = cflow_of(r->p, f->source);
  ObjSet in = entry_places(f->flow, source, &f->given);
  ObjSet out = entry_places(f->flow, source, &f->wanted);
  for (int i = 0; i < f->flow->objs.len; i++) {
    if (!is_shown(f, i)) continue;
    Text name = {0};
    place_print(&name, f->flow, i);
    const char *cells[] = {text_of(r->arena, &name), role(f, i, &in, &out)};
    row_add(r->arena, &t, cells);
  }
  return t;
}

// ---- kept values --------------------------------------------------------------------------------
static bool same_span(Span a, Span b) { return a.src == b.src && a.from == b.from; }

static const char *how_kept(KeptTag tag) {
  switch (tag) {
    case KEPT_TAPE: return "on the tape";
    case KEPT_LOCAL: return "in a local variable";
    case KEPT_UNDONE: return "undone by the opposite step";
    case KEPT_CONDITION: return "which branch was taken";
    case KEPT_TRIPS: return "number of trips";
    case KEPT_END: return "on the tape, at the end";
    case KEPT_COPY: return "copied to the tape";
    case KEPT_AGAIN: return "";
  }
  return "";
}

static const char *bytes_kept(const Report *r, const Pushes *pushes, const Kept *k) {
  const char *text = pushed_text(r->arena, k->pushed);
  Poly sum = {.known = true};
  Span inside = {0};
  bool found = false, region = false;
  for (int i = 0; i < pushes->len; i++) {
    const Push *p = &pushes->at[i];
    if (!p->text || strcmp(p->text, text) != 0 || !same_span(p->at, k->at)) continue;
    sum = cpoly_add(r->arena, sum, p->bytes, 1);
    inside = p->inside;
    region = p->region;
    found = true;
  }
  if (!found) return "0";
  const char *bytes = cpoly_text(r->arena, sum);
  if (!inside.src) return bytes;
  if (region) return arena_printf(r->arena, "%s while it is executed again", bytes);
  return arena_printf(r->arena, "%s in an iteration of line %s", bytes,
                      line_text(r->arena, inside));
}

static const char *needed_text(Arena *arena, const Kept *k) {
  Text out = {0};
  for (int i = 0; i < k->needed.len; i++)
    text_printf(&out, "%s%d", i ? ", " : k->needed.len > 1 ? "lines " : "line ",
                k->needed.at[i]);
  if (k->outside) text_puts(&out, k->needed.len ? " and the caller" : "the caller");
  if (k->tag == KEPT_COPY) return "what is executed again";
  if (!out.len) text_puts(&out, k->tag == KEPT_CONDITION || k->tag == KEPT_TRIPS ?
                          "the way back through it" : "its own reverse code");
  return text_of(arena, &out);
}

static CReportTable kept_table(const Report *r, SweepNotes *notes, const Pushes *pushes) {
  CReportTable t = {.key = "kept", .title = "values kept for the reverse sweep",
                    .columns = {"line", "value", "how", "bytes", "needed by"}};
  kept_explain(notes);
  for (int i = 0; i < notes->kept.len; i++) {
    const Kept *k = &notes->kept.at[i];
    if (k->tag == KEPT_AGAIN) continue;
    const char *value = k->tag == KEPT_TRIPS ? "trips" : pushed_text(r->arena, k->place);
    const char *cells[] = {line_text(r->arena, k->at), value, how_kept(k->tag),
                           bytes_kept(r, pushes, k), needed_text(r->arena, k)};
    row_add(r->arena, &t, cells);
  }
  for (int i = 0; i < pushes->len; i++) {
    const Push *p = &pushes->at[i];
    bool call = false;
    for (int k = 0; p->text && k < r->adjoint->splits.len; k++)
      call |= strcmp(p->text, r->adjoint->splits.at[k]->forward_name) == 0;
    if (!call) continue;
    const char *cells[] = {line_text(r->arena, p->at), p->text, "what the call keeps",
                           cpoly_text(r->arena, p->bytes), "its reverse sweep"};
    row_add(r->arena, &t, cells);
  }
  return t;
}

// ---- loops --------------------------------------------------------------------------------------
typedef struct {
  const Report *r;
  SweepNotes *notes;
  const Pushes *pushes;
  CReportTable *table;
  CIndex index;
} Loops;

typedef struct {
  const Pushes *pushes;
  bool found;
} Keeps;

static bool keeps_here(const CStmt *s, void *state) {
  Keeps *k = state;
  for (int i = 0; i < k->pushes->len; i++)
    k->found |= k->pushes->at[i].text && same_span(k->pushes->at[i].at, s->at);
  return true;
}

static const char *iteration_text(const Loops *l, const CStmt *s) {
  Sweep w = sweep_new(l->notes->f, false);
  bool again = false, independent = s->tag == CS_FOR && loop_independent(&w, s);
  for (int i = 0; i < l->notes->kept.len; i++) again |= l->notes->kept.at[i].loop == s;
  Keeps keeps = {l->pushes, false};
  cstmt_visit(s->body, keeps_here, NULL, &keeps);
  if (!again)
    return arena_printf(l->r->arena, "%s, %s", independent ? "independent" : "in order",
                        keeps.found ? "values are kept" : "nothing is kept");
  const char *why = loop_believed(&w, s) ? "independent, as the pragma says" : "independent";
  for (int i = 0; i < l->pushes->len; i++) {
    const Push *p = &l->pushes->at[i];
    if (!p->text && same_span(p->at, s->at))
      return arena_printf(l->r->arena, "%s: executed again, each keeps %s bytes", why,
                          cpoly_text(l->r->arena, p->bytes));
  }
  return arena_printf(l->r->arena, "%s: executed again, nothing is kept", why);
}

static void loop_rows(Loops *l, const CStmt *s) {
  if (!s) return;
  CRange r = {.outer = l->index.ranges};
  bool loop = s->tag == CS_FOR || s->tag == CS_WHILE || s->tag == CS_DO;
  if (loop) {
    r = cindex_range(&l->index, s);
    Poly trips = loop_trips(l->r->reverse, &r, s);
    const char *cells[] = {line_text(l->r->arena, s->at), cpoly_text(l->r->arena, trips),
                           iteration_text(l, s)};
    row_add(l->r->arena, l->table, cells);
    l->index.ranges = &r;
  }
  for (int i = 0; i < s->stmts.len; i++) loop_rows(l, s->stmts.at[i]);
  loop_rows(l, s->body);
  loop_rows(l, s->other);
  if (loop) l->index.ranges = r.outer;
}

static CReportTable loops_table(const Report *r, SweepNotes *notes, const Pushes *pushes) {
  CReportTable t = {.key = "loops", .title = "loops", .columns = {"line", "trips", "iterations"}};
  Loops l = {r, notes, pushes, &t, {.arena = r->arena, .exact = true}};
  l.index.body = notes->f->simple->f->body;
  loop_rows(&l, l.index.body);
  return t;
}

// ---- kinks --------------------------------------------------------------------------------------
typedef struct {
  const Report *r;
  Derived *f;
  CReportTable *table;
  Span at;
} Kinks;

static bool reads_active(Kinks *k, const CExpr *e) {
  ObjSet reads = cflow_reads(k->f->flow, e);
  return set_meets(&reads, &k->f->active);
}

static void kink_add(const Kinks *k, const char *what, const char *where) {
  const char *cells[] = {line_text(k->r->arena, k->at), what, where};
  for (int i = 0; i < k->table->rows.len; i++) {
    const CReportRow *row = &k->table->rows.at[i];
    if (strcmp(row->cells[0], cells[0]) == 0 && strcmp(row->cells[1], what) == 0) return;
  }
  row_add(k->r->arena, k->table, cells);
}

static const char *kink_of(const char *name) {
  static const char *const rows[][2] = {
      {"fabs", "at 0: derivative 0"}, {"fmax", "where both are equal"},
      {"fmin", "where both are equal"}, {"fdim", "where both are equal"},
      {"sqrt", "at 0: derivative 0"}, {"cbrt", "at 0"}, {"hypot", "at 0"},
      {"floor", "derivative 0 everywhere"}, {"ceil", "derivative 0 everywhere"},
      {"round", "derivative 0 everywhere"}, {"rint", "derivative 0 everywhere"},
      {"trunc", "derivative 0 everywhere"}, {"nearbyint", "derivative 0 everywhere"},
      {"fmod", "where the quotient is whole"}};
  for (int i = 0; i < COUNT_OF(rows); i++) {
    size_t n = strlen(rows[i][0]);
    if (strncmp(name, rows[i][0], n) == 0 && (!name[n] || (name[n] == 'f' && !name[n + 1])))
      return rows[i][1];
  }
  return NULL;
}

static bool kink_expr(const CExpr *e, void *state) {
  Kinks *k = state;
  if (e->tag == CE_SIZEOF) return false;
  if (e->tag == CE_COND && reads_active(k, e->x))
    kink_add(k, "condition on active values", "where it changes");
  if (e->tag == CE_CALL && e->x->tag == CE_FUNCTION && reads_active(k, e)) {
    const char *where = kink_of(e->x->function->name);
    if (where) kink_add(k, e->x->function->name, where);
  }
  bool cast = (e->tag == CE_CAST || e->tag == CE_CONVERT) && ctype_is_integer(e->type) &&
              ctype_is_float(e->x->type);
  if (cast && reads_active(k, e->x))
    kink_add(k, "conversion to an integer", "derivative 0 everywhere");
  return true;
}

static bool kink_stmt(const CStmt *s, void *state) {
  Kinks *k = state;
  if (s->at.src) k->at = s->at;
  bool tests = s->tag == CS_IF || s->tag == CS_FOR || s->tag == CS_WHILE || s->tag == CS_DO ||
               s->tag == CS_SWITCH;
  if (tests && s->x && reads_active(k, s->x))
    kink_add(k, s->tag == CS_IF ? "branch on active values" : "loop ended by active values",
             "where it changes");
  return true;
}

static CReportTable kinks_table(const Report *r, Derived *f) {
  CReportTable t = {.key = "kinks", .title = "where it is not differentiable",
                    .columns = {"line", "what", "where"}};
  Kinks k = {r, f, &t, {0}};
  cstmt_visit(f->simple->f->body, kink_stmt, kink_expr, &k);
  return t;
}

// ---- costs, assumptions -------------------------------------------------------------------------
static const char *cost_text(const Report *r, const CostOf *of, Poly p) {
  return arena_printf(r->arena, "%s%s", of->bound && p.terms.len ? "at most " : "",
                      cpoly_text(r->arena, p));
}

static void cost_row(const Report *r, CReportTable *t, Costs *costs, const CFunction *f) {
  const CostOf *of = cost_of(costs, f);
  const char *cells[] = {f->name, cost_text(r, of, of->cost.arithmetic),
                         cost_text(r, of, of->cost.functions), cost_text(r, of, of->cost.push)};
  row_add(r->arena, t, cells);
}

static CReportTable costs_table(const Report *r, const Derived *tangent, const SweepNotes *notes) {
  const Derived *adjoint = notes->f;
  const Split *s = notes->split;
  CReportTable t = {.key = "costs", .title = "costs",
                    .columns = {"function", "arithmetic", "math functions", "bytes kept"}};
  cost_row(r, &t, r->forward, adjoint->source);
  if (tangent) cost_row(r, &t, r->forward, tangent->out);
  cost_row(r, &t, r->reverse, s ? s->forward : adjoint->out);
  if (s) cost_row(r, &t, r->reverse, s->backward);
  return t;
}

static void assume(const Report *r, CReportTable *t, const char *text) {
  const char *cells[] = {text};
  row_add(r->arena, t, cells);
}

static const char *elements_text(Arena *arena, const CExpr *n) {
  int64_t v;
  if (cexpr_integer(n, &v) && v == 1) return "1 element";
  return arena_printf(arena, "%s elements", pushed_text(arena, n));
}

static void lengths_assumed(const Report *r, CReportTable *t, Derived *f) {
  for (int i = 0; i < f->source->params.len; i++) {
    const CVar *v = f->source->params.at[i];
    if (v->type->tag != CTYPE_POINTER || !derived_param_active(f, i)) continue;
    const CExpr *n = cdiff_length_known(r->p, r->lengths, f->source, v);
    if (!n) continue;
    bool declared = n == v->type->length;
    assume(r, t, arena_printf(r->arena, "`%s` has %s, %s", v->name,
                              elements_text(r->arena, n),
                              declared ? "as declared"
                              : n->tag == CE_INT && n->spelling ? "as it was said"
                                                                : "as the largest index tells"));
  }
}

// Parameters of which one is written.
static void distinct_assumed(const Report *r, CReportTable *t, Derived *f) {
  CFlow *flow = cflow_of(r->p, f->source);
  Text all = {0};
  int n = 0;
  bool written = false;
  for (int i = 0; i < f->source->params.len; i++) {
    const CVar *v = f->source->params.at[i];
    if (v->type->tag != CTYPE_POINTER) continue;
    text_printf(&all, "%s`%s`", n++ ? ", " : "", v->name);
    ObjSet targets = flow->targets.at[cflow_var(flow, v)];
    written |= set_meets(&targets, &flow->writes);
  }
  const char *names = text_of(r->arena, &all);
  if (n > 1 && written)
    assume(r, t, arena_printf(r->arena, "%s point to different memory", names));
}

typedef struct {
  const Report *r;
  CReportTable *table;
  Sweep *w;
} Believed;

static bool believed_in(const CStmt *s, void *state) {
  Believed *b = state;
  if (s->tag == CS_FOR && loop_believed(b->w, s))
    assume(b->r, b->table, arena_printf(b->r->arena, "the iterations of line %s need no values of "
                                        "each other, as the pragma says",
                                        line_text(b->r->arena, s->at)));
  return true;
}

static CReportTable assumptions_table(const Report *r, Derived *f) {
  CReportTable t = {.key = "assumptions", .title = "assumptions", .columns = {"assumption"}};
  Sweep w = sweep_new(f, false);
  Believed believed = {r, &t, &w};
  cstmt_visit(f->simple->f->body, believed_in, NULL, &believed);
  if (!f->head) return t;
  lengths_assumed(r, &t, f);
  distinct_assumed(r, &t, f);
  assume(r, &t, "formulas: no loop has a negative number of trips");
  const Costs *both[2] = {r->reverse, r->forward};
  for (int b = 0; b < 2; b++)
    for (int i = 0; i < both[b]->symbols.len; i++) {
      const Symbol *s = &both[b]->symbols.at[i];
      bool again = false;
      for (int k = 0; b && k < both[0]->symbols.len; k++)
        again |= strcmp(both[0]->symbols.at[k].var->name, s->var->name) == 0;
      if (!again)
        assume(r, &t, arena_printf(r->arena, "%s: %s", s->var->name, s->meaning));
    }
  return t;
}

// ---- functions ----------------------------------------------------------------------------------
static Derived *tangent_of(const Report *r, const Derived *f) {
  for (int i = 0; i < r->tangent->derived.len; i++) {
    Derived *g = r->tangent->derived.at[i];
    if (g->source == f->source && g->head == f->head && g->result_active == f->result_active)
      return g;
  }
  return NULL;
}

static void table_add(const Report *r, CReportFunction *f, CReportTable t) {
  if (t.rows.len) list_push(r->arena, &f->tables, t);
}

static void function_add(const Report *r, SweepNotes *notes) {
  Derived *f = notes->f, *g = tangent_of(r, f);
  const Split *s = notes->split;
  CReportFunction out = {.name = f->source->name};
  out.made = s ? arena_printf(r->arena, "%s, %s", s->forward_name, s->backward_name) : f->name;
  const CostOf *of = cost_of(r->reverse, s ? s->forward : f->out);
  CReportTable kept = kept_table(r, notes, &of->pushes);
  CReportTable loops = loops_table(r, notes, &of->pushes);
  if (g) table_add(r, &out, activity_table(r, g));
  table_add(r, &out, kept);
  table_add(r, &out, loops);
  if (g) table_add(r, &out, kinks_table(r, g));
  table_add(r, &out, costs_table(r, g, notes));
  table_add(r, &out, assumptions_table(r, f));
  list_push(r->arena, r->out, out);
}

CReport cdiff_report(CProgram *p, const CDiffOptions *options) {
  CDiffOptions *both = NEW_ARRAY(p->arena, CDiffOptions, 2);
  both[0] = both[1] = *options;
  both[0].mode = CDIFF_TANGENT;
  both[1].mode = CDIFF_ADJOINT;
  CReport out = {0};
  CDiffResult tangent = cdiff_program(p, &both[0]), adjoint = cdiff_program(p, &both[1]);
  Report r = {.p = p, .arena = p->arena, .lengths = &options->lengths, .out = &out};
  r.tangent = tangent.heads.at[0]->d;
  r.adjoint = adjoint.heads.at[0]->d;
  Costs forward = costs_new(r.tangent), reverse = costs_new(r.adjoint);
  r.forward = &forward;
  r.reverse = &reverse;
  for (int i = 0; i < r.adjoint->notes.len; i++) function_add(&r, r.adjoint->notes.at[i]);
  return out;
}
