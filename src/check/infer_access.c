// Parts of values: fields, indices, slices, updates.
#include "local.h"

//  e : {f: t, ..}
//  --------------
//  e.f : t
SType *field_project(Checker *c, SType *record, Name field, Span at) {
  record = stype_find(record);
  if (record->tag == TYPE_ERROR) return record;
  if (record->tag == TYPE_RECORD) {
    SType *known = stype_field(record, field);
    if (known) return stype_strip(c, known);
  }
  SType *t = stype_fresh(c, LIFT_FULL, at, NULL);
  if (!unify(c, record, stype_fresh_record(c, field, t, at))) {
    report(c, at, "[no-field] Cannot project field \"%s\".\n%s", field, c->why);
    hint_field(c, record, field, at);
  }
  return t;
}

SType *infer_project(Checker *c, Expr *exp) {
  SType *record = infer(c, exp->project.src);
  return field_project(c, record, exp->project.field, exp->project.field_span);
}

static void slice_part(Checker *c, Expr *part) {
  if (!part) return;
  SType *t = infer(c, part);
  if (!unify(c, c->prims[PRIM_I64], t))
    mismatch_report(c, part->span, c->prims[PRIM_I64], t,
                    "[index-type] Slice component \"%s\" does not have expected type.",
                    exp_text(c, part));
}

static void index_part(Checker *c, Index *ix) {
  if (ix->tag == INDEX_SLICE) {
    slice_part(c, ix->i);
    slice_part(c, ix->j);
    slice_part(c, ix->s);
    return;
  }
  SType *t = infer(c, ix->i), *want = stype_fresh_prim(c, PRIMS_SIGNED, ix->span, "an index");
  if (!unify(c, want, t))
    mismatch_report(c, ix->i->span, want, t, "[index-type] Index \"%s\" does not have expected "
                                             "type.",
                    exp_text(c, ix->i));
}

//  a : []..[]u, as many dimensions as indices
//  ------------------------------------------
//  a[..] : []..u, one dimension per slice
static SType *index_type(Checker *c, SType *array, IndexList *index, Span at,
                         const Expr *what) {
  for (int i = 0; i < index->len; i++) index_part(c, &index->at[i]);
  SType *u = stype_row(array, index->len);
  if (!u) {
    u = stype_fresh(c, LIFT_NONE, at, "an array element");
    SType *want = u;
    for (int i = 0; i < index->len; i++) want = stype_array(c, NULL, want);
    if (!unify(c, want, array)) {
      mismatch_report(c, at, want, array, "[index-rank] Cannot index \"%s\" with %d indices.",
                      what ? exp_text(c, what) : "section argument", index->len);
      return c->error;
    }
  }
  for (int i = index->len; i-- > 0;)
    if (index->at[i].tag == INDEX_SLICE) u = stype_array(c, NULL, u);
  return u;
}

// `a[i] [j]` applies an index expression to an array literal; the parser rejects it.
SType *infer_index(Checker *c, Expr *exp) {
  SType *array = infer(c, exp->index.src);
  return index_type(c, array, &exp->index.index, exp->index.src->span, exp->index.src);
}

static SType *path_type(Checker *c, SType *type, StepList *path, Span at,
                        const Expr *what) {
  for (int i = 0; i < path->len; i++) {
    Step *step = &path->at[i];
    if (step->tag == STEP_FIELD) type = field_project(c, type, step->field, step->span);
    else type = index_type(c, type, &step->index, at, what);
  }
  return type;
}

SType *infer_update(Checker *c, Expr *exp) {
  SType *src = infer(c, exp->update.src);
  SType *part = path_type(c, src, &exp->update.path, exp->update.src->span,
                          exp->update.src);
  SType *value = infer(c, exp->update.value);
  StepList *path = &exp->update.path;
  Step *last = &path->at[path->len - 1];
  if (unify(c, part, value)) return src;
  if (last->tag == STEP_FIELD)
    mismatch_report(c, exp->update.value->span, part, value,
                    "[update-type] New value for record field \"%s\" does not have expected type.",
                    last->field);
  else
    mismatch_report(c, exp->update.value->span, part, value,
                    "[update-type] New value for elements of \"%s\" does not have expected type.",
                    exp_text(c, exp->update.src));
  return src;
}

SType *infer_section_path(Checker *c, Expr *exp) {
  SType *from = stype_fresh(c, LIFT_FULL, exp->span, NULL);
  return stype_arrow(c, NULL, from,
                    path_type(c, from, &exp->section_path.path, exp->span, NULL));
}
