// The part of the prelude that a program needs.  A definition of the prelude matters only to
// programs that mention its name, or a definition that does: the others are blanked out of the
// prelude's text, so that nothing reads or checks them.  Names tell it all: modules, their members
// and the members of module types are kept or dropped by name alone, so what is kept finds
// everything it mentions, and implementations keep fitting their module types.  A program that
// names one of the prelude's module types may write a module for it, and gets all members.
//
// This reads the layout that files of the prelude have (a test checks that all of it is
// understood): definitions start at the left edge, members of modules two spaces to the right, and
// attributes and `local` may stand on lines of their own before them.
#include "local.h"
#include <string.h>

typedef struct {
  char *from, *body, *to;  // its lines; those from `body` on are its members' or close it
  const char *name;
  size_t len;              // 0: no name, always needed
  int outer;               // the module it is a member of, or -1
  bool module, split;        // split: it has members
  bool public_type;          // a module type that programs see
  bool needed;
} Item;
typedef struct {
  Arena *arena;
  Names *names;
  LIST(Item) items;
  int top;         // the definition at the left edge around the current line, or -1
  bool prefixed;   // the line before holds attributes or `local` of the next definition
} Needed;

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '\'';
}

static const char *after_word(const char *s, const char *word) {
  size_t len = strlen(word);
  return strncmp(s, word, len) == 0 && s[len] == ' ' ? s + len + 1 : NULL;
}

// Sets the name that a definition's first line, without attributes, gives.
static void item_name(Item *item, const char *s) {
  const char *rest = after_word(s, "local"), *name = NULL;
  bool hidden = rest != NULL;
  if (rest) s = rest;
  if ((rest = after_word(s, "module")) != NULL) {
    item->module = true;
    name = after_word(rest, "type");
    item->public_type = name && !hidden;
    if (!name) name = rest;
  } else if ((name = after_word(s, "def")) == NULL) {
    name = after_word(s, "val");
  }
  if (!name) return;
  if (*name == '(') name++;
  item->name = name;
  while (is_word(name[item->len])) item->len++;
  if (item->len == 0)
    while (is_operator_char(name[item->len])) item->len++;
}

static void item_begin(Needed *n, char *line, char *end, bool member) {
  Item item = {.from = line, .body = end, .to = end, .outer = member ? n->top : -1};
  if (member) n->items.at[n->top].split = true;
  list_push(n->arena, &n->items, item);
  if (!member) n->top = n->items.len - 1;
}

static void blank(char *from, char *to) {
  for (; from < to; from++)
    if (*from != '\n') *from = ' ';
}

// A line continues the item before it unless it begins one.
static void line_see(Needed *n, char *line, char *end) {
  size_t indent = strspn(line, " ");
  const char *s = line + indent;
  if (s >= end || *s == '\n') return;
  if (strncmp(s, "--", 2) == 0) {
    blank(line, end);
    return;
  }
  bool member = indent == 2 && n->top >= 0 && n->items.at[n->top].module;
  bool begins = (indent == 0 || member) && *s != '}';
  if (begins && !n->prefixed) item_begin(n, line, end, member);
  if (n->items.len == 0) return;
  Item *item = &n->items.at[n->items.len - 1];
  if (*s == '}' && indent == 0) item = &n->items.at[n->top];
  n->prefixed = begins && (strncmp(s, "#[", 2) == 0 || strncmp(s, "local\n", 6) == 0);
  if (begins && !n->prefixed) item_name(item, s);
  if (!item->split) item->body = end;
  item->to = end;
}

static void text_see(Needed *n, char *text, size_t len) {
  n->top = -1;
  for (char *line = text, *end; line < text + len; line = end) {
    end = memchr(line, '\n', (size_t)(text + len - line));
    end = end ? end + 1 : text + len;
    line_see(n, line, end);
  }
}

static const char *text_skip(const char *s, const char *to) {
  do s++;
  while (s < to && *s != '"');
  return s < to ? s + 1 : to;
}

// Texts, such as those of imports, are no names.
static void words_intern(Needed *n, const char *s, const char *to) {
  while (s < to) {
    const char *from = s;
    while (s < to && is_word(*s)) s++;
    if (s == from)
      while (s < to && is_operator_char(*s)) s++;
    if (s > from) name_intern(n->names, from, (size_t)(s - from));
    else s = *s == '"' ? text_skip(s, to) : s + 1;
  }
}

static bool item_check(Needed *n, Item *item, bool whole) {
  if (item->needed || (item->outer >= 0 && !n->items.at[item->outer].needed)) return false;
  bool all = item->len == 0 || (whole && item->outer >= 0);
  if (!all && !name_known(n->names, item->name, item->len)) return false;
  item->needed = true;
  words_intern(n, item->from, item->body);
  return true;
}

static void items_check(Needed *n) {
  bool whole = false, more = true;
  for (int i = 0; i < n->items.len; i++) {
    const Item *item = &n->items.at[i];
    whole = whole || (item->public_type && name_known(n->names, item->name, item->len));
  }
  while (more) {
    more = false;
    for (int i = 0; i < n->items.len; i++) more |= item_check(n, &n->items.at[i], whole);
  }
}

const struct EmbeddedFile *prelude_needed(Arena *arena, Names *names,
                                          const struct EmbeddedFile *lib) {
  Needed n = {.arena = arena, .names = names};
  LIST(struct EmbeddedFile) out = {0};
  for (; lib->name; lib++) {
    struct EmbeddedFile file = *lib;
    if (strncmp(file.name, "prelude/", 8) == 0) {
      char *text = arena_strndup(arena, file.text, file.len);
      text_see(&n, text, file.len);
      file.text = text;
    }
    list_push(arena, &out, file);
  }
  list_push(arena, &out, *lib);
  items_check(&n);
  for (int i = 0; i < n.items.len; i++)
    if (!n.items.at[i].needed) blank(n.items.at[i].from, n.items.at[i].to);
  return out.at;
}
