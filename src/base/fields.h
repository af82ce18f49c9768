// Walks the field list of a row in an X-macro table.  A row's fields are adjacent macro calls,
// KIND(name) KIND(name); the including file defines each KIND to give ", (KIND, name)" and
// FIELD_ROW(member, KIND, name) to give what it needs of one field.  FIELDS(member fields) then is
// the sequence of those, in order; a row has one to nine fields.
#ifndef FIELDS_H
#define FIELDS_H
#define FIELDS_PAIR(kind, name) kind, name
#define FIELDS_CALL(macro, ...) macro(__VA_ARGS__)
#define FIELDS_1(m, a) FIELDS_CALL(FIELD_ROW, m, FIELDS_PAIR a)
#define FIELDS_2(m, a, ...) FIELDS_1(m, a) FIELDS_1(m, __VA_ARGS__)
#define FIELDS_3(m, a, ...) FIELDS_1(m, a) FIELDS_2(m, __VA_ARGS__)
#define FIELDS_4(m, a, ...) FIELDS_1(m, a) FIELDS_3(m, __VA_ARGS__)
#define FIELDS_5(m, a, ...) FIELDS_1(m, a) FIELDS_4(m, __VA_ARGS__)
#define FIELDS_6(m, a, ...) FIELDS_1(m, a) FIELDS_5(m, __VA_ARGS__)
#define FIELDS_7(m, a, ...) FIELDS_1(m, a) FIELDS_6(m, __VA_ARGS__)
#define FIELDS_8(m, a, ...) FIELDS_1(m, a) FIELDS_7(m, __VA_ARGS__)
#define FIELDS_9(m, a, ...) FIELDS_1(m, a) FIELDS_8(m, __VA_ARGS__)
#define FIELDS_10(m, a, ...) FIELDS_1(m, a) FIELDS_9(m, __VA_ARGS__)
#define FIELDS_PICK(m, _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, macro, ...) macro
#define FIELDS(...)                                                                          \
  FIELDS_PICK(__VA_ARGS__, FIELDS_10, FIELDS_9, FIELDS_8, FIELDS_7, FIELDS_6, FIELDS_5,      \
              FIELDS_4, FIELDS_3, FIELDS_2, FIELDS_1, none)                                  \
  (__VA_ARGS__)
#endif
