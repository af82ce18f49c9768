// The functions of a checked program that are no entry points and could be: what other files see of
// the program, in the text of its types.  Functions of modules have the module's name in front; the
// functions of the library are left out.
#include "driver.h"
#include <ctype.h>
#include <string.h>

typedef struct {
  Arena *arena;
  const CheckedProgram *program;
  SourceFunctionList out;
} Finder;

static const char *type_source(Arena *arena, SType *type) {
  Text text = {0};
  stype_print(&text, type);
  const char *copy = arena_strndup(arena, text.at, text.len);
  text_free(&text);
  return copy;
}

static Name pat_own_name(const Pat *pat) {
  while (pat->tag == PAT_ASCRIBE || pat->tag == PAT_ATTR)
    pat = pat->tag == PAT_ASCRIBE ? pat->ascribe.pat : pat->attr.pat;
  return pat->tag == PAT_NAME ? pat->name.name : NULL;
}

// Called as an entry point's parameter is: arg0 where the program gives none.
static const char *param_name(Arena *arena, const Binding *b, const SType *arrow, int place) {
  const FunDef *fun = b->tag == BIND_TOP ? b->fun : NULL;
  Name name = fun && place < fun->params.len ? pat_own_name(fun->params.at[place])
                                             : arrow->arrow.param;
  return name ? name : arena_printf(arena, "arg%d", place);
}

static bool is_entry_point(const CheckedProgram *program, const Binding *b) {
  for (int i = 0; i < program->entries.len; i++)
    if (program->entries.at[i].binding == b) return true;
  return false;
}

static bool is_word(Name name) {
  return isalpha((unsigned char)name[0]) || name[0] == '_';
}

static void function_add(Finder *f, const char *prefix, const Binding *b) {
  SType *type = stype_find(b->type);
  if (type->tag != TYPE_ARROW || b->tparams.len || !is_word(b->name)) return;
  if (is_entry_point(f->program, b)) return;
  SourceFunction made = {.name = arena_printf(f->arena, "%s%s", prefix, b->name)};
  for (int i = 0; type->tag == TYPE_ARROW; type = stype_find(type->arrow.to), i++) {
    if (stype_is_functional(type->arrow.from)) return;
    SourceParam p = {param_name(f->arena, b, type, i), type_source(f->arena, type->arrow.from)};
    list_push(f->arena, &made.params, p);
  }
  made.result = type_source(f->arena, type);
  list_push(f->arena, &f->out, made);
}

static bool is_shadowed(const ModEnv *env, int i) {
  for (int k = i + 1; k < env->terms.len; k++)
    if (env->terms.at[k]->name == env->terms.at[i]->name) return true;
  return false;
}

static void env_search(Finder *f, const char *prefix, const ModEnv *env) {
  for (int i = 0; i < env->terms.len; i++) {
    const Binding *b = env->terms.at[i];
    if (!b->span.src || b->span.src->builtin || is_shadowed(env, i)) continue;
    if (b->tag == BIND_TOP || b->tag == BIND_SPEC) function_add(f, prefix, b);
    if (b->tag == BIND_MODULE && b->mod && b->mod->env)
      env_search(f, arena_printf(f->arena, "%s%s.", prefix, b->name), b->mod->env);
  }
}

SourceFunctionList program_functions(Arena *arena, const CheckedProgram *program) {
  Finder f = {.arena = arena, .program = program};
  if (program->root->exports) env_search(&f, "", program->root->exports);
  return f.out;
}
