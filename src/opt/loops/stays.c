// Why a loop stays: the parameter that has no class, and the references that are in the way.
#include "loops.h"

static const char *place(Arena *arena, const Loc *loc) {
  if (!loc || !loc->span.src) return "here";
  Text text = {0};
  span_print(&text, loc->span);
  const char *s = arena_strdup(arena, text.at);
  text_free(&text);
  return s;
}

static const char *word(const Stm *stm) {
  return stm->exp.form == FORM_UPDATE ? "written" : "read";
}

static bool same_cells(const Stm *x, const Stm *y) {
  const Slice *a = x->exp.form == FORM_UPDATE ? &x->exp.update.slice : &x->exp.index.slice;
  const Slice *b = y->exp.form == FORM_UPDATE ? &y->exp.update.slice : &y->exp.index.slice;
  return slice_same(a, b);
}

// Two references, one of them writing, that are not known to stay in their iteration's cells.
static void note_references(Loop *s, const Loc *loc, const char *name, const Family *f) {
  Arena *arena = s->e->scratch;
  for (int i = 0; i < f->refs.len; i++)
    for (int j = 0; j < f->refs.len; j++) {
      const Stm *x = f->refs.at[i].stm, *y = f->refs.at[j].stm;
      if (i == j || x->exp.form != FORM_UPDATE || same_cells(x, y)) continue;
      prog_note(s->e->prog, loc, "sequential",
                "%s: the cells written at %s may be those %s at %s in another iteration", name,
                place(arena, x->loc), word(y), place(arena, y->loc));
      return;
    }
  const Stm *at = f->refs.len ? f->refs.at[0].stm : NULL;
  if (at) prog_note(s->e->prog, loc, "sequential", "%s: iterations may share the cells %s at %s",
                    name, word(at), place(arena, at->loc));
  else prog_note(s->e->prog, loc, "sequential", "%s: another array in every iteration", name);
}

void loop_note(Loop *s, const Stm *stm, const ParamClass *classes) {
  int k = 0;
  while (classes[k].kind != CLASS_NONE) k++;
  Var p = loop_param(s, k);
  const char *name = var_info(s->e->prog, p)->base;
  Type t = var_type(s->e->prog, p);
  if (t.is_acc) return;
  if (t.rank == 0) {
    prog_note(s->e->prog, stm->loc, "sequential",
              "%s: its next value is more than a term added to it, a factor, or the better of two",
              name);
    return;
  }
  Family *f = family_of(s, p);
  if (!f->bad) note_references(s, stm->loc, name, f);
  else prog_note(s->e->prog, stm->loc, "sequential", "%s: used as a whole at %s", name,
                 place(s->e->scratch, f->bad->loc));
}
