// Declarations, module boundaries, entry points.
#include "sizes.h"

// ---- declarations ----------------------------------------------------------------------------
static void decs_size(Sizing *z, const DecList *decs);

static void modexp_size(Sizing *z, const ModExp *exp) {
  switch (exp->tag) {
    case MODEXP_DECS: decs_size(z, &exp->decs.decs); break;
    case MODEXP_APPLY:
      modexp_size(z, exp->apply.fn);
      modexp_size(z, exp->apply.arg);
      break;
    case MODEXP_LAMBDA: modexp_size(z, exp->lambda.body); break;
    case MODEXP_ASCRIBE: modexp_size(z, exp->ascribe.mod); break;
    case MODEXP_NAME:
    case MODEXP_IMPORT: break;
  }
}

static void dec_size(Sizing *z, Dec *dec) {
  z->c->failed = false;
  switch (dec->tag) {
    case DEC_VAL:
      if (dec->info && dec->info->binding && !dec->val.fun.info->unsound)
        def_size(z, &dec->val.fun, dec->info->binding);
      break;
    case DEC_TYPE:
      if (dec->info && dec->info->def && !z->partial) typedef_size(z, dec->info->def);
      break;
    case DEC_MOD: modexp_size(z, dec->mod.body); break;
    case DEC_OPEN: modexp_size(z, dec->open.mod); break;
    case DEC_LOCAL: dec_size(z, dec->local.dec); break;
    case DEC_MODTYPE:
    case DEC_IMPORT: break;
  }
}

static void decs_size(Sizing *z, const DecList *decs) {
  for (int i = 0; i < decs->len; i++) dec_size(z, decs->at[i]);
}

// ---- module types ----------------------------------------------------------------------------
typedef struct {
  Sizing *z;
  Map *values;  // Binding of a specification to that of the implementation
} Matching;

static Dim *match_var(void *env, DimVar *var) {
  const Matching *m = env;
  Binding *have = var->binding ? map_get(m->values, KEY(var->binding)) : NULL;
  return have ? dim_var(dimvar_of(m->z, have)) : NULL;
}
static Dim *match_dim(void *env, Dim *dim) {
  return dim_map(((Matching *)env)->z, dim, match_var, env);
}

static void match_bind(Matching *m, Binding *want, Binding *have) {
  const Checker *c = m->z->c;
  while (want) {
    map_put(m->values, KEY(want), have);
    Origin *origin = c->origins ? map_get(c->origins, KEY(want)) : NULL;
    want = origin ? origin->from : NULL;
  }
}

static void value_match_check(Matching *m, const SpecMatch *match) {
  Sizing *z = m->z;
  z->c->failed = false;
  z->level = 1;
  z->vars.len = 0;
  DimVarList hidden = {0};
  match_bind(m, match->want, match->have);
  const Scheme *want = scheme_of(z, match->want);
  Sized *spec = sized_rename(z, want->type, match->renamed, &hidden);
  SizedMap map = {z, NULL, match_dim, m, NULL};
  spec = sized_map(&map, spec);
  if (spec->tag != TYPE_ARROW && hidden.len) {
    report(z->c, match->at, "[top-level-size] Module type specifies value \"%s\" of a type that "
                            "hides sizes, which "
           "results in a top-level size:\n  %s", match->want->name, sized_text(z, spec));
    return;
  }
  for (int i = 0; i < want->sizes.len; i++) want->sizes.at[i]->level = 0;
  for (int i = 0; i < hidden.len; i++) hidden.at[i]->level = 0;
  Sized *impl = sized_map(&map, scheme_instance(z, match->have, match->inst, match->at));
  if (sized_unify(z, spec, impl)) return;
  report(z->c, match->at, "[module-value-mismatch] Module type specifies\n  val %s : %s\nbut "
                          "module provides\n  val %s : "
         "%s\n%s", match->want->name, sized_text(z, spec), match->have->name,
         sized_text(z, scheme_of(z, match->have)->type), z->why);
  sizes_note(z);
}

static void type_match_check(Sizing *z, const SpecMatch *match) {
  TypeDef *def = match->have_type;
  z->c->failed = false;
  if (def->tag != TYPEDEF_ABBREV) return;
  SizedArgList args = {0};
  for (int i = 0; i < def->params.len; i++) {
    SizedArg arg = {NULL, NULL};
    if (def->params.at[i].is_size) {
      arg.dim = dim_var(dimvar_of(z, def->params.at[i].size));
    } else {
      arg.type = sized_new(z, TYPE_NAMED);
      arg.type->named.def = def->params.at[i].type;
    }
    list_push(z->c->arena, &args, arg);
  }
  DimVarList hidden = {0};
  Anonymous anonymous = {&hidden, NULL, false};
  Sized *body = sized_expand(z, def, &args, &anonymous);
  for (int i = 0; i < args.len; i++)
    if (args.at[i].dim && !sized_witnesses(body, args.at[i].dim->var))
      report(z->c, match->at, "[not-constructive] Type \"%s\" cannot be made abstract because "
                              "size parameter [%s] is "
             "not used constructively (as an array size) in the definition.",
             def->name, args.at[i].dim->var->name);
}

void matches_check(Sizing *z) {
  Matching m = {z, map_new(z->c->arena)};
  for (int i = 0; i < z->c->matches.len; i++) {
    const SpecMatch *match = &z->c->matches.at[i];
    if (match->have) value_match_check(&m, match);
    else type_match_check(z, match);
  }
}

// ---- entry points ----------------------------------------------------------------------------
static void entry_dims(Sizing *z, EntryPoint *entry, Sized *t) {
  if (t->tag == TYPE_ARRAY) {
    const Dim *d = dim_find(t->array.dim);
    bool unnamed = d->tag == DIM_VAR && d->var->tag == DIMVAR_NAME && !d->var->binding;
    list_push(z->c->arena, &entry->dims, unnamed ? d->var->id : -1);
    entry_dims(z, entry, t->array.elem);
  } else if (t->tag == TYPE_RECORD) {
    for (int i = 0; i < t->fields.len; i++) entry_dims(z, entry, t->fields.at[i].type);
  } else if (t->tag != TYPE_PRIM) {
    entry->dims_known = false;
  }
}

static void entry_dims_record(Sizing *z, EntryPoint *entry) {
  entry->dims_known = true;
  for (Sized *t = scheme_of(z, entry->binding)->type; t->tag == TYPE_ARROW; t = t->arrow.to)
    entry_dims(z, entry, t->arrow.from);
}

void entry_size(Sizing *z, const Scheme *scheme, const FunDef *fun) {
  z->c->failed = false;
  for (int i = 0; i < scheme->sizes.len; i++) {
    const DimVar *size = scheme->sizes.at[i];
    bool found = false;
    Sized *t = scheme->type;
    for (; t->tag == TYPE_ARROW && !found; t = t->arrow.to)
      found = sized_witnesses(t->arrow.from, size);
    if (found) continue;
    if (sized_mentions(t, size))
      report(z->c, fun->name_span, "[entry-result-size] Entry point functions must not be "
                                   "size-polymorphic in their "
             "return type.");
    else
      report(z->c, fun->name_span, "[entry-size] Entry point size parameter \"[%s]\" is only used "
             "non-constructively.", size->name);
  }
}

void program_sizes_check(Checker *c) {
  Sizing z = {.c = c, .schemes = map_new(c->arena), .vars_of = map_new(c->arena),
              .bodies = map_new(c->arena), .types = map_new(c->arena),
              .produced = map_new(c->arena), .next_id = 1};
  z.unit = sized_new(&z, TYPE_RECORD);
  z.any = NEW(c->arena, Dim);
  z.any->tag = DIM_ANY;
  z.partial = c->diag->errors > 0;
  for (int i = 0; i < c->program->files.len; i++)
    decs_size(&z, &c->program->files.at[i]->syntax->decs);
  if (z.partial) return;
  matches_check(&z);
  for (int i = 0; i < c->program->entries.len; i++) {
    EntryPoint *entry = &c->program->entries.at[i];
    entry_size(&z, scheme_of(&z, entry->binding), entry->fun);
    entry_dims_record(&z, entry);
  }
  inst_dims_record(&z);
}
