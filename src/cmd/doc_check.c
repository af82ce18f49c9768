// dagaz doc --check: what is public must be documented.
#include "doc.h"

Name dec_public_name(const Dec *dec) {
  switch (dec->tag) {
    case DEC_VAL: return dec->val.fun.name;
    case DEC_TYPE: return dec->type.name;
    case DEC_MODTYPE: return dec->modtype.name;
    case DEC_MOD: return dec->mod.name;
    case DEC_OPEN:
    case DEC_IMPORT:
    case DEC_LOCAL: break;
  }
  return NULL;
}

Span dec_name_span(const Dec *dec) {
  switch (dec->tag) {
    case DEC_VAL: return dec->val.fun.name_span;
    case DEC_TYPE: return dec->type.name_span;
    case DEC_MODTYPE: return dec->modtype.name_span;
    case DEC_MOD: return dec->mod.name_span;
    case DEC_OPEN:
    case DEC_IMPORT:
    case DEC_LOCAL: break;
  }
  return dec->span;
}

Name spec_public_name(const Spec *spec) {
  switch (spec->tag) {
    case SPEC_VAL: return spec->val.name;
    case SPEC_TYPE: return spec->type.name;
    case SPEC_MOD: return spec->mod.name;
    case SPEC_INCLUDE: break;
  }
  return NULL;
}

Span spec_name_span(const Spec *spec) {
  switch (spec->tag) {
    case SPEC_VAL: return spec->val.name_span;
    case SPEC_TYPE: return spec->type.name_span;
    case SPEC_MOD: return spec->mod.name_span;
    case SPEC_INCLUDE: break;
  }
  return spec->span;
}

static void doc_check(Diag *diag, const char *doc, Name name, Span at) {
  if (!name) return;
  const char *problem = doc ? doc_text_problem(doc) : NULL;
  if (!doc) diag_error(diag, at, "\"%s\" has no documentation comment.", name);
  else if (problem) diag_error(diag, at, "The documentation of \"%s\": %s.", name, problem);
}

static void decs_check(Diag *diag, const DecList *decs);

static void modtype_check(Diag *diag, const ModTypeExp *type) {
  if (type->tag != MODTYPE_SPECS) return;
  for (int i = 0; i < type->specs.specs.len; i++) {
    const Spec *spec = type->specs.specs.at[i];
    doc_check(diag, spec->doc, spec_public_name(spec), spec_name_span(spec));
    if (spec->tag == SPEC_MOD) modtype_check(diag, spec->mod.type);
  }
}

// Of a module with a module type, that says what is public.
static void mod_check(Diag *diag, const Dec *dec) {
  if (dec->mod.type) modtype_check(diag, dec->mod.type);
  else if (dec->mod.body->tag == MODEXP_DECS) decs_check(diag, &dec->mod.body->decs.decs);
}

static void decs_check(Diag *diag, const DecList *decs) {
  for (int i = 0; i < decs->len; i++) {
    const Dec *dec = decs->at[i];
    doc_check(diag, dec->doc, dec_public_name(dec), dec_name_span(dec));
    if (dec->tag == DEC_MODTYPE) modtype_check(diag, dec->modtype.type);
    if (dec->tag == DEC_MOD) mod_check(diag, dec);
  }
}

void doc_file_check(const SourceFile *file, Diag *diag) {
  const char *problem = file->doc ? doc_text_problem(file->doc) : NULL;
  if (problem) diag_error(diag, (Span){file->src, 0, 1}, "The file's documentation: %s.", problem);
  decs_check(diag, &file->decs);
}
