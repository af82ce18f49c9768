// Macros.  A name is replaced by its macro's text, which is read again with what follows it; a
// token is never replaced by a macro that made it (hidden sets, as in D. Prosser's algorithm for
// X3J11):
//   object-like    t -> body, hidden: those of t and the macro
//   function-like  t(..) -> body with arguments, hidden: those of both t and `)`, and the macro
// Arguments are expanded before they are put in, but for operands of # and ##.
#include "pp.h"

enum { MOST_MADE = 1000000, MOST_DEPTH = 200 };
typedef LIST(PpTokens) Arguments;

PpMacro *pp_macro(const Pp *pp, Name name) { return map_get(pp->macros, KEY(name)); }

static bool is_hidden(const PpHidden *h, Name name) {
  for (; h; h = h->next)
    if (h->name == name) return true;
  return false;
}

static const PpHidden *hide(Pp *pp, const PpHidden *h, Name name) {
  if (is_hidden(h, name)) return h;
  PpHidden *more = NEW(pp->arena, PpHidden);
  *more = (PpHidden){name, h};
  return more;
}

static const PpHidden *hidden_both(Pp *pp, const PpHidden *a, const PpHidden *b) {
  const PpHidden *both = NULL;
  for (; a; a = a->next)
    if (is_hidden(b, a->name)) both = hide(pp, both, a->name);
  return both;
}

static void add(Pp *pp, PpTokens *out, PpToken t) {
  if (++pp->made > MOST_MADE)
    pp_fail(pp, pp->at_line, "Macros expand to more than %d tokens.", MOST_MADE);
  list_push(pp->arena, out, t);
}

// ---- # and ## -----------------------------------------------------------------------------------
static PpToken stringized(Pp *pp, const PpTokens *argument, PpToken at) {
  Text text = {0};
  text_putc(&text, '"');
  for (int i = 0; i < argument->len; i++) {
    const PpToken *t = &argument->at[i];
    if (i && t->space) text_putc(&text, ' ');
    bool literal = t->tag == PP_STRING || t->tag == PP_CHAR;
    for (const char *c = t->text; *c; c++) {
      if (literal && (*c == '"' || *c == '\\')) text_putc(&text, '\\');
      text_putc(&text, *c);
    }
  }
  text_putc(&text, '"');
  at.tag = PP_STRING;
  at.text = name_intern(pp->names, text.at, text.len);
  text_free(&text);
  return at;
}

static void paste(Pp *pp, PpToken *left, const PpToken *right) {
  if (right->tag == PP_EMPTY) return;
  if (left->tag == PP_EMPTY) {
    bool space = left->space;
    *left = *right;
    left->space = space;
    return;
  }
  PpTokens one = {0};
  pp_tokens_of(pp, arena_printf(pp->arena, "%s%s", left->text, right->text), left->line, &one);
  if (one.len != 1)
    pp_fail(pp, left->line, "`%.40s` ## `%.40s` is no token.", left->text, right->text);
  one.at[0].space = left->space;
  one.at[0].hidden = hidden_both(pp, left->hidden, right->hidden);
  *left = one.at[0];
}

// ---- bodies with arguments ----------------------------------------------------------------------
static int param_of(const PpMacro *m, const PpToken *t) {
  for (int i = 0; t->tag == PP_NAME && i < m->params.len; i++)
    if (m->params.at[i] == t->text) return i;
  return -1;
}

static bool is_paste(const PpMacro *m, int i) {
  return i >= 0 && i < m->body.len && pp_is(&m->body.at[i], "##");
}

// Body token i as it is put in: an argument, or itself.
static PpTokens put_in(Pp *pp, const PpMacro *m, const Arguments *args, int i) {
  PpToken t = m->body.at[i];
  int param = param_of(m, &t);
  PpTokens out = {0};
  if (param < 0) {
    list_push(pp->arena, &out, t);
    return out;
  }
  bool raw = is_paste(m, i - 1) || is_paste(m, i + 1);
  PpTokens argument = raw ? args->at[param] : pp_expand(pp, args->at[param]);
  for (int k = 0; k < argument.len; k++) add(pp, &out, argument.at[k]);
  if (out.len) out.at[0].space = t.space;
  else if (raw) list_push(pp->arena, &out, ((PpToken){.tag = PP_EMPTY, .space = t.space,
                                                      .line = t.line, .text = ""}));
  return out;
}

// GNU's `, ## rest`: without remaining arguments the comma goes, else nothing is pasted.
static bool comma_before_rest(const PpMacro *m, int i, const PpTokens *out) {
  return m->variadic && i + 1 < m->body.len && out->len &&
         pp_is(&out->at[out->len - 1], ",") &&
         param_of(m, &m->body.at[i + 1]) == m->params.len - 1;
}

static PpTokens substituted(Pp *pp, const PpMacro *m, const Arguments *args) {
  PpTokens out = {0};
  for (int i = 0; i < m->body.len; i++) {
    PpToken t = m->body.at[i];
    if (m->function && pp_is(&t, "#")) {
      t = stringized(pp, &args->at[param_of(m, &m->body.at[i + 1])], t);
      i++;
      add(pp, &out, t);
      continue;
    }
    bool pastes = pp_is(&t, "##") && out.len;
    if (pastes && comma_before_rest(m, i, &out)) {
      if (args->at[m->params.len - 1].len == 0) out.len--;
      pastes = false;
      i++;
    } else if (pastes) i++;
    PpTokens more = put_in(pp, m, args, i);
    for (int k = 0; k < more.len; k++) {
      if (k == 0 && pastes) paste(pp, &out.at[out.len - 1], &more.at[0]);
      else add(pp, &out, more.at[k]);
    }
  }
  return out;
}

// ---- expansion ----------------------------------------------------------------------------------
typedef struct Node {
  PpToken t;
  struct Node *next;
} Node;

static Node *before(Pp *pp, const PpTokens *list, Node *rest) {
  if (!list->len) return rest;
  Node *nodes = NEW_ARRAY(pp->arena, Node, list->len);
  for (int i = 0; i < list->len; i++)
    nodes[i] = (Node){list->at[i], i + 1 < list->len ? &nodes[i + 1] : rest};
  return nodes;
}

// The arguments after the opening parenthesis; the node of the closing one.
static Node *arguments(Pp *pp, const PpMacro *m, Node *n, Arguments *args) {
  PpTokens argument = {0};
  int depth = 0, line = n->t.line;
  for (n = n->next; n; n = n->next) {
    bool rest = m->variadic && args->len == m->params.len - 1;
    if (depth == 0 && (pp_is(&n->t, ")") || (pp_is(&n->t, ",") && !rest))) {
      list_push(pp->arena, args, argument);
      argument = (PpTokens){0};
      if (pp_is(&n->t, ")")) return n;
      continue;
    }
    depth += pp_is(&n->t, "(") - pp_is(&n->t, ")");
    list_push(pp->arena, &argument, n->t);
  }
  pp_fail(pp, line, "The arguments of macro `%s` do not end.", m->name);
}

static void arguments_check(Pp *pp, const PpMacro *m, Arguments *args, int line) {
  PpTokens none = {0};
  if (args->len == 1 && !args->at[0].len && !m->params.len) args->len = 0;
  if (m->variadic && args->len == m->params.len - 1) list_push(pp->arena, args, none);
  if (args->len != m->params.len)
    pp_fail(pp, line, "Macro `%s` has %d parameters and gets %d arguments.", m->name,
            m->params.len, args->len);
}

static PpTokens special(Pp *pp, const PpMacro *m, PpToken t) {
  PpTokens out = {0};
  Text text = {0};
  if (m->kind == MACRO_FILE) json_print_string(&text, pp->file->path);
  else text_printf(&text, "%d", m->kind == MACRO_LINE ? t.line : pp->counter++);
  t.tag = m->kind == MACRO_FILE ? PP_STRING : PP_NUMBER;
  t.text = name_intern(pp->names, text.at, text.len);
  text_free(&text);
  list_push(pp->arena, &out, t);
  return out;
}

// Puts the expansion of the first node in its place; false: it has none.
static bool expand_one(Pp *pp, Node **at) {
  Node *n = *at;
  PpMacro *m = n->t.tag == PP_NAME ? pp_macro(pp, n->t.text) : NULL;
  if (!m || is_hidden(n->t.hidden, m->name)) return false;
  Arguments args = {0};
  const PpHidden *hidden = n->t.hidden;
  pp->at_line = n->t.line;
  Node *last = n;
  if (m->function) {
    if (!n->next || !pp_is(&n->next->t, "(")) return false;
    last = arguments(pp, m, n->next, &args);
    arguments_check(pp, m, &args, n->t.line);
    hidden = hidden_both(pp, hidden, last->t.hidden);
  }
  PpTokens body = m->kind == MACRO_TEXT ? substituted(pp, m, &args) : special(pp, m, n->t);
  for (int i = 0; i < body.len; i++) {
    body.at[i].line = n->t.line;
    for (const PpHidden *h = hidden; h; h = h->next)
      body.at[i].hidden = hide(pp, body.at[i].hidden, h->name);
    body.at[i].hidden = hide(pp, body.at[i].hidden, m->name);
  }
  if (body.len) body.at[0].space = n->t.space;
  *at = before(pp, &body, last->next);
  return true;
}

PpTokens pp_expand(Pp *pp, PpTokens in) {
  PpTokens out = {0};
  if (++pp->depth > MOST_DEPTH)
    pp_fail(pp, in.len ? in.at[0].line : pp->line, "Macros are nested too deeply.");
  for (Node *n = before(pp, &in, NULL); n;) {
    if (expand_one(pp, &n)) continue;
    add(pp, &out, n->t);
    n = n->next;
  }
  pp->depth--;
  return out;
}

// ---- definitions --------------------------------------------------------------------------------
// The parameters, from after `(`; the position after `)`.
static int params_read(Pp *pp, PpMacro *m, const PpTokens *line, int i) {
  int at = line->at[0].line;
  while (i < line->len && !pp_is(&line->at[i], ")")) {
    const PpToken *t = &line->at[i++];
    bool dots = pp_is(t, "...");
    if (m->variadic || (!dots && t->tag != PP_NAME))
      pp_fail(pp, at, "`%.40s` is no parameter of a macro.", t->text);
    list_push(pp->arena, &m->params, dots ? name_of(pp->names, "__VA_ARGS__") : t->text);
    m->variadic = dots;
    if (!dots && i < line->len && pp_is(&line->at[i], "...")) {
      m->variadic = true;
      i++;
    }
    if (i < line->len && pp_is(&line->at[i], ",")) i++;
    else break;
  }
  if (i >= line->len || !pp_is(&line->at[i], ")"))
    pp_fail(pp, at, "The parameters of macro `%s` do not end.", m->name);
  return i + 1;
}

static void body_check(Pp *pp, const PpMacro *m, int line) {
  int n = m->body.len;
  if (n && (pp_is(&m->body.at[0], "##") || pp_is(&m->body.at[n - 1], "##")))
    pp_fail(pp, line, "## at an end of macro `%s`.", m->name);
  for (int i = 0; m->function && i < n; i++)
    if (pp_is(&m->body.at[i], "#") && (i + 1 == n || param_of(m, &m->body.at[i + 1]) < 0))
      pp_fail(pp, line, "# before what is no parameter of macro `%s`.", m->name);
}

void pp_define(Pp *pp, const PpTokens *line, int from) {
  int at = line->at[0].line, i = from + 1;
  if (from >= line->len || line->at[from].tag != PP_NAME)
    pp_fail(pp, at, "#define without a name.");
  PpMacro *m = NEW(pp->arena, PpMacro);
  m->name = line->at[from].text;
  if (strcmp(m->name, "defined") == 0) pp_fail(pp, at, "`defined` cannot be a macro.");
  if (i < line->len && pp_is(&line->at[i], "(") && !line->at[i].space) {
    m->function = true;
    i = params_read(pp, m, line, i + 1);
  }
  for (; i < line->len; i++) list_push(pp->arena, &m->body, line->at[i]);
  if (m->body.len) m->body.at[0].space = false;
  body_check(pp, m, at);
  map_put(pp->macros, KEY(m->name), m);
}
