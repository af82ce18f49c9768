// The stages of a derivative by dual arrays, as text: the bulk program, its Delta terms, the
// transposed program.  `dagaz ir --stage` shows them.
#include "delta.h"

static const char *const kind_names[] = {
    [DELTA_INPUT] = "input",   [DELTA_SHARE] = "#",       [DELTA_ADD] = "add",
    [DELTA_NEG] = "neg",       [DELTA_SCALE] = "scale",   [DELTA_MASK] = "mask",
    [DELTA_SPREAD] = "spread", [DELTA_LINEAR] = "linear", [DELTA_CONTRACT] = "contract",
    [DELTA_EXTREMUM] = "at",   [DELTA_PULL] = "pull",
};

static void print_name(Text *out, const Deltas *d, const Delta *n) {
  if (n->kind == DELTA_SHARE) text_printf(out, "#%d", n->id);
  else if (n->kind == DELTA_LINEAR) text_puts(out, bulk_info[n->stm->exp.form].keyword);
  else text_puts(out, kind_names[n->kind]);
  if (n->guarded) text_puts(out, "*");
  if (n->kind == DELTA_INPUT) text_puts(out, " ");
  if (n->kind == DELTA_INPUT) core_print_atom(out, d->prog, atom_var(n->var));
  if (n->kind == DELTA_SCALE || n->kind == DELTA_MASK || n->kind == DELTA_CONTRACT ||
      n->kind == DELTA_EXTREMUM) {
    text_puts(out, " ");
    core_print_atom(out, d->prog, n->atom);
  }
}

static void print_node(Text *out, const Deltas *d, const Delta *n) {
  print_name(out, d, n);
  if (n->kind == DELTA_SHARE || n->kind == DELTA_INPUT || n->kind == DELTA_PULL) return;
  for (int i = 0; i < 2 && n->of[i]; i++) {
    bool leaf = n->of[i]->kind == DELTA_SHARE || n->of[i]->kind == DELTA_INPUT;
    text_puts(out, leaf ? " " : " (");
    print_node(out, d, n->of[i]);
    text_puts(out, leaf ? "" : ")");
  }
}

static void delta_print(Text *out, const Deltas *d) {
  for (int id = 1; id <= d->count; id++) {
    const Delta *share = d->shares[id];
    text_printf(out, "  #%d : ", id);
    core_print_type(out, d->prog, share->type);
    text_puts(out, " = ");
    print_node(out, d, share->of[0]);
    text_puts(out, "   -- of ");
    core_print_atom(out, d->prog, atom_var(share->var));
    text_puts(out, "\n");
  }
  text_printf(out, "  -- %d nodes, %d shares\n", d->nodes, d->count);
}

static Vars float_params(Prog *prog, const Fn *fn) {
  Vars out = {0};
  for (int i = 0; i < fn->params.len; i++)
    if (prim_is_float(var_type(prog, fn->params.at[i]).prim))
      list_push(prog->arena, &out, fn->params.at[i]);
  return out;
}

static void transposed_print(Text *out, Prog *prog, Deltas *d, Vars inputs) {
  Vars seeds = {0};
  BulkBody reverse = {0};
  for (int i = 0; i < d->body.results.len; i++)
    list_push(prog->arena, &seeds,
              var_new(prog, "seed", atom_type(prog, d->body.results.at[i])));
  BulkBuilder b = {.prog = prog, .stms = &reverse.stms};
  reverse.results = delta_transpose(d, &b, inputs, d->body.results,
                                    atoms_of_vars(prog->arena, seeds));
  bulk_clean(prog, &reverse);
  bulk_print(out, prog, &reverse, 1);
  text_puts(out, "\n");
}

bool bulk_stage_print(Text *out, Prog *prog, const Fn *fn, BulkStage stage, BulkRefusal *why) {
  BulkBody body;
  Deltas d = {0};
  Vars inputs = float_params(prog, fn);
  if (!bulk_from_core_with_rules(prog, &fn->body, &body, why)) return false;
  text_printf(out, "%s:", fn->name);
  if (stage == STAGE_BULK) {
    bulk_print(out, prog, &body, 1);
    text_puts(out, "\n");
    return true;
  }
  if (!delta_build(prog, &body, inputs, &d, why)) return false;
  if (stage == STAGE_DELTA) {
    bulk_print(out, prog, &d.body, 1);
    text_puts(out, "\n");
    delta_print(out, &d);
  } else {
    transposed_print(out, prog, &d, inputs);
  }
  return true;
}
