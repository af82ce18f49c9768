// Where a token goes when it is the first on its line: an anchor relative to an earlier token.
// Walking the tree from the root, every node paints its range, then its children paint over it;
// the first token of a node keeps what its parent said.  Columns come from output, never from the
// columns of the input, so formatting twice gives the same text.
#include "format.h"

static TokTag tag_at(const Layout *l, int i) { return (TokTag)l->toks.at[i].tag; }

// The first token at or after a byte.
static int token_at(const Layout *l, uint32_t byte) {
  int low = 0, high = l->toks.len - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (l->toks.at[middle].from < byte) low = middle + 1;
    else high = middle;
  }
  return low;
}

static int first_of(const Layout *l, Span span) { return token_at(l, span.from); }

static int last_of(const Layout *l, Span span) {
  int i = token_at(l, span.to);
  return i > 0 ? i - 1 : 0;
}

static void put(Layout *l, int i, AnchorTag tag, int ref, int delta) {
  l->anchors[i] = (Anchor){tag, ref, delta};
}

static void paint(Layout *l, int from, int to, AnchorTag tag, int ref, int delta) {
  for (int i = from; i <= to; i++) put(l, i, tag, ref, delta);
}

// ---- brackets ----------------------------------------------------------------------------------

static bool is_open(TokTag tag) {
  return tag == TOK_LPAREN || tag == TOK_LBRACK || tag == TOK_LBRACE || tag == TOK_ATTR;
}

static bool is_close(TokTag tag) {
  return tag == TOK_RPAREN || tag == TOK_RBRACK || tag == TOK_RBRACE;
}

static void brackets_match(Layout *l, Arena *arena) {
  LIST(int) open = {0};
  for (int i = 0; i < l->toks.len; i++) {
    l->match[i] = -1;
    l->outer[i] = open.len ? open.at[open.len - 1] : -1;
    if (is_open(tag_at(l, i))) list_push(arena, &open, i);
    if (!is_close(tag_at(l, i)) || open.len == 0) continue;
    int from = open.at[--open.len];
    l->outer[i] = l->outer[from];
    l->match[from] = i;
    l->match[i] = from;
  }
}

static void bracket_paint(Layout *l, int open) {
  int close = l->match[open];
  if (close < open) return;
  paint(l, open + 1, close - 1, ANCHOR_INSIDE, open, 0);
  put(l, close, ANCHOR_CLOSE, open, 0);
  for (int i = open + 1; i < close; i++) {
    if (tag_at(l, i) == TOK_COMMA) put(l, i, ANCHOR_CLOSE, open, 0);
    if (is_open(tag_at(l, i)) && l->match[i] > i) i = l->match[i];
  }
}

// Patterns, types and attributes: their brackets are all there is to lay out.
static void brackets_paint(Layout *l, int from, int to) {
  for (int i = from; i <= to; i++)
    if (is_open(tag_at(l, i))) bracket_paint(l, i);
}

static void colon_space(Layout *l, Span type) {
  int i = first_of(l, type) - 1;
  if (i >= 0 && (tag_at(l, i) == TOK_COLON)) l->marks[i] = MARK_SPACED;
}

// ---- types and patterns ------------------------------------------------------------------------

static void type_marks(Layout *l, const TypeExp *type);

static void array_type_marks(Layout *l, const TypeExp *type) {
  int elem = first_of(l, type->array.elem->span);
  if (elem > 0 && tag_at(l, elem - 1) == TOK_RBRACK) l->marks[elem - 1] = MARK_TIGHT;
  type_marks(l, type->array.elem);
}

static void apply_type_marks(Layout *l, const TypeExp *type) {
  type_marks(l, type->apply.fn);
  for (int i = 0; i < type->apply.args.len; i++)
    if (!type->apply.args.at[i].is_size) type_marks(l, type->apply.args.at[i].type);
}

// `[n]t` has no blank between its parts.
static void type_marks(Layout *l, const TypeExp *type) {
  switch (type->tag) {
    case TEXP_NAME: break;
    case TEXP_APPLY: apply_type_marks(l, type); break;
    case TEXP_ARRAY: array_type_marks(l, type); break;
    case TEXP_TUPLE:
      for (int i = 0; i < type->tuple.elems.len; i++) type_marks(l, type->tuple.elems.at[i]);
      break;
    case TEXP_RECORD:
      for (int i = 0; i < type->record.fields.len; i++)
        type_marks(l, type->record.fields.at[i].type);
      break;
    case TEXP_SUM:
      for (int i = 0; i < type->sum.clauses.len; i++)
        for (int j = 0; j < type->sum.clauses.at[i].args.len; j++)
          type_marks(l, type->sum.clauses.at[i].args.at[j]);
      break;
    case TEXP_ARROW:
      type_marks(l, type->arrow.from);
      type_marks(l, type->arrow.to);
      break;
    case TEXP_UNIQUE: type_marks(l, type->unique.elem); break;
    case TEXP_EXISTS: type_marks(l, type->exists.type); break;
  }
}

static void optional_type_marks(Layout *l, const TypeExp *type) {
  if (type) type_marks(l, type);
}

static void pat_marks(Layout *l, const Pat *pat) {
  switch (pat->tag) {
    case PAT_NAME:
    case PAT_WILD:
    case PAT_LIT: break;
    case PAT_TUPLE:
      for (int i = 0; i < pat->tuple.elems.len; i++) pat_marks(l, pat->tuple.elems.at[i]);
      break;
    case PAT_RECORD:
      for (int i = 0; i < pat->record.fields.len; i++)
        pat_marks(l, pat->record.fields.at[i].pat);
      break;
    case PAT_CONSTR:
      for (int i = 0; i < pat->constr.args.len; i++) pat_marks(l, pat->constr.args.at[i]);
      break;
    case PAT_ASCRIBE:
      pat_marks(l, pat->ascribe.pat);
      type_marks(l, pat->ascribe.type);
      break;
    case PAT_ATTR: pat_marks(l, pat->attr.pat); break;
  }
}

static void params_marks(Layout *l, const PatList *params) {
  for (int i = 0; i < params->len; i++) pat_marks(l, params->at[i]);
}

// ---- expressions -------------------------------------------------------------------------------

static void exp_layout(Layout *l, const Expr *exp);

static void exps_layout(Layout *l, const ExprList *exps) {
  for (int i = 0; i < exps->len; i++) exp_layout(l, exps->at[i]);
}

static void optional_layout(Layout *l, const Expr *exp) {
  if (exp) exp_layout(l, exp);
}

static void index_layout(Layout *l, const IndexList *index) {
  for (int i = 0; i < index->len; i++) {
    optional_layout(l, index->at[i].i);
    optional_layout(l, index->at[i].j);
    optional_layout(l, index->at[i].s);
  }
}

static void steps_layout(Layout *l, const StepList *path) {
  for (int i = 0; i < path->len; i++) {
    if (path->at[i].tag == STEP_INDEX) index_layout(l, &path->at[i].index);
  }
}

static void fields_layout(Layout *l, const FieldExprList *fields) {
  for (int i = 0; i < fields->len; i++) {
    const FieldExpr *field = &fields->at[i];
    if (field->pun) continue;
    put(l, first_of(l, field->value->span), ANCHOR_COLUMN, first_of(l, field->span), 2);
    exp_layout(l, field->value);
  }
}

// All operands of a chain of operators line up, whatever binds tighter.  The left spine may be
// long; on the right chains are as deep as the parser allows.
static void operands_layout(Layout *l, const Expr *exp) {
  while (exp->tag == EXP_BINOP && !exp->parens) {
    operands_layout(l, exp->binop.right);
    exp = exp->binop.left;
  }
  exp_layout(l, exp);
}

// head of a definition between `from` and the body's `=`, then the body
static void fun_layout(Layout *l, const FunDef *fun, int from, int ref) {
  int body = first_of(l, fun->body->span);
  paint(l, from, body - 2, ANCHOR_COLUMN, ref, 4);
  brackets_paint(l, from, body - 2);
  params_marks(l, &fun->params);
  optional_type_marks(l, fun->ret);
  if (fun->ret) colon_space(l, fun->ret->span);
  put(l, body - 1, ANCHOR_COLUMN, ref, 2);
  put(l, body, ANCHOR_COLUMN, ref, 2);
  exp_layout(l, fun->body);
}

static void let_layout(Layout *l, const Expr *exp, int ref) {
  int value = first_of(l, exp->let.value->span);
  bool is_update = exp->let.value->tag == EXP_UPDATE &&
                   exp->let.value->span.from == exp->let.pat->span.from;
  if (!is_update) {
    paint(l, ref + 1, value, ANCHOR_COLUMN, ref, 2);
    brackets_paint(l, ref + 1, value - 1);
    pat_marks(l, exp->let.pat);
  }
  exp_layout(l, exp->let.value);
}

static void in_layout(Layout *l, const Expr *body, int ref) {
  int i = first_of(l, body->span);
  put(l, i, ANCHOR_COLUMN, ref, 0);
  if (tag_at(l, i - 1) == TOK_IN) put(l, i - 1, ANCHOR_COLUMN, ref, 0);
}

static void if_layout(Layout *l, const Expr *exp, int ref) {
  int yes = first_of(l, exp->if_.yes->span), no = first_of(l, exp->if_.no->span);
  put(l, first_of(l, exp->if_.cond->span), ANCHOR_COLUMN, ref, 2);
  put(l, yes - 1, ANCHOR_COLUMN, ref, 0);
  put(l, yes, ANCHOR_COLUMN, ref, 2);
  put(l, no - 1, ANCHOR_COLUMN, ref, 0);
  put(l, no, ANCHOR_COLUMN, ref, 2);
  exp_layout(l, exp->if_.cond);
  exp_layout(l, exp->if_.yes);
}

static void lambda_layout(Layout *l, const Expr *exp, int first) {
  int body = first_of(l, exp->lambda.body->span);
  brackets_paint(l, first + 1, body - 1);
  params_marks(l, &exp->lambda.params);
  optional_type_marks(l, exp->lambda.ret);
  if (exp->lambda.ret) colon_space(l, exp->lambda.ret->span);
  put(l, body, ANCHOR_LINE, first, 2);
}

static void match_layout(Layout *l, const Expr *exp, int first) {
  exp_layout(l, exp->match.src);
  for (int i = 0; i < exp->match.cases.len; i++) {
    const MatchCase *one = &exp->match.cases.at[i];
    int from = first_of(l, one->span), body = first_of(l, one->body->span);
    put(l, from, ANCHOR_COLUMN, first, 0);
    brackets_paint(l, from + 1, body - 1);
    pat_marks(l, one->pat);
    put(l, body, ANCHOR_COLUMN, from, 2);
    exp_layout(l, one->body);
  }
}

static void loop_layout(Layout *l, const Expr *exp, int first) {
  int body = first_of(l, exp->loop.body->span), arg = first_of(l, exp->loop.arg->span);
  brackets_paint(l, first + 1, arg - 1);
  pat_marks(l, exp->loop.pat);
  if (exp->loop.index) pat_marks(l, exp->loop.index);
  int form = exp->loop.index ? first_of(l, exp->loop.index->span) - 1 : arg - 1;
  put(l, form, ANCHOR_COLUMN, first, 0);
  if (!exp->loop.implicit) exp_layout(l, exp->loop.init);
  exp_layout(l, exp->loop.arg);
  put(l, body - 1, ANCHOR_COLUMN, first, 0);
  put(l, body, ANCHOR_COLUMN, first, 2);
  exp_layout(l, exp->loop.body);
}

// Forms that are no chain: their parts continue the line they began on.
static void plain_layout(Layout *l, const Expr *exp, int first, int last) {
  switch (exp->tag) {
    case EXP_TUPLE:
    case EXP_ARRAY:
      bracket_paint(l, first);
      exps_layout(l, &exp->tuple.elems);
      break;
    case EXP_RECORD:
      bracket_paint(l, first);
      fields_layout(l, &exp->record.fields);
      break;
    case EXP_RANGE:
      exp_layout(l, exp->range.from);
      optional_layout(l, exp->range.second);
      exp_layout(l, exp->range.to);
      break;
    case EXP_CONSTR: exps_layout(l, &exp->constr.args); break;
    case EXP_APPLY:
      exp_layout(l, exp->apply.fn);
      exps_layout(l, &exp->apply.args);
      break;
    case EXP_PROJECT: exp_layout(l, exp->project.src); break;
    case EXP_INDEX:
      exp_layout(l, exp->index.src);
      if (l->match[last] >= 0) bracket_paint(l, l->match[last]);
      index_layout(l, &exp->index.index);
      break;
    case EXP_NEG:
    case EXP_NOT: exp_layout(l, exp->neg.arg); break;
    case EXP_SECTION_LEFT:
    case EXP_SECTION_RIGHT:
      brackets_paint(l, first, last);
      if (exp->tag == EXP_SECTION_RIGHT)
        l->marks[first_of(l, exp->section.arg->span) - 1] = MARK_SPACED;
      exp_layout(l, exp->section.arg);
      break;
    case EXP_SECTION_PATH:
      brackets_paint(l, first, last);
      steps_layout(l, &exp->section_path.path);
      break;
    case EXP_UPDATE:
      exp_layout(l, exp->update.src);
      brackets_paint(l, last_of(l, exp->update.src->span) + 1,
                     first_of(l, exp->update.value->span) - 1);
      steps_layout(l, &exp->update.path);
      exp_layout(l, exp->update.value);
      break;
    case EXP_ASCRIBE:
    case EXP_COERCE:
      exp_layout(l, exp->ascribe.src);
      colon_space(l, exp->ascribe.type->span);
      type_marks(l, exp->ascribe.type);
      brackets_paint(l, first_of(l, exp->ascribe.type->span), last);
      break;
    case EXP_LOCALOPEN:
      brackets_paint(l, first, last);
      exp_layout(l, exp->localopen.body);
      break;
    case EXP_MATCH: match_layout(l, exp, first); break;
    case EXP_LOOP: loop_layout(l, exp, first); break;
    case EXP_ARRAYLIT: bracket_paint(l, first); break;
    case EXP_INT: case EXP_FLOAT: case EXP_CHAR: case EXP_STRING: case EXP_BOOL: case EXP_HOLE:
    case EXP_VAR: case EXP_BINOP: case EXP_IF: case EXP_LET: case EXP_LETFUN: case EXP_LAMBDA:
    case EXP_ASSERT: case EXP_ATTR: break;
  }
}

// All of a form with a tail but its tail, which is returned; NULL for other forms.
static const Expr *tail_layout(Layout *l, const Expr *exp, int first, int ref) {
  if (exp->tag == EXP_LET) {
    let_layout(l, exp, first);
    return in_layout(l, exp->let.body, first), exp->let.body;
  }
  if (exp->tag == EXP_LETFUN) {
    fun_layout(l, exp->letfun.fun, first + 1, first);
    return in_layout(l, exp->letfun.body, first), exp->letfun.body;
  }
  if (exp->tag == EXP_IF) return if_layout(l, exp, ref), exp->if_.no;
  if (exp->tag == EXP_LAMBDA) return lambda_layout(l, exp, first), exp->lambda.body;
  if (exp->tag == EXP_ASSERT) {
    exp_layout(l, exp->assert.cond);
    put(l, first_of(l, exp->assert.body->span), ANCHOR_START, first, 2);
    return exp->assert.body;
  }
  if (exp->tag != EXP_ATTR) return NULL;
  brackets_paint(l, first, last_of(l, exp->attr.attr->span) + 1);
  put(l, first_of(l, exp->attr.body->span), ANCHOR_COLUMN, first, 0);
  return exp->attr.body;
}

static bool same_line(const Layout *l, int i, int j) {
  for (uint32_t at = l->toks.at[i].to; at < l->toks.at[j].from; at++)
    if (l->src->text[at] == '\n') return false;
  return true;
}

// `else if` on one line goes on with the column of the first `if`.
static void exp_layout(Layout *l, const Expr *exp) {
  for (int ref = -1; exp;) {
    int first = first_of(l, exp->span), last = last_of(l, exp->span);
    bool chained = ref >= 0 && exp->tag == EXP_IF && !exp->parens && same_line(l, first - 1, first);
    for (; exp->parens && tag_at(l, first) == TOK_LPAREN && l->match[first] == last; last--)
      bracket_paint(l, first++);
    if (!chained) ref = first;
    const Expr *tail = tail_layout(l, exp, first, ref);
    if (!tail) {
      bool is_chain = exp->tag == EXP_BINOP;
      paint(l, first + 1, last, ANCHOR_START, first, is_chain ? 0 : 2);
      if (is_chain) {
        operands_layout(l, exp->binop.right);
        operands_layout(l, exp->binop.left);
      } else {
        plain_layout(l, exp, first, last);
      }
    }
    if (exp->tag != EXP_IF) ref = -1;
    exp = tail;
  }
}

// ---- declarations ------------------------------------------------------------------------------

static void dec_layout(Layout *l, const Dec *dec, int ref);
static void modtype_layout(Layout *l, const ModTypeExp *type);

static int block_begin(Layout *l, Span span) {
  int open = first_of(l, span);
  while (tag_at(l, open) == TOK_LPAREN) open++;
  if (tag_at(l, open) != TOK_LBRACE || l->match[open] < 0) return open;
  bracket_paint(l, open);
  l->marks[open] = l->marks[l->match[open]] = MARK_BLOCK;
  return open;
}

// Past attributes; what follows them lines up with them.
static int after_attrs(Layout *l, const AttrList *attrs, int first, int ref) {
  if (attrs->len == 0) return first;
  int keyword = last_of(l, attrs->at[attrs->len - 1]->span) + 2;
  for (int i = first + 1; i <= keyword; i++) put(l, i, ANCHOR_COLUMN, ref, 0);
  brackets_paint(l, first, keyword - 1);
  return keyword;
}

static void spec_layout(Layout *l, const Spec *spec) {
  int first = first_of(l, spec->span), last = last_of(l, spec->span);
  paint(l, first + 1, last, ANCHOR_COLUMN, first, 2);
  int keyword = after_attrs(l, &spec->attrs, first, first);
  brackets_paint(l, keyword, last);
  switch (spec->tag) {
    case SPEC_VAL:
      type_marks(l, spec->val.type);
      colon_space(l, spec->val.type->span);
      break;
    case SPEC_TYPE: optional_type_marks(l, spec->type.type); break;
    case SPEC_MOD:
      colon_space(l, spec->mod.type->span);
      modtype_layout(l, spec->mod.type);
      break;
    case SPEC_INCLUDE: modtype_layout(l, spec->include.type); break;
  }
}

static void modtype_layout(Layout *l, const ModTypeExp *type) {
  switch (type->tag) {
    case MODTYPE_NAME: break;
    case MODTYPE_SPECS:
      block_begin(l, type->span);
      for (int i = 0; i < type->specs.specs.len; i++) spec_layout(l, type->specs.specs.at[i]);
      break;
    case MODTYPE_WITH:
      type_marks(l, type->with.type);
      modtype_layout(l, type->with.src);
      brackets_paint(l, first_of(l, type->with.type->span), last_of(l, type->with.type->span));
      break;
    case MODTYPE_ARROW:
      brackets_paint(l, first_of(l, type->span), first_of(l, type->arrow.to->span) - 1);
      modtype_layout(l, type->arrow.from);
      modtype_layout(l, type->arrow.to);
      break;
  }
}

static void modexp_layout(Layout *l, const ModExp *mod) {
  int first = first_of(l, mod->span);
  switch (mod->tag) {
    case MODEXP_NAME:
    case MODEXP_IMPORT: break;
    case MODEXP_DECS: {
      block_begin(l, mod->span);
      const DecList *decs = &mod->decs.decs;
      for (int i = 0; i < decs->len; i++)
        dec_layout(l, decs->at[i], first_of(l, decs->at[i]->span));
      break;
    }
    case MODEXP_APPLY:
      modexp_layout(l, mod->apply.fn);
      brackets_paint(l, first_of(l, mod->apply.arg->span), last_of(l, mod->apply.arg->span));
      modexp_layout(l, mod->apply.arg);
      break;
    case MODEXP_LAMBDA: {
      int body = first_of(l, mod->lambda.body->span);
      brackets_paint(l, first, body - 1);
      modtype_layout(l, mod->lambda.param.type);
      if (mod->lambda.type) colon_space(l, mod->lambda.type->span);
      put(l, body, ANCHOR_LINE, first, 2);
      modexp_layout(l, mod->lambda.body);
      break;
    }
    case MODEXP_ASCRIBE:
      modexp_layout(l, mod->ascribe.mod);
      colon_space(l, mod->ascribe.type->span);
      modtype_layout(l, mod->ascribe.type);
      break;
  }
}

// A brace on its own line stands below its declaration.
static void brace_put(Layout *l, Span span, int ref) {
  int first = first_of(l, span);
  if (tag_at(l, first) == TOK_LBRACE) put(l, first, ANCHOR_COLUMN, ref, 0);
}

static void mod_layout(Layout *l, const Dec *dec, int ref, int keyword) {
  brackets_paint(l, keyword, first_of(l, dec->mod.body->span) - 1);
  for (int i = 0; i < dec->mod.params.len; i++) modtype_layout(l, dec->mod.params.at[i].type);
  if (dec->mod.type) {
    colon_space(l, dec->mod.type->span);
    modtype_layout(l, dec->mod.type);
  }
  put(l, first_of(l, dec->mod.body->span) - 1, ANCHOR_COLUMN, ref, 0);
  brace_put(l, dec->mod.body->span, ref);
  modexp_layout(l, dec->mod.body);
}

static void dec_layout(Layout *l, const Dec *dec, int ref) {
  int first = first_of(l, dec->span), last = last_of(l, dec->span);
  paint(l, first + 1, last, ANCHOR_COLUMN, ref, 2);
  int keyword = after_attrs(l, &dec->attrs, first, ref);
  switch (dec->tag) {
    case DEC_VAL: fun_layout(l, &dec->val.fun, keyword + 1, ref); break;
    case DEC_TYPE:
      brackets_paint(l, keyword, last);
      optional_type_marks(l, dec->type.type);
      break;
    case DEC_MODTYPE:
      brace_put(l, dec->modtype.type->span, ref);
      modtype_layout(l, dec->modtype.type);
      break;
    case DEC_MOD: mod_layout(l, dec, ref, keyword); break;
    case DEC_OPEN: modexp_layout(l, dec->open.mod); break;
    case DEC_IMPORT: break;
    case DEC_LOCAL: {
      int inner = first_of(l, dec->local.dec->span);
      put(l, inner, ANCHOR_COLUMN, ref, 0);
      dec_layout(l, dec->local.dec, same_line(l, keyword, inner) ? ref : inner);
      break;
    }
  }
}

Layout layout_new(Arena *arena, const SourceFile *file, TokenList toks) {
  Layout l = {.src = file->src, .toks = toks};
  l.anchors = NEW_ARRAY(arena, Anchor, toks.len);
  l.match = NEW_ARRAY(arena, int, toks.len);
  l.outer = NEW_ARRAY(arena, int, toks.len);
  l.marks = NEW_ARRAY(arena, uint8_t, toks.len);
  brackets_match(&l, arena);
  for (int i = 0; i < file->decs.len; i++)
    dec_layout(&l, file->decs.at[i], first_of(&l, file->decs.at[i]->span));
  return l;
}
