// The declarations of one file as HTML: heads as they are written, comments below them.
#include "doc.h"
#include <string.h>

static const char style[] =
    "body{font:16px/1.5 sans-serif;max-width:52em;margin:2em auto;padding:0 1em}"
    "pre,code{font-family:monospace;background:#f4f4f4}pre{padding:.4em .8em;overflow-x:auto}"
    ".dec{margin:1.2em 0}.in{margin-left:1.5em}.doc{margin-left:1.5em}"
    "@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}"
    "pre,code{background:#262626}a{color:#8bf}}";

static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

static void code_html(Text *out, const Source *src, uint32_t from, uint32_t to) {
  while (to > from && is_blank(src->text[to - 1])) to--;
  html_escape(out, src->text + from, to - from);
}

// Up to the `=` before the body.
static void head_html(Text *out, const Source *src, uint32_t from, uint32_t body) {
  uint32_t to = body;
  while (to > from && src->text[to - 1] != '=') to--;
  code_html(out, src, from, to > from ? to - 1 : body);
}

static uint32_t after_attrs(const Dec *dec) {
  const Source *src = dec->span.src;
  uint32_t at = dec->span.from;
  if (dec->attrs.len == 0) return at;
  at = dec->attrs.at[dec->attrs.len - 1]->span.to;
  while (at < dec->span.to && (is_blank(src->text[at]) || src->text[at] == ']')) at++;
  return at;
}

static void val_html(Text *out, const Dec *dec) {
  const FunDef *fun = &dec->val.fun;
  head_html(out, dec->span.src, after_attrs(dec), fun->body->span.from);
}

static void decs_html(Text *out, const DecList *decs, const char *prefix);
static void modtype_html(Text *out, const ModTypeExp *type, const char *prefix);

static void dec_head_html(Text *out, const Dec *dec) {
  const Source *src = dec->span.src;
  uint32_t from = after_attrs(dec);
  switch (dec->tag) {
    case DEC_VAL: val_html(out, dec); break;
    case DEC_TYPE: code_html(out, src, from, dec->span.to); break;
    case DEC_MODTYPE:
      if (dec->modtype.type->tag == MODTYPE_SPECS)
        text_printf(out, "module type %s", dec->modtype.name);
      else code_html(out, src, from, dec->span.to);
      break;
    case DEC_MOD:
      if (dec->mod.type && dec->mod.type->tag == MODTYPE_SPECS)
        head_html(out, src, from, dec->mod.type->span.from);
      else head_html(out, src, from, dec->mod.body->span.from);
      break;
    case DEC_OPEN:
    case DEC_IMPORT:
    case DEC_LOCAL: break;
  }
}

static void name_id(Text *out, const char *prefix, const char *name) {
  html_escape(out, prefix, strlen(prefix));
  html_escape(out, name, strlen(name));
}

// A type may have the name of a value: its place is "type-NAME".
static void entry_begin(Text *out, const char *prefix, const char *name, bool is_type) {
  text_printf(out, "<div class=\"dec\" id=\"%s", is_type ? "type-" : "");
  name_id(out, prefix, name);
  text_puts(out, "\"><pre>");
}

static void entry_doc(Text *out, const char *doc) {
  text_puts(out, "</pre>\n");
  if (!doc) return;
  text_puts(out, "<div class=\"doc\">");
  doc_text_html(out, doc);
  text_puts(out, "</div>\n");
}

static void spec_html(Text *out, const Spec *spec, const char *prefix) {
  Name name = spec_public_name(spec);
  entry_begin(out, prefix, name ? name : "include", spec->tag == SPEC_TYPE);
  if (spec->tag == SPEC_MOD && spec->mod.type->tag == MODTYPE_SPECS)
    text_printf(out, "module %s", spec->mod.name);
  else code_html(out, spec->span.src, spec->span.from, spec->span.to);
  entry_doc(out, spec->doc);
  if (spec->tag == SPEC_MOD) modtype_html(out, spec->mod.type, prefix);
  text_puts(out, "</div>\n");
}

static void modtype_html(Text *out, const ModTypeExp *type, const char *prefix) {
  if (type->tag != MODTYPE_SPECS) return;
  text_puts(out, "<div class=\"in\">\n");
  for (int i = 0; i < type->specs.specs.len; i++) spec_html(out, type->specs.specs.at[i], prefix);
  text_puts(out, "</div>\n");
}

static void members_html(Text *out, const Dec *dec, const char *prefix) {
  if (dec->tag == DEC_MODTYPE) modtype_html(out, dec->modtype.type, prefix);
  if (dec->tag != DEC_MOD) return;
  if (dec->mod.type) modtype_html(out, dec->mod.type, prefix);
  else if (dec->mod.body->tag == MODEXP_DECS) {
    text_puts(out, "<div class=\"in\">\n");
    decs_html(out, &dec->mod.body->decs.decs, prefix);
    text_puts(out, "</div>\n");
  }
}

static void decs_html(Text *out, const DecList *decs, const char *prefix) {
  for (int i = 0; i < decs->len; i++) {
    const Dec *dec = decs->at[i];
    Name name = dec_public_name(dec);
    if (!name) continue;
    entry_begin(out, prefix, name, dec->tag == DEC_TYPE);
    dec_head_html(out, dec);
    entry_doc(out, dec->doc);
    Text inner = {0};
    text_printf(&inner, "%s%s.", prefix, name);
    members_html(out, dec, inner.at);
    text_free(&inner);
    text_puts(out, "</div>\n");
  }
}

void doc_file_html(Text *out, const SourceFile *file, const char *title) {
  text_puts(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
  html_escape(out, title, strlen(title));
  text_printf(out, "</title><style>%s</style></head><body>\n<h1>", style);
  html_escape(out, title, strlen(title));
  text_puts(out, "</h1>\n");
  if (file && file->doc) doc_text_html(out, file->doc);
  if (!file) return;
  decs_html(out, &file->decs, "");
  text_puts(out, "<p><a href=\"index.html\">Index</a></p>\n</body></html>\n");
}

void doc_names_html(Text *out, const SourceFile *file, const char *page) {
  for (int i = 0; i < file->decs.len; i++) {
    Name name = dec_public_name(file->decs.at[i]);
    if (!name) continue;
    text_printf(out, "<a href=\"%s#%s", page,
                file->decs.at[i]->tag == DEC_TYPE ? "type-" : "");
    html_escape(out, name, strlen(name));
    text_puts(out, "\"><code>");
    html_escape(out, name, strlen(name));
    text_puts(out, "</code></a>\n");
  }
}
