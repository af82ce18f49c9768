// The signature of the function whose arguments are being written.  The text need not parse, so its
// words are read up to the place: an application is a name and what follows it, up to an operator,
// a keyword, a comma or a bracket that opens or closes.
#include "local.h"
#include <ctype.h>
#include <string.h>

enum { MOST_NESTING = 100 };

typedef struct {
  uint32_t head, head_end;  // of the name; equal: it begins with something else
  int args;                 // complete ones, and the one that ends at the place
  bool begun;
} Application;
typedef struct {
  const char *text;
  uint32_t at, end;
  Application open[MOST_NESTING];
  int depth;
  bool touching;  // something ends at the place
} Reader;

static bool is_word(char c) { return isalnum((unsigned char)c) || (c && strchr("_'.", c)); }

static bool is_keyword(const char *word, size_t len) {
  bool constant = (len == 4 && memcmp(word, "true", 4) == 0) ||
                  (len == 5 && memcmp(word, "false", 5) == 0);
  return keyword_is(word, len) && !constant;
}

static void restart(Reader *r) { r->open[r->depth] = (Application){0}; }

static void atom(Reader *r, uint32_t from, uint32_t to, bool name) {
  Application *a = &r->open[r->depth];
  if (a->begun) a->args++;
  else *a = (Application){from, name ? to : from, 0, true};
  r->touching = to == r->end;
}

static void word_read(Reader *r) {
  uint32_t from = r->at;
  while (r->at < r->end && is_word(r->text[r->at])) r->at++;
  if (is_keyword(r->text + from, r->at - from)) restart(r);
  else atom(r, from, r->at, !isdigit((unsigned char)r->text[from]));
}

static void string_read(Reader *r) {
  uint32_t from = r->at++;
  while (r->at < r->end && r->text[r->at] != '"' && r->text[r->at] != '\n')
    r->at += r->text[r->at] == '\\' ? 2 : 1;
  if (r->at < r->end) r->at++;
  if (r->at > r->end) r->at = r->end;
  atom(r, from, r->at, false);
}

static void bracket_close(Reader *r) {
  if (r->depth > 0) r->depth--;
  r->at++;
  atom(r, r->at - 1, r->at, false);
}

static void reader_step(Reader *r) {
  char c = r->text[r->at];
  r->touching = false;
  if (c == '-' && r->at + 1 < r->end && r->text[r->at + 1] == '-') {
    while (r->at < r->end && r->text[r->at] != '\n') r->at++;
  } else if (is_word(c)) word_read(r);
  else if (c == '"') string_read(r);
  else if (isspace((unsigned char)c)) r->at++;
  else if (strchr("([{", c) && c) {
    if (r->depth + 1 < MOST_NESTING) r->depth++;
    restart(r);
    r->at++;
  } else if (strchr(")]}", c) && c) bracket_close(r);
  else restart(r), r->at++;
}

// ---- what is shown ----------------------------------------------------------------------------
static void parameter_text(Text *out, SType *arrow) {
  if (arrow->arrow.param) text_printf(out, "(%s: ", arrow->arrow.param);
  stype_print(out, arrow->arrow.from);
  if (arrow->arrow.param) text_puts(out, ")");
}

static void signature_text(Text *out, const Visible *v, SType *type, int active) {
  Text label = {0}, params = {0};
  int count = 0;
  text_printf(&label, "%s : ", v->name);
  for (; type->tag == TYPE_ARROW; type = stype_find(type->arrow.to), count++) {
    Text one = {0};
    parameter_text(&one, type);
    text_printf(&label, "%s -> ", one.at);
    text_puts(&params, count ? ", {\"label\": " : "{\"label\": ");
    json_print_string(&params, one.at);
    text_puts(&params, "}");
    text_free(&one);
  }
  stype_print(&label, type);
  text_puts(out, "{\"signatures\": [{\"label\": ");
  json_print_string(out, label.at);
  if (visible_doc(v)) {
    text_puts(out, ", \"documentation\": ");
    json_print_string(out, visible_doc(v));
  }
  text_printf(out, ", \"parameters\": [%s]}], \"activeSignature\": 0, \"activeParameter\": %d}",
              params.at ? params.at : "", active < count ? active : count);
  text_free(&label), text_free(&params);
}

// The innermost application of something with parameters.
void signature_print(Arena *arena, Text *out, const Document *d, uint32_t at) {
  const Version *v = document_known(d);
  Reader r = {.text = d->now.text, .end = at};
  while (r.at < r.end) reader_step(&r);
  for (; v && r.depth >= 0; r.depth--, r.touching = false) {
    const Application *a = &r.open[r.depth];
    if (a->head == a->head_end || (r.touching && a->args == 0)) continue;
    int64_t place = place_in_version(d, v, a->head);
    if (place < 0) continue;
    VisibleList names = scope_at(arena, v, (uint32_t)place);
    Visible found = scope_lookup(arena, &names, r.text + a->head, a->head_end - a->head);
    SType *type = found.type ? stype_find(found.type) : NULL;
    if (!type || type->tag != TYPE_ARROW) continue;
    signature_text(out, &found, type, a->args - (r.touching ? 1 : 0));
    return;
  }
  text_puts(out, "null");
}
