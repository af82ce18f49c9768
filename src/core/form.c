// The form table: keyword and field descriptors of every form, expanded from form.def.
#include "core.h"
#include "base/fields.h"

#define FIELD_ROW(member, kind, f) {FIELD_##kind, offsetof(Exp, member.f), #f},
#define ATOM(f) , (ATOM, f)
#define ATOMS(f) , (ATOMS, f)
#define LAMBDA(f) , (LAMBDA, f)
#define OPERATORS(f) , (OPERATORS, f)
#define SLICE(f) , (SLICE, f)
#define CASES(f) , (CASES, f)
#define OP(f) , (OP, f)
#define PRIM(f) , (PRIM, f)
#define INT(f) , (INT, f)
#define INTS(f) , (INTS, f)
#define FLAG(f) , (FLAG, f)
#define STRING(f) , (STRING, f)
#define FN(f) , (FN, f)
#define DATA(f) , (DATA, f)

const FormInfo form_info[FORM_COUNT] = {
#define FORM(id, member, word, fields_) \
  [FORM_##id] = {word, (const Field[]){FIELDS(member fields_){FIELD_END, 0, NULL}}},
#include "form.def"
};

#define ATOM(f)
#define ATOMS(f)
#define LAMBDA(f) || true
#define OPERATORS(f) || true
#define SLICE(f)
#define CASES(f) || true
#define OP(f)
#define PRIM(f)
#define INT(f)
#define INTS(f)
#define FLAG(f)
#define STRING(f)
#define FN(f)
#define DATA(f)

const bool form_has_bodies[FORM_COUNT] = {
#define FORM(id, member, word, fields_) [FORM_##id] = false fields_,
#include "form.def"
};
