// Declarations and modules as source text: one declaration per line, the contents of braces
// indented by two blanks.
#include "local.h"
#include <string.h>

static void tparam_print(Text *out, const TypeParam *param) {
  switch (param->tag) {
    case TPARAM_SIZE: text_printf(out, "[%s]", param->name); break;
    case TPARAM_TYPE: text_printf(out, "'%s", param->name); break;
    case TPARAM_SIZE_LIFTED: text_printf(out, "'~%s", param->name); break;
    case TPARAM_LIFTED: text_printf(out, "'^%s", param->name); break;
  }
}

void tparams_print(Text *out, const TypeParamList *tparams) {
  for (int i = 0; i < tparams->len; i++) {
    text_putc(out, ' ');
    tparam_print(out, &tparams->at[i]);
  }
}

// name tparams params [: type]
void fun_head_print(Text *out, const FunDef *fun) {
  name_print(out, fun->name);
  tparams_print(out, &fun->tparams);
  for (int i = 0; i < fun->params.len; i++) {
    text_putc(out, ' ');
    param_print(out, fun->params.at[i]);
  }
  if (!fun->ret) return;
  text_puts(out, ": ");
  type_exp_print(out, fun->ret);
}

static void import_print(Text *out, const char *path) {
  text_puts(out, "import ");
  string_print(out, path, strlen(path));
}

static void line_begin(Text *out, int indent) { text_printf(out, "%*s", indent, ""); }

static void doc_print(Text *out, const char *doc, int indent) {
  if (!doc) return;
  const char *mark = "-- |";
  for (const char *line = doc; line; mark = "--") {
    const char *end = strchr(line, '\n');
    size_t len = end ? (size_t)(end - line) : strlen(line);
    line_begin(out, indent);
    text_printf(out, "%s%s%.*s\n", mark, len ? " " : "", (int)len, line);
    line = end ? end + 1 : NULL;
  }
}

static void attrs_print(Text *out, const AttrList *attrs) {
  for (int i = 0; i < attrs->len; i++) {
    text_puts(out, "#[");
    attr_print(out, attrs->at[i]);
    text_puts(out, "] ");
  }
}

static void dec_print_at(Text *out, const Dec *dec, int indent);
static void modtype_print_at(Text *out, const ModTypeExp *type, int indent);
static void modexp_print_at(Text *out, const ModExp *mod, int indent);

static void typebind_print(Text *out, const TypeBind *bind) {
  static const char *const marks[] = {"", "~", "^"};
  text_printf(out, "type%s %s", marks[bind->lift], bind->name);
  tparams_print(out, &bind->tparams);
  if (!bind->type) return;
  text_puts(out, " = ");
  type_exp_print(out, bind->type);
}

static void spec_body_print(Text *out, const Spec *spec, int indent) {
  switch (spec->tag) {
    case SPEC_VAL:
      text_puts(out, "val ");
      name_print(out, spec->val.name);
      tparams_print(out, &spec->val.tparams);
      text_puts(out, ": ");
      type_exp_print(out, spec->val.type);
      break;
    case SPEC_TYPE: typebind_print(out, &spec->type); break;
    case SPEC_MOD:
      text_printf(out, "module %s: ", spec->mod.name);
      modtype_print_at(out, spec->mod.type, indent);
      break;
    case SPEC_INCLUDE:
      text_puts(out, "include ");
      modtype_print_at(out, spec->include.type, indent);
      break;
  }
}

static void specs_print(Text *out, const SpecList *specs, int indent) {
  text_puts(out, "{\n");
  for (int i = 0; i < specs->len; i++) {
    doc_print(out, specs->at[i]->doc, indent + 2);
    line_begin(out, indent + 2);
    attrs_print(out, &specs->at[i]->attrs);
    spec_body_print(out, specs->at[i], indent + 2);
    text_putc(out, '\n');
  }
  line_begin(out, indent);
  text_putc(out, '}');
}

static void modtype_parens_print(Text *out, const ModTypeExp *type, int indent, bool parens) {
  if (parens) text_putc(out, '(');
  modtype_print_at(out, type, indent);
  if (parens) text_putc(out, ')');
}

static void with_print(Text *out, const ModTypeExp *type, int indent) {
  modtype_parens_print(out, type->with.src, indent, type->with.src->tag == MODTYPE_ARROW);
  text_puts(out, " with ");
  qual_name_print(out, &type->with.name.name);
  tparams_print(out, &type->with.tparams);
  text_puts(out, " = ");
  type_exp_print(out, type->with.type);
}

// The type that a `with` refines ends in a type, which would take the arrow.
static void mod_arrow_print(Text *out, const ModTypeExp *type, int indent) {
  ModTypeExpTag tag = type->arrow.from->tag;
  if (type->arrow.param) text_printf(out, "(%s: ", type->arrow.param);
  bool parens = !type->arrow.param && (tag == MODTYPE_ARROW || tag == MODTYPE_WITH);
  modtype_parens_print(out, type->arrow.from, indent, parens);
  text_puts(out, type->arrow.param ? ") -> " : " -> ");
  modtype_print_at(out, type->arrow.to, indent);
}

static void modtype_print_at(Text *out, const ModTypeExp *type, int indent) {
  switch (type->tag) {
    case MODTYPE_NAME: qual_name_print(out, &type->name.name); break;
    case MODTYPE_SPECS: specs_print(out, &type->specs.specs, indent); break;
    case MODTYPE_WITH: with_print(out, type, indent); break;
    case MODTYPE_ARROW: mod_arrow_print(out, type, indent); break;
  }
}

static void decs_print(Text *out, const DecList *decs, int indent) {
  text_puts(out, "{\n");
  for (int i = 0; i < decs->len; i++) {
    doc_print(out, decs->at[i]->doc, indent + 2);
    line_begin(out, indent + 2);
    dec_print_at(out, decs->at[i], indent + 2);
    text_putc(out, '\n');
  }
  line_begin(out, indent);
  text_putc(out, '}');
}

static void mod_atom_print(Text *out, const ModExp *mod, int indent) {
  bool parens = mod->tag != MODEXP_NAME && mod->tag != MODEXP_DECS;
  if (parens) text_putc(out, '(');
  modexp_print_at(out, mod, indent);
  if (parens) text_putc(out, ')');
}

static void modparam_print(Text *out, const ModParam *param, int indent) {
  text_printf(out, "(%s: ", param->name);
  modtype_print_at(out, param->type, indent);
  text_putc(out, ')');
}

static void mod_lambda_print(Text *out, const ModExp *mod, int indent) {
  text_putc(out, '\\');
  modparam_print(out, &mod->lambda.param, indent);
  if (mod->lambda.type) {
    text_puts(out, ": ");
    modtype_parens_print(out, mod->lambda.type, indent, mod->lambda.type->tag != MODTYPE_NAME);
  }
  text_puts(out, " -> ");
  modexp_print_at(out, mod->lambda.body, indent);
}

static void modexp_print_at(Text *out, const ModExp *mod, int indent) {
  switch (mod->tag) {
    case MODEXP_NAME: qual_name_print(out, &mod->name.name); break;
    case MODEXP_DECS: decs_print(out, &mod->decs.decs, indent); break;
    case MODEXP_IMPORT: import_print(out, mod->import.path); break;
    case MODEXP_APPLY:
      if (mod->apply.fn->tag == MODEXP_APPLY)
        modexp_print_at(out, mod->apply.fn, indent);
      else
        mod_atom_print(out, mod->apply.fn, indent);
      text_putc(out, ' ');
      mod_atom_print(out, mod->apply.arg, indent);
      break;
    case MODEXP_LAMBDA: mod_lambda_print(out, mod, indent); break;
    case MODEXP_ASCRIBE: {
      bool bare = mod->ascribe.mod->tag != MODEXP_LAMBDA;
      if (bare)
        modexp_print_at(out, mod->ascribe.mod, indent);
      else
        mod_atom_print(out, mod->ascribe.mod, indent);
      text_puts(out, " : ");
      modtype_print_at(out, mod->ascribe.type, indent);
      break;
    }
  }
}

static void val_print(Text *out, const Dec *dec) {
  text_puts(out, dec->val.entry ? "entry " : "def ");
  fun_head_print(out, &dec->val.fun);
  text_puts(out, " = ");
  exp_print(out, dec->val.fun.body);
}

static void mod_print(Text *out, const Dec *dec, int indent) {
  text_printf(out, "module %s", dec->mod.name);
  for (int i = 0; i < dec->mod.params.len; i++) {
    text_putc(out, ' ');
    modparam_print(out, &dec->mod.params.at[i], indent);
  }
  if (dec->mod.type) {
    text_puts(out, " : ");
    modtype_print_at(out, dec->mod.type, indent);
  }
  text_puts(out, " = ");
  modexp_print_at(out, dec->mod.body, indent);
}

static void dec_print_at(Text *out, const Dec *dec, int indent) {
  attrs_print(out, &dec->attrs);
  switch (dec->tag) {
    case DEC_VAL: val_print(out, dec); break;
    case DEC_TYPE: typebind_print(out, &dec->type); break;
    case DEC_MODTYPE:
      text_printf(out, "module type %s = ", dec->modtype.name);
      modtype_print_at(out, dec->modtype.type, indent);
      break;
    case DEC_MOD: mod_print(out, dec, indent); break;
    case DEC_OPEN:
      text_puts(out, "open ");
      modexp_print_at(out, dec->open.mod, indent);
      break;
    case DEC_IMPORT: import_print(out, dec->import.path); break;
    case DEC_LOCAL:
      text_puts(out, "local ");
      dec_print_at(out, dec->local.dec, indent);
      break;
  }
}

void dec_print(Text *out, const Dec *dec) {
  doc_print(out, dec->doc, 0);
  dec_print_at(out, dec, 0);
  text_putc(out, '\n');
}

void syntax_print(Text *out, const SourceFile *file) {
  if (file->doc) {
    doc_print(out, file->doc, 0);
    text_putc(out, '\n');
  }
  for (int i = 0; i < file->decs.len; i++) dec_print(out, file->decs.at[i]);
}
