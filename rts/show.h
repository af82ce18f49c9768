// show: values of several parts as they are written in source.  Part of ctx.h, and of the
// interpreter.  The layout says how, in terms of arguments, which are scalars and arrays:
//
//   %2.                  argument 2
//   [2. layout]          an array, of as many elements as argument 2 has rows: in the layout,
//                        arguments are their rows or elements
//   ?2.layout|layout..;  the layout with the number that argument 2 is
//   other characters     themselves
//
// Arrays deeper than DZ_SHOW_DEPTH are shown without what is in them.
#ifndef DZ_SHOW_H
#define DZ_SHOW_H
#include "io.h"

#define DZ_SHOW_DEPTH 64

typedef struct {
  DzPrim prim;
  int rank;
  const int64_t *shape;
  const void *data;
} DzShown;

typedef struct {
  DzSink *sink;
  const DzShown *args;
  int64_t at[DZ_SHOW_DEPTH];  // the elements of the arrays around
  int depth;
  bool silent;                // an alternative that is not taken
} DzShow;

// The part of an argument that the arrays around have come to.
DZ_FN const char *dz_shown_at(const DzShow *s, const DzShown *a) {
  int64_t at = 0;
  for (int d = 0; d < a->rank; d++)
    at = at * a->shape[d] + (d < s->depth ? s->at[d] : 0);
  return (const char *)a->data + at * dz_prim_sizes[a->prim];
}

DZ_FN const DzShown *dz_show_number(const DzShow *s, const char **layout) {
  int n = 0;
  for (; **layout != '.'; ++*layout) n = 10 * n + (**layout - '0');
  ++*layout;
  return &s->args[n];
}

DZ_FN void dz_show_part(DzShow *s, const DzShown *a) {
  if (s->silent) return;
  int d = s->depth < a->rank ? s->depth : a->rank;
  dz_put_text(s->sink, a->prim, a->rank - d, a->shape + d, dz_shown_at(s, a));
}

DZ_FN const char *dz_show_from(DzShow *s, const char *layout);

DZ_FN const char *dz_show_rows(DzShow *s, const char *layout) {
  const DzShown *a = dz_show_number(s, &layout);
  bool deep = s->depth >= DZ_SHOW_DEPTH;
  int64_t n = s->silent || deep ? 0 : a->shape[s->depth];
  bool silent = s->silent;
  const char *end = layout;
  if (!silent) dz_puts(s->sink, deep ? "[.." : "[");
  s->silent = n == 0;
  for (int64_t i = 0; i < n || i == 0; i++) {
    if (i > 0) dz_puts(s->sink, ", ");
    if (!deep) s->at[s->depth] = i;
    s->depth++;
    end = dz_show_from(s, layout);
    s->depth--;
  }
  s->silent = silent;
  if (!silent) dz_puts(s->sink, "]");
  return end + 1;
}

DZ_FN const char *dz_show_choice(DzShow *s, const char *layout) {
  const DzShown *a = dz_show_number(s, &layout);
  bool silent = s->silent;
  int64_t tag = silent ? 0 : dz_int_at(a->prim, dz_shown_at(s, a));
  for (int64_t k = 0;; k++) {
    s->silent = silent || k != tag;
    layout = dz_show_from(s, layout);
    if (*layout++ == ';') break;
  }
  s->silent = silent;
  return layout;
}

// Up to the end of what it begins in.
DZ_FN const char *dz_show_from(DzShow *s, const char *layout) {
  while (*layout != 0 && *layout != ']' && *layout != '|' && *layout != ';') {
    char c = *layout++;
    if (c == '%') dz_show_part(s, dz_show_number(s, &layout));
    else if (c == '[') layout = dz_show_rows(s, layout);
    else if (c == '?') layout = dz_show_choice(s, layout);
    else if (!s->silent) dz_put(s->sink, &c, 1);
  }
  return layout;
}

// #[trace(tag)]: the value on a line of standard error.
DZ_FN void dz_trace(const char *tag, const char *layout, const DzShown *args) {
  DzSink sink = {.file = stderr};
  DzShow s = {.sink = &sink, .args = args};
  if (tag != NULL && *tag != 0) dz_putf(&sink, "%s: ", tag);
  dz_show_from(&s, layout);
  dz_puts(&sink, "\n");
}
#endif
