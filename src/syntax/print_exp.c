// Expressions as source text, on one line, with no more parentheses than reading back needs.
// `level` is the loosest form that may stand bare; see the LEVEL_ names.
#include "local.h"
#include <string.h>

static bool is_identifier(Name name) { return !name_is_operator(name); }

void qual_name_print(Text *out, const QualName *name) {
  for (int i = 0; i < name->parts.len; i++)
    text_printf(out, "%s%s", i ? "." : "", name->parts.at[i]);
}

void name_print(Text *out, Name name) {
  text_printf(out, name_is_operator(name) ? "(%s)" : "%s", name);
}

static Name op_name(const VarRef *op) { return op->name.parts.at[op->name.parts.len - 1]; }

static void op_print(Text *out, const VarRef *op) {
  bool ticks = is_identifier(op_name(op));
  if (ticks) text_putc(out, '`');
  qual_name_print(out, &op->name);
  if (ticks) text_putc(out, '`');
}

static void var_print(Text *out, const VarRef *var) {
  bool parens = name_is_operator(op_name(var));
  if (parens) text_putc(out, '(');
  qual_name_print(out, &var->name);
  if (parens) text_putc(out, ')');
}

static void exps_print(Text *out, const ExprList *exps) {
  for (int i = 0; i < exps->len; i++) {
    if (i > 0) text_puts(out, ", ");
    exp_print_at(out, exps->at[i], LEVEL_TAIL);
  }
}

static void record_print(Text *out, const FieldExprList *fields) {
  text_putc(out, '{');
  for (int i = 0; i < fields->len; i++) {
    const FieldExpr *field = &fields->at[i];
    text_printf(out, "%s%s", i ? ", " : "", field->name);
    if (field->pun) continue;
    text_puts(out, " = ");
    exp_print_at(out, field->value, LEVEL_TAIL);
  }
  text_putc(out, '}');
}

static void args_print(Text *out, const ExprList *args) {
  for (int i = 0; i < args->len; i++) {
    text_putc(out, ' ');
    exp_print_at(out, args->at[i], LEVEL_ATOM);
  }
}

// A constructor would take the arguments as its payload, an element could not be applied to
// an array literal.
static void apply_print(Text *out, const Expr *exp) {
  const Expr *fn = exp->apply.fn;
  ExprTag first = exp->apply.args.at[0]->tag;
  bool parens = fn->tag == EXP_CONSTR ||
                (fn->tag == EXP_INDEX && (first == EXP_ARRAY || first == EXP_ARRAYLIT));
  exp_print_at(out, fn, parens ? LEVEL_ATOM + 1 : LEVEL_ATOM);
  args_print(out, &exp->apply.args);
}

static void optional_print(Text *out, const Expr *exp) {
  if (exp) exp_print_at(out, exp, LEVEL_RANGE);
}

void index_print(Text *out, const IndexList *index) {
  text_putc(out, '[');
  for (int i = 0; i < index->len; i++) {
    const Index *one = &index->at[i];
    if (i > 0) text_puts(out, ", ");
    optional_print(out, one->i);
    if (one->tag == INDEX_FIX) continue;
    text_putc(out, ':');
    optional_print(out, one->j);
    if (one->s) text_putc(out, ':');
    optional_print(out, one->s);
  }
  text_putc(out, ']');
}

void steps_print(Text *out, const StepList *path, bool leading_dot) {
  for (int i = 0; i < path->len; i++) {
    const Step *step = &path->at[i];
    if ((i == 0 && leading_dot) || (i > 0 && step->tag == STEP_FIELD)) text_putc(out, '.');
    if (step->tag == STEP_FIELD)
      text_puts(out, step->field);
    else
      index_print(out, &step->index);
  }
}

// The bracket is tight only after a letter, digit, _, ', ) or ].
static bool takes_tight_bracket(const Expr *exp) {
  return exp->tag == EXP_VAR || exp->tag == EXP_INDEX || exp->tag == EXP_PROJECT ||
         exp->tag == EXP_ARRAY || exp->tag == EXP_ARRAYLIT || exp->tag == EXP_LOCALOPEN ||
         exp->tag == EXP_TUPLE;
}

static void indexing_print(Text *out, const Expr *exp) {
  const Expr *src = exp->index.src;
  exp_print_at(out, src, takes_tight_bracket(src) ? LEVEL_ATOM : LEVEL_ATOM + 1);
  index_print(out, &exp->index.index);
}

// m.x.f would read as one name.
static void project_print(Text *out, const Expr *exp) {
  const Expr *src = exp->project.src;
  bool digits = exp->project.field[0] >= '0' && exp->project.field[0] <= '9';
  bool bare = takes_tight_bracket(src) && (digits || src->tag != EXP_VAR);
  exp_print_at(out, src, bare || src->tag == EXP_RECORD ? LEVEL_ATOM : LEVEL_ATOM + 1);
  text_printf(out, ".%s", exp->project.field);
}

static void prefix_print(Text *out, const Expr *exp) {
  const Expr *arg = exp->neg.arg;
  bool nested = arg->tag == EXP_NEG || arg->tag == EXP_NOT;
  text_putc(out, exp->tag == EXP_NEG ? '-' : '!');
  exp_print_at(out, arg, nested ? LEVEL_ATOM : LEVEL_PREFIX);
}

// Right after a dot a number is read as a field name, never as a float.
static void dots_print(Text *out, const char *dots, const Expr *next) {
  text_puts(out, dots);
  for (;;) {
    if (next->tag == EXP_BINOP) next = next->binop.left;
    else if (next->tag == EXP_UPDATE) next = next->update.src;
    else if (next->tag == EXP_APPLY) next = next->apply.fn;
    else break;
  }
  if (next->tag == EXP_FLOAT) text_putc(out, ' ');
}

static void range_print(Text *out, const Expr *exp) {
  static const char *const dots[] = {"...", "..<", "..>"};
  exp_print_at(out, exp->range.from, LEVEL_RANGE + 1);
  if (exp->range.second) {
    dots_print(out, "..", exp->range.second);
    exp_print_at(out, exp->range.second, LEVEL_RANGE + 1);
  }
  dots_print(out, dots[exp->range.tag], exp->range.to);
  exp_print_at(out, exp->range.to, LEVEL_RANGE + 1);
}

static int binop_level(const Expr *exp) { return operator_level(op_name(&exp->binop.op)); }

static bool is_bare_left(const Expr *exp, int level) {
  return exp->tag == EXP_BINOP && binop_level(exp) >= level && binop_level(exp) != LEVEL_PIPE_LEFT;
}

// The left spine may be very long: its nodes are stacked, outermost first, then printed upwards.
static void binop_print(Text *out, const Expr *exp) {
  Text stack = {0};
  int level = binop_level(exp);
  for (;;) {
    text_write(&stack, (const char *)&exp, sizeof exp);
    level = binop_level(exp) + (binop_level(exp) == LEVEL_PIPE_LEFT);
    if (!is_bare_left(exp->binop.left, level)) break;
    exp = exp->binop.left;
  }
  exp_print_at(out, exp->binop.left, level);
  for (size_t at = stack.len; at > 0; at -= sizeof exp) {
    memcpy(&exp, stack.at + at - sizeof exp, sizeof exp);
    text_putc(out, ' ');
    op_print(out, &exp->binop.op);
    text_putc(out, ' ');
    level = binop_level(exp);
    exp_print_at(out, exp->binop.right, level + (level != LEVEL_PIPE_LEFT));
  }
  text_free(&stack);
}

static void left_section_print(Text *out, const Expr *exp) {
  int level = operator_level(op_name(&exp->section.op));
  text_putc(out, '(');
  exp_print_at(out, exp->section.arg, level + (level == LEVEL_PIPE_LEFT));
  text_putc(out, ' ');
  op_print(out, &exp->section.op);
  text_putc(out, ')');
}

static void right_section_print(Text *out, const Expr *exp) {
  text_putc(out, '(');
  op_print(out, &exp->section.op);
  text_putc(out, ' ');
  exp_print_at(out, exp->section.arg, LEVEL_RANGE);
  text_putc(out, ')');
}

static void update_print(Text *out, const Expr *exp) {
  exp_print_at(out, exp->update.src, LEVEL_WITH);
  text_puts(out, " with ");
  steps_print(out, &exp->update.path, false);
  text_puts(out, " = ");
  exp_print_at(out, exp->update.value, LEVEL_WITH + 1);
}

// The type of a bare ascription would take the arrow.
static void case_pat_print(Text *out, const Pat *pat) {
  if (pat->tag == PAT_ASCRIBE || pat->tag == PAT_ATTR)
    param_print(out, pat);
  else
    pat_print(out, pat);
}

// A case that is not the last must not end in a match, which would take the cases after it.
static void match_print(Text *out, const Expr *exp) {
  text_puts(out, "match ");
  exp_print_at(out, exp->match.src, LEVEL_ASCRIBE);
  for (int i = 0; i < exp->match.cases.len; i++) {
    const MatchCase *one = &exp->match.cases.at[i];
    text_puts(out, " case ");
    case_pat_print(out, one->pat);
    text_puts(out, " -> ");
    exp_print_at(out, one->body, i < exp->match.cases.len - 1 ? LEVEL_ASCRIBE : LEVEL_TAIL);
  }
}

static void loop_print(Text *out, const Expr *exp) {
  text_puts(out, "loop ");
  pat_print(out, exp->loop.pat);
  if (!exp->loop.implicit) {
    text_puts(out, " = ");
    exp_print_at(out, exp->loop.init, LEVEL_TAIL);
  }
  if (exp->loop.tag == LOOP_WHILE) {
    text_puts(out, " while ");
  } else {
    text_puts(out, " for ");
    pat_print(out, exp->loop.index);
    text_puts(out, exp->loop.tag == LOOP_FOR ? " < " : " in ");
  }
  exp_print_at(out, exp->loop.arg, LEVEL_TAIL);
  text_puts(out, " do ");
  exp_print_at(out, exp->loop.body, LEVEL_TAIL);
}

static void let_print(Text *out, const Expr *exp) {
  text_puts(out, "let ");
  for (int i = 0; i < exp->let.sizes.len; i++)
    text_printf(out, "[%s] ", exp->let.sizes.at[i].name);
  pat_print(out, exp->let.pat);
  text_puts(out, " = ");
  exp_print_at(out, exp->let.value, LEVEL_TAIL);
  text_puts(out, " in ");
}

static void letfun_print(Text *out, const Expr *exp) {
  text_puts(out, "let ");
  fun_head_print(out, exp->letfun.fun);
  text_puts(out, " = ");
  exp_print_at(out, exp->letfun.fun->body, LEVEL_TAIL);
  text_puts(out, " in ");
}

static void lambda_head_print(Text *out, const Expr *exp) {
  text_putc(out, '\\');
  for (int i = 0; i < exp->lambda.params.len; i++) {
    if (i > 0) text_putc(out, ' ');
    param_print(out, exp->lambda.params.at[i]);
  }
  if (exp->lambda.ret) {
    text_puts(out, ": ");
    type_term_print(out, exp->lambda.ret);
  }
  text_puts(out, " -> ");
}

// Prints all of a tail form but its last operand, which is returned; NULL for other forms.
static const Expr *tail_head_print(Text *out, const Expr *exp) {
  if (exp->tag == EXP_LET) return let_print(out, exp), exp->let.body;
  if (exp->tag == EXP_LETFUN) return letfun_print(out, exp), exp->letfun.body;
  if (exp->tag == EXP_LAMBDA) return lambda_head_print(out, exp), exp->lambda.body;
  if (exp->tag == EXP_IF) {
    text_puts(out, "if ");
    exp_print_at(out, exp->if_.cond, LEVEL_TAIL);
    text_puts(out, " then ");
    exp_print_at(out, exp->if_.yes, LEVEL_TAIL);
    text_puts(out, " else ");
    return exp->if_.no;
  }
  if (exp->tag == EXP_ASSERT) {
    text_puts(out, "assert ");
    exp_print_at(out, exp->assert.cond, LEVEL_ATOM);
    text_putc(out, ' ');
    return exp->assert.body;
  }
  if (exp->tag != EXP_ATTR) return NULL;
  text_puts(out, "#[");
  attr_print(out, exp->attr.attr);
  text_puts(out, "] ");
  return exp->attr.body;
}

static void ascribe_print(Text *out, const Expr *exp) {
  exp_print_at(out, exp->ascribe.src, LEVEL_ASCRIBE);
  text_puts(out, exp->tag == EXP_ASCRIBE ? " : " : " :> ");
  type_exp_print(out, exp->ascribe.type);
}

static void constr_print(Text *out, const Expr *exp) {
  text_printf(out, "#%s", exp->constr.name);
  args_print(out, &exp->constr.args);
}

static void delimited_print(Text *out, const ExprList *exps, const char *pair) {
  text_putc(out, pair[0]);
  exps_print(out, exps);
  text_putc(out, pair[1]);
}

static void localopen_print(Text *out, const Expr *exp) {
  qual_name_print(out, &exp->localopen.mod.name);
  text_puts(out, ".(");
  exp_print_at(out, exp->localopen.body, LEVEL_TAIL);
  text_putc(out, ')');
}

static int level_of(const Expr *exp) {
  switch (exp->tag) {
    case EXP_BINOP: return binop_level(exp);
    case EXP_UPDATE: return LEVEL_WITH;
    case EXP_RANGE: return LEVEL_RANGE;
    case EXP_ASCRIBE:
    case EXP_COERCE: return LEVEL_ASCRIBE;
    case EXP_NEG:
    case EXP_NOT:
    case EXP_APPLY: return LEVEL_PREFIX;
    case EXP_CONSTR: return exp->constr.args.len ? LEVEL_PREFIX : LEVEL_ATOM;
    case EXP_IF: case EXP_MATCH: case EXP_LET: case EXP_LETFUN: case EXP_LOOP: case EXP_LAMBDA:
    case EXP_ASSERT: case EXP_ATTR: return LEVEL_TAIL;
    case EXP_INT: case EXP_FLOAT: case EXP_CHAR: case EXP_STRING: case EXP_BOOL: case EXP_HOLE:
    case EXP_VAR: case EXP_TUPLE: case EXP_RECORD: case EXP_ARRAY: case EXP_ARRAYLIT:
    case EXP_PROJECT: case EXP_INDEX: case EXP_SECTION_LEFT: case EXP_SECTION_RIGHT:
    case EXP_SECTION_PATH: case EXP_LOCALOPEN: break;
  }
  return LEVEL_ATOM;
}

static void bare_print(Text *out, const Expr *exp) {
  switch (exp->tag) {
    case EXP_INT: case EXP_FLOAT: case EXP_CHAR: case EXP_STRING: case EXP_BOOL:
    case EXP_ARRAYLIT: literal_print(out, exp); return;
    case EXP_HOLE: text_puts(out, "???"); return;
    case EXP_VAR: var_print(out, &exp->var); return;
    case EXP_TUPLE: delimited_print(out, &exp->tuple.elems, "()"); return;
    case EXP_RECORD: record_print(out, &exp->record.fields); return;
    case EXP_ARRAY: delimited_print(out, &exp->array.elems, "[]"); return;
    case EXP_RANGE: range_print(out, exp); return;
    case EXP_CONSTR: constr_print(out, exp); return;
    case EXP_APPLY: apply_print(out, exp); return;
    case EXP_PROJECT: project_print(out, exp); return;
    case EXP_INDEX: indexing_print(out, exp); return;
    case EXP_NEG:
    case EXP_NOT: prefix_print(out, exp); return;
    case EXP_BINOP: binop_print(out, exp); return;
    case EXP_SECTION_LEFT: left_section_print(out, exp); return;
    case EXP_SECTION_RIGHT: right_section_print(out, exp); return;
    case EXP_SECTION_PATH:
      text_putc(out, '(');
      steps_print(out, &exp->section_path.path, true);
      text_putc(out, ')');
      return;
    case EXP_UPDATE: update_print(out, exp); return;
    case EXP_MATCH: match_print(out, exp); return;
    case EXP_LOOP: loop_print(out, exp); return;
    case EXP_ASCRIBE:
    case EXP_COERCE: ascribe_print(out, exp); return;
    case EXP_LOCALOPEN: localopen_print(out, exp); return;
    case EXP_IF: case EXP_LET: case EXP_LETFUN: case EXP_LAMBDA: case EXP_ASSERT:
    case EXP_ATTR: break;  // tail_head_print
  }
  ice("tail form printed as another form");
}

static void unparenthesised_print(Text *out, const Expr *exp) {
  const Expr *tail;
  while ((tail = tail_head_print(out, exp))) exp = tail;
  bare_print(out, exp);
}

void exp_print_at(Text *out, const Expr *exp, int level) {
  bool parens = level_of(exp) < level;
  if (parens) text_putc(out, '(');
  unparenthesised_print(out, exp);
  if (parens) text_putc(out, ')');
}

void exp_print(Text *out, const Expr *exp) { exp_print_at(out, exp, LEVEL_TAIL); }
