// The outline of a document, and its suggested mends as code actions.
#include "local.h"
#include <string.h>

// Kinds of the protocol.
enum { SYMBOL_MODULE = 2, SYMBOL_TYPE = 5, SYMBOL_INTERFACE = 11, SYMBOL_FUNCTION = 12,
       SYMBOL_CONSTANT = 14 };

typedef struct {
  Arena *arena;
  Text *out;
  const Document *d;
  const Version *v;
} Outline;

static void decs_print(Outline *o, const DecList *decs);

// False: it was taken out of the text since.
static bool symbol_begin(Outline *o, Span whole, Span name, const char *text, int kind) {
  if (!span_to_now(o->arena, o->d, o->v, &whole) || !span_to_now(o->arena, o->d, o->v, &name))
    return false;
  if (o->out->at[o->out->len - 1] == '}') text_puts(o->out, ", ");
  text_puts(o->out, "{\"name\": ");
  json_print_string(o->out, text);
  text_printf(o->out, ", \"kind\": %d, \"range\": ", kind);
  range_print(o->out, whole);
  text_puts(o->out, ", \"selectionRange\": ");
  range_print(o->out, name);
  return true;
}

static void function_print(Outline *o, const Dec *dec) {
  const FunDef *fun = &dec->val.fun;
  SType *type = fun->info && fun->info->binding ? fun->info->binding->type : NULL;
  type = type ? stype_find(type) : NULL;
  int kind = fun->params.len || (type && type->tag == TYPE_ARROW) ? SYMBOL_FUNCTION
                                                                  : SYMBOL_CONSTANT;
  if (!symbol_begin(o, dec->span, fun->name_span, fun->name, kind)) return;
  if (type) {
    Text detail = {0};
    stype_print(&detail, type);
    text_puts(o->out, ", \"detail\": ");
    json_print_string(o->out, detail.at);
    text_free(&detail);
  }
  text_puts(o->out, "}");
}

static void module_print(Outline *o, const Dec *dec) {
  const ModExp *body = dec->mod.body;
  if (!symbol_begin(o, dec->span, dec->mod.name_span, dec->mod.name, SYMBOL_MODULE)) return;
  while (body && body->tag == MODEXP_ASCRIBE) body = body->ascribe.mod;
  if (body && body->tag == MODEXP_DECS) {
    text_puts(o->out, ", \"children\": [");
    decs_print(o, &body->decs.decs);
    text_puts(o->out, "]");
  }
  text_puts(o->out, "}");
}

static void declaration_print(Outline *o, const Dec *dec) {
  switch (dec->tag) {
    case DEC_VAL: function_print(o, dec); break;
    case DEC_TYPE:
      if (symbol_begin(o, dec->span, dec->type.name_span, dec->type.name, SYMBOL_TYPE))
        text_puts(o->out, "}");
      break;
    case DEC_MODTYPE:
      if (symbol_begin(o, dec->span, dec->modtype.name_span, dec->modtype.name, SYMBOL_INTERFACE))
        text_puts(o->out, "}");
      break;
    case DEC_MOD: module_print(o, dec); break;
    case DEC_LOCAL: declaration_print(o, dec->local.dec); break;
    case DEC_OPEN:
    case DEC_IMPORT: break;
  }
}

static void decs_print(Outline *o, const DecList *decs) {
  for (int i = 0; i < decs->len; i++) declaration_print(o, decs->at[i]);
}

void symbols_print(Arena *arena, Text *out, const Document *d) {
  Outline o = {arena, out, d, document_known(d)};
  text_putc(out, '[');
  if (o.v) decs_print(&o, &o.v->program->root->syntax->decs);
  text_putc(out, ']');
}

// ---- code actions -----------------------------------------------------------------------------
static bool is_own(const Document *d, const DiagEntry *entry) {
  const Source *src = entry->hint.span.src;
  return src && src == entry->span.src && src->len == d->now.len &&
         strcmp(src->text, d->now.text) == 0;
}

static void action_print(Text *out, const Document *d, const DiagHint *hint) {
  text_puts(out, "{\"title\": ");
  json_print_string(out, hint->message);
  text_puts(out, ", \"kind\": \"quickfix\", \"isPreferred\": true, \"edit\": {\"changes\": {");
  json_print_string(out, d->uri);
  text_puts(out, ": [{\"range\": ");
  range_print(out, hint->span);
  text_puts(out, ", \"newText\": ");
  json_print_string(out, hint->text);
  text_puts(out, "}]}}}");
}

void actions_print(Text *out, const Document *d, uint32_t from, uint32_t to) {
  const Diag *diag = d->now.diag;
  bool any = false;
  text_putc(out, '[');
  for (int i = 0; diag && i < diag->entries.len; i++) {
    const DiagEntry *entry = &diag->entries.at[i];
    if (!entry->hint.text || !is_own(d, entry)) continue;
    if (entry->span.from > to || entry->span.to < from) continue;
    if (any) text_puts(out, ", ");
    any = true;
    action_print(out, d, &entry->hint);
  }
  text_putc(out, ']');
}
