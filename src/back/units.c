// Programs compiled separately from the runtime.  The runtime's C text (with DZ_LINKED, and after
// the C preprocessor) and the program's are taken as lists of items: declarations, definitions,
// macros. A unit, a C text that is compiled by itself, has the items that the definitions it is
// home to reach.  Of what has external linkage and its home elsewhere it has a declaration.
//
// Convention: nothing here understands C beyond brackets, strings and where the name stands.  In
// doubt an item stays: one that is neither function, macro nor initialised datum is in use with any
// identifier in it.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "local.h"
#include "values/embed.h"

typedef enum {
  ITEM_KEPT,    // a pragma
  ITEM_ANY,     // types, variables without a value: in use with any identifier in it
  ITEM_COPIED,  // macros; static or inline definitions, declarations: wherever it is needed
  ITEM_HOMED,   // a function or datum with external linkage: one home, elsewhere declared
} ItemKind;

typedef struct {
  const char *at;
  size_t len, head;  // head: without the body or the value
  size_t work;       // for the C compiler, if homed
  ItemKind kind;
  bool datum;
  int home;  // the unit, if homed; -1: the runtime's object
} Item;

typedef struct {
  int item, next;  // next: 1 + index, 0 at the end
} Link;

typedef struct {
  Arena *arena;
  Names *names;
  Map *keywords, *first;  // first: name -> 1 + index of its first link
  LIST(Item) items;
  LIST(Link) links;
} Index;

// ---- words ------------------------------------------------------------------------------------
static bool is_start(char c) { return (unsigned char)((c | 32) - 'a') < 26 || c == '_'; }
static bool is_part(char c) { return is_start(c) || (unsigned char)(c - '0') < 10; }
static bool is_quote(char c) { return c == '"' || c == '\''; }

// Over the string or character constant that begins at s.  It ends with its line: an apostrophe in
// a comment begins none.
static const char *skip_quoted(const char *s, const char *end) {
  char quote = *s++;
  while (s < end && *s != quote && *s != '\n') s += *s == '\\' ? 2 : 1;
  return s < end ? s + 1 : end;
}

static const char *skip_part(const char *s, const char *end) {
  while (s < end && is_part(*s)) s++;
  return s;
}

typedef struct {
  const char *at;  // NULL: there is none
  size_t len;
} Word;

// The next identifier from *s.
static Word next_word(const char **s, const char *end) {
  const char *p = *s;
  while (p < end && !is_start(*p))
    p = is_quote(*p) ? skip_quoted(p, end) : is_part(*p) ? skip_part(p, end) : p + 1;
  if (p >= end) return (Word){NULL, 0};
  *s = skip_part(p, end);
  return (Word){p, (size_t)(*s - p)};
}

static bool word_is(Word w, const char *text) {
  return strlen(text) == w.len && memcmp(w.at, text, w.len) == 0;
}

static const char *const keywords[] = {
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
    "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "union", "unsigned", "void", "volatile", "while", "_Alignas", "_Alignof", "_Bool", "_Noreturn",
    "_Static_assert", "__attribute__", "__extension__", "__inline", "__inline__", "__restrict",
    "__asm__", "__const", "__signed__", "__volatile__", "__typeof__", "__typeof", "_Complex"};

// NULL for keywords.
static Name word_name(const Index *x, Word w) {
  Name name = name_intern(x->names, w.at, w.len);
  return map_get(x->keywords, KEY(name)) ? NULL : name;
}

typedef struct {
  bool typedefs, local;  // `typedef`; `static` or `inline` in any spelling
} Specifiers;
static Specifiers specifiers_of(const char *s, const char *end) {
  Specifiers found = {false, false};
  for (Word w; (w = next_word(&s, end)).at;) {
    if (w.len < 6 || w.len > 8) continue;
    found.typedefs = found.typedefs || word_is(w, "typedef");
    found.local = found.local || word_is(w, "static") || word_is(w, "inline") ||
                  word_is(w, "__inline");
  }
  return found;
}

// ---- the index --------------------------------------------------------------------------------
static void link_name(Index *x, Name name, int item) {
  int first = (int)(intptr_t)map_get(x->first, KEY(name));
  if (first && x->links.at[first - 1].item == item) return;
  list_push(x->arena, &x->links, (Link){item, first});
  map_put(x->first, KEY(name), (void *)(intptr_t)x->links.len);
}

static void link_every(Index *x, const Item *item, int id) {
  const char *s = item->at, *end = s + item->len;
  for (Word w; (w = next_word(&s, end)).at;) {
    Name name = word_name(x, w);
    if (name) link_name(x, name, id);
  }
}

static const char *skip_brackets(const char *s, const char *end) {
  int depth = 0;
  do {
    switch (*s) {
    case '"':
    case '\'': s = skip_quoted(s, end); continue;
    case '(':
    case '[':
    case '{': depth++; break;
    case ')':
    case ']':
    case '}': depth--; break;
    }
    s++;
  } while (s < end && depth > 0);
  return s;
}

// The name that a declaration declares: the word before the first parenthesis that is not an
// attribute's (a function), else the last one before a bracket or the end (a datum).  NULL: a
// type, or unclear.
static Name declared_name(const Index *x, const char *s, const char *end, bool *function) {
  Word word = {NULL, 0};
  *function = false;
  while (s < end && *s != '[' && *s != '{') {
    if (*s == '(') {
      *function = word.at && !word_is(word, "__attribute__") && !word_is(word, "__asm__");
      if (*function) break;
      s = skip_brackets(s, end);
    } else if (is_start(*s)) {
      word = next_word(&s, end);
    } else s++;
  }
  return word.at ? word_name(x, word) : NULL;
}

static void add_item(Index *x, Item item, Name name) {
  int id = x->items.len;
  item.home = -1;
  if (item.kind == ITEM_ANY || (item.kind != ITEM_KEPT && !name)) {
    item.kind = ITEM_ANY;
    link_every(x, &item, id);
  } else if (name) link_name(x, name, id);
  list_push(x->arena, &x->items, item);
}

// A line of the preprocessor; s at its `#`.
static const char *add_line(Index *x, const char *s, const char *end) {
  const char *line_end = memchr(s, '\n', (size_t)(end - s)), *at = s + 1;
  line_end = line_end ? line_end + 1 : end;
  size_t len = (size_t)(line_end - s);
  Word word = next_word(&at, line_end);
  if (!word.at) return line_end;
  bool macro = word_is(word, "define") || word_is(word, "undef");
  Word name = macro ? next_word(&at, line_end) : word;
  if (name.at)
    add_item(x, (Item){.at = s, .len = len, .kind = macro ? ITEM_COPIED : ITEM_KEPT},
             macro ? name_intern(x->names, name.at, name.len) : NULL);
  return line_end;
}

// head: where the body or the value begins, NULL: there is none.
static void add_declaration(Index *x, const char *s, const char *end, const char *head,
                            bool value) {
  bool function;
  const char *head_end = head ? head : end;
  Name name = declared_name(x, s, head_end, &function);
  Item item = {.at = s, .len = (size_t)(end - s), .head = (size_t)(head_end - s), .datum = value};
  Specifiers with = specifiers_of(s, head_end);
  if (with.typedefs || !(function || value)) item.kind = ITEM_ANY;
  else item.kind = !head || with.local ? ITEM_COPIED : ITEM_HOMED;
  add_item(x, item, name);
}

// A declaration or definition; s at its first character.
static const char *add_next(Index *x, const char *s, const char *end) {
  const char *p = s, *head = NULL;
  bool value = false, function;
  while (p < end && *p != ';') {
    if (*p == '=' && !head) head = p, value = true;
    if (*p == '{' && !head && declared_name(x, s, p, &function) && function) {
      head = p;
      p = skip_brackets(p, end);
      add_declaration(x, s, p, head, false);
      return p;
    }
    p = *p == '(' || *p == '[' || *p == '{' ? skip_brackets(p, end)
        : is_quote(*p)                      ? skip_quoted(p, end)
                                            : p + 1;
  }
  if (p < end) p++;
  add_declaration(x, s, p, head, value);
  return p;
}

static void add_text(Index *x, const char *s, size_t len) {
  const char *end = s + len;
  while (s < end) {
    if (isspace((unsigned char)*s) || *s == ';') s++;
    else s = *s == '#' ? add_line(x, s, end) : add_next(x, s, end);
  }
}

static Index index_new(Arena *arena) {
  Index x = {.arena = arena, .names = names_new(arena), .keywords = map_new(arena),
             .first = map_new(arena)};
  for (int i = 0; i < COUNT_OF(keywords); i++)
    map_put(x.keywords, KEY(name_of(x.names, keywords[i])), &x);
  return x;
}

// ---- what a unit reaches ----------------------------------------------------------------------
typedef struct {
  const Index *x;
  int unit;
  bool *has;  // by item
  Map *seen;  // names
  LIST(Name) work;
} Reach;

static Reach reach_new(const Index *x, int unit) {
  return (Reach){.x = x, .unit = unit, .has = NEW_ARRAY(x->arena, bool, x->items.len + 1),
                 .seen = map_new(x->arena)};
}

static void reach_words(Reach *r, const char *s, size_t len) {
  const char *end = s + len;
  for (Word w; (w = next_word(&s, end)).at;) {
    Name name = word_name(r->x, w);
    if (!name || map_get(r->seen, KEY(name))) continue;
    map_put(r->seen, KEY(name), r);
    list_push(r->x->arena, &r->work, name);
  }
}

static bool is_declared(const Item *item, int unit) {
  return item->kind == ITEM_HOMED && item->home != unit;
}

static void reach_item(Reach *r, int id) {
  const Item *item = &r->x->items.at[id];
  if (r->has[id]) return;
  r->has[id] = true;
  reach_words(r, item->at, is_declared(item, r->unit) ? item->head : item->len);
}

static void reach_all(Reach *r) {
  while (r->work.len) {
    Name name = r->work.at[--r->work.len];
    int link = (int)(intptr_t)map_get(r->x->first, KEY(name));
    for (; link; link = r->x->links.at[link - 1].next) reach_item(r, r->x->links.at[link - 1].item);
  }
}

static void put_items(Text *out, const Reach *r) {
  for (int i = 0; i < r->x->items.len; i++) {
    const Item *item = &r->x->items.at[i];
    if (!r->has[i] && item->kind != ITEM_KEPT) continue;
    bool declared = is_declared(item, r->unit);
    if (declared && item->datum) text_puts(out, "extern ");
    text_write(out, item->at, declared ? item->head : item->len);
    text_puts(out, declared ? ";\n" : "\n");
  }
}

// ---- the runtime --------------------------------------------------------------------------------
void back_runtime(Text *out, bool single) {
  uint64_t pasted = 0;
  text_puts(out, "#define _POSIX_C_SOURCE 200809L\n#define _DEFAULT_SOURCE\n#define DZ_LINKED\n");
  if (single) text_puts(out, "#define DZ_SINGLE\n");
  rts_paste(out, "run.h", &pasted);
  rts_paste(out, "logs.h", &pasted);
  rts_paste(out, "gpu.h", &pasted);
  rts_paste(out, "nan.h", &pasted);
  rts_paste(out, "exe.h", &pasted);
  rts_paste(out, "server.h", &pasted);
  rts_paste(out, "leaf.h", &pasted);
}

// Whether a word is one of the runtime's own names, as macros have put it together.
static bool is_ours(Word w) {
  return w.len > 2 && tolower((unsigned char)w.at[0]) == 'd' &&
         tolower((unsigned char)w.at[1]) == 'z';
}

// The runtime's own names, what its text says (NULL, false), and what those reach.
void back_declarations(Text *out, const char *preprocessed) {
  Arena *arena = arena_new();
  Index x = index_new(arena);
  Text runtime = {0};
  const char *s = preprocessed, *end = s + strlen(s);
  back_runtime(&runtime, false);
  add_text(&x, s, strlen(s));
  Reach r = reach_new(&x, 0);
  reach_words(&r, runtime.at, runtime.len);
  for (Word w; (w = next_word(&s, end)).at;)
    if (is_ours(w)) reach_words(&r, w.at, w.len);
  reach_all(&r);
  put_items(out, &r);
  text_free(&runtime);
  arena_free(arena);
}

void back_select(Text *out, const char *functions, const char *text) {
  Arena *arena = arena_new();
  Index x = index_new(arena);
  add_text(&x, functions, strlen(functions));
  Reach r = reach_new(&x, -1);  // where all have their home
  reach_words(&r, text, strlen(text));
  reach_all(&r);
  put_items(out, &r);
  arena_free(arena);
}

// ---- units --------------------------------------------------------------------------------------
static int larger_first(const void *a, const void *b) {
  const Item *x = *(Item *const *)a, *y = *(Item *const *)b;
  if (x->work != y->work) return x->work < y->work ? 1 : -1;
  return x->at < y->at ? -1 : 1;
}

// The C compiler's time depends on statements, whatever their length; that of data by its length.
static size_t work_of(const char *s, size_t len) {
  enum { STATEMENT = 256 };
  size_t work = len;
  for (size_t i = 0; i < len; i++) work += s[i] == ';' ? STATEMENT : 0;
  return work;
}

// Each definition goes to the smallest unit so far, the largest definitions first.
static int units_assign(Index *x, int from, int most) {
  Item **homed = NEW_ARRAY(x->arena, Item *, x->items.len + 1);
  size_t size[BACK_UNITS_MOST] = {0};
  int len = 0, used = 0;
  for (int i = from; i < x->items.len; i++)
    if (x->items.at[i].kind == ITEM_HOMED) {
      homed[len] = &x->items.at[i];
      homed[len]->work = work_of(homed[len]->at, homed[len]->len);
      len++;
    }
  qsort((void *)homed, (size_t)len, sizeof *homed, larger_first);
  for (int i = 0; i < len; i++) {
    int to = 0;
    for (int u = 1; u < most; u++)
      if (size[u] < size[to]) to = u;
    homed[i]->home = to;
    size[to] += homed[i]->work;
    if (to >= used) used = to + 1;
  }
  return used;
}

int back_units(const char *declarations, const BackTexts *texts, int most, Text *units) {
  Arena *arena = arena_new();
  Index x = index_new(arena);
  add_text(&x, declarations, strlen(declarations));
  int from = x.items.len;
  add_text(&x, texts->program.at, texts->program.len);
  check(most >= 1 && most <= BACK_UNITS_MOST);
  int n = units_assign(&x, from, most);
  for (int u = 0; u < n; u++) {
    Reach r = reach_new(&x, u);
    for (int i = from; i < x.items.len; i++)
      if (x.items.at[i].kind == ITEM_HOMED && x.items.at[i].home == u) reach_item(&r, i);
    reach_all(&r);
    put_items(&units[u], &r);
  }
  arena_free(arena);
  return n;
}
