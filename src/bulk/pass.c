// The pass `bulk`: each function by way of its bulk form, where it has one.
#include "bulk.h"

Prog *pass_bulk(Prog *prog, Arena *arena) {
  Rewrite w = {0};
  Prog *out = rewrite_prog(prog, arena, &w);
  for (int i = 0; i < out->fns.len; i++) {
    Fn *fn = out->fns.at[i];
    BulkBody body;
    BulkRefusal why;
    if (!bulk_from_core(out, &fn->body, &body, &why)) {
      prog_note(out, why.loc, "bulk", "%s: refused: %s", fn->name, why.text);
      continue;
    }
    bulk_moves(out, &body);
    Stms stms = {0};
    Builder b = builder_new(out, &stms);
    fn->body.results = bulk_to_core(&b, &body);
    fn->body.stms = stms;
  }
  return out;
}
