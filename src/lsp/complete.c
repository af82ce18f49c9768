// Completion: the names that can stand at a place and begin as what is written there; after `x.`
// the fields of a record or the contents of a module; keywords.
#include "local.h"
#include <string.h>

// Kinds of the protocol.
enum {
  ITEM_FUNCTION = 3, ITEM_FIELD = 5, ITEM_VARIABLE = 6, ITEM_MODULE = 9, ITEM_TYPE = 22,
  ITEM_KEYWORD = 14, MOST_ITEMS = 1000,
};

typedef struct {
  Text *out;
  const char *prefix;
  size_t len;
  Names *seen;  // inner names hide outer ones
  int count;
} Items;

static bool item_wanted(Items *items, const char *name) {
  if (strncmp(name, items->prefix, items->len) != 0 || items->count >= MOST_ITEMS) return false;
  if (name_is_operator(name) || name_known(items->seen, name, strlen(name))) return false;
  name_of(items->seen, name);
  return true;
}

static void item_print(Items *items, const char *name, int kind, const char *detail) {
  text_puts(items->out, items->count++ ? ", {\"label\": " : "{\"label\": ");
  json_print_string(items->out, name);
  text_printf(items->out, ", \"kind\": %d", kind);
  if (detail) {
    text_puts(items->out, ", \"detail\": ");
    json_print_string(items->out, detail);
  }
  text_puts(items->out, "}");
}

static void visible_print(Items *items, const Visible *v, bool field) {
  if (!item_wanted(items, v->name)) return;
  Text detail = {0};
  bool module = v->binding && v->binding->tag == BIND_MODULE;
  SType *type = v->type ? stype_find(v->type) : NULL;
  if (type && !module) stype_print(&detail, type);
  item_print(items, v->name,
             v->def                                 ? ITEM_TYPE
             : module                               ? ITEM_MODULE
             : field                                ? ITEM_FIELD
             : type && type->tag == TYPE_ARROW      ? ITEM_FUNCTION
                                                    : ITEM_VARIABLE,
             detail.at);
  text_free(&detail);
}

static void keywords_print(Items *items) {
  for (int i = 0; keyword_text(i); i++)
    if (item_wanted(items, keyword_text(i)))
      item_print(items, keyword_text(i), ITEM_KEYWORD, NULL);
}

// Where the program that is known has the place, or the nearest before it.
static int64_t place_known(const Document *d, const Version *v, uint32_t at) {
  int64_t place = place_in_version(d, v, at);
  for (; place < 0 && at > 0; place = place_in_version(d, v, --at)) {}
  return place;
}

void completion_print(Arena *arena, Text *out, const Document *d, uint32_t at) {
  const Version *v = document_known(d);
  const char *text = d->now.text;
  uint32_t start = name_start(text, at), word = at;
  while (word > start && text[word - 1] != '.') word--;
  Items items = {out, arena_strndup(arena, text + word, at - word), at - word, names_new(arena), 0};
  int64_t place = v ? place_known(d, v, start) : -1;
  VisibleList names = {0};
  if (place >= 0) names = scope_at(arena, v, (uint32_t)place);
  if (word > start) names = scope_within(arena, &names, text + start, word - 1 - start);
  text_puts(out, "{\"isIncomplete\": false, \"items\": [");
  for (int i = 0; i < names.len; i++) {
    const Visible *one = &names.at[i];
    visible_print(&items, one, word > start && !one->binding && !one->def);
  }
  if (word == start) keywords_print(&items);
  text_puts(out, "]}");
}
