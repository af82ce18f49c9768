// Equal statements of a body are computed once.  Two statements are equal when their texts are,
// with operands replaced by those that are kept.  Bodies of loops and branches only get the
// replacements.
#include "rename.h"

typedef struct {
  BulkRename rename;
  Names *texts;
  Map *first;  // text -> the statement that has it
} Share;

// The statement of the same text before this one; NULL: this is the first.
static const BulkStm *same_before(Share *s, const BulkStm *stm) {
  if (stm->exp.bodies.len || stm->exp.form == BULK_CORE || stm->exp.form == BULK_OPAQUE)
    return NULL;
  Text text = {0};
  bulk_print_exp(&text, s->rename.prog, &stm->exp);
  text_putc(&text, stm->unchecked ? '!' : '?');
  text_putc(&text, stm->exp.flag ? '1' : '0');
  uint64_t key = KEY(name_of(s->texts, text.at));
  text_free(&text);
  const BulkStm *first = map_get(s->first, key);
  if (!first) map_put(s->first, key, arena_copy(s->rename.prog->arena, stm, sizeof *stm));
  return first;
}

void bulk_share(Prog *prog, BulkBody *body) {
  Arena *arena = prog->arena;
  Share s = {{prog, map_new(arena)}, names_new(arena), map_new(arena)};
  if (bulk_has_core(body)) return;
  BulkStms out = {0};
  for (int i = 0; i < body->stms.len; i++) {
    BulkStm stm = body->stms.at[i];
    bulk_rename(&s.rename, &stm);
    const BulkStm *first = same_before(&s, &stm);
    for (int k = 0; first && k < stm.bound.len; k++)
      bulk_rename_to(&s.rename, stm.bound.at[k], atom_var(first->bound.at[k]));
    if (!first) list_push(arena, &out, stm);
  }
  body->stms = out;
  body->results = bulk_renamed(&s.rename, body->results);
}
