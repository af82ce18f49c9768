// The form table: keyword and field descriptors of every form, expanded from form.def.
#include "core.h"

// Each field macro of a row becomes ", (KIND, name)"; FIELDS walks that list with the row's member.
#define KIND_OF(kind, name) kind
#define NAME_OF(kind, name) name
#define TEXT_OF_(name) #name
#define TEXT_OF(name) TEXT_OF_(name)
#define ONE(m, pair) {KIND_OF pair, offsetof(Exp, m.NAME_OF pair), TEXT_OF(NAME_OF pair)},
#define F1(m, a) ONE(m, a)
#define F2(m, a, b) ONE(m, a) F1(m, b)
#define F3(m, a, ...) ONE(m, a) F2(m, __VA_ARGS__)
#define F4(m, a, ...) ONE(m, a) F3(m, __VA_ARGS__)
#define F5(m, a, ...) ONE(m, a) F4(m, __VA_ARGS__)
#define F6(m, a, ...) ONE(m, a) F5(m, __VA_ARGS__)
#define F7(m, a, ...) ONE(m, a) F6(m, __VA_ARGS__)
#define PICK(m, _1, _2, _3, _4, _5, _6, _7, macro, ...) macro
#define FIELDS(...) PICK(__VA_ARGS__, F7, F6, F5, F4, F3, F2, F1, none)(__VA_ARGS__)

#define ATOM(f) , (FIELD_ATOM, f)
#define ATOMS(f) , (FIELD_ATOMS, f)
#define LAMBDA(f) , (FIELD_LAMBDA, f)
#define OPERATORS(f) , (FIELD_OPERATORS, f)
#define SLICE(f) , (FIELD_SLICE, f)
#define CASES(f) , (FIELD_CASES, f)
#define OP(f) , (FIELD_OP, f)
#define PRIM(f) , (FIELD_PRIM, f)
#define INT(f) , (FIELD_INT, f)
#define INTS(f) , (FIELD_INTS, f)
#define FLAG(f) , (FIELD_FLAG, f)
#define STRING(f) , (FIELD_STRING, f)
#define FN(f) , (FIELD_FN, f)
#define DATA(f) , (FIELD_DATA, f)

const FormInfo form_info[FORM_COUNT] = {
#define FORM(id, member, word, fields_) \
  [FORM_##id] = {word, (const Field[]){FIELDS(member fields_){FIELD_END, 0, NULL}}},
#include "form.def"
};
