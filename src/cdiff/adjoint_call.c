// Calls in adjoints.  Joint: the forward sweep calls the function, the reverse sweep its adjoint,
// which executes it again; so nothing it reads may be overwritten by it.  Split: f_fwd keeps on the
// tape what f_bwd needs.  Joint is chosen where it needs no copies of arrays.
#include "sweep.h"

static CFunction *callee_of(Sweep *w, const CExpr *call) {
  return call->x->tag == CE_FUNCTION ? cprogram_body(w->d->p, call->x->function) : NULL;
}

static bool outside(const CFlow *callee, int i) {
  const Obj *o = &callee->objs.at[i];
  if (o->tag == OBJ_FIELD) return outside(callee, o->parent);
  if (o->tag == OBJ_VAR) return o->var->is_global || o->var->storage == CSTORE_STATIC;
  return o->tag == OBJ_TARGET;
}

static ObjSet mapped(Sweep *w, CFlow *callee, const CExpr *call, const ObjSet *set) {
  ObjSet all = {{0}};
  for (int i = 0; i < callee->objs.len; i++) {
    if (!set_has(set, i) || !outside(callee, i)) continue;
    ObjSet here = cflow_map(w->flow, callee, call, i);
    set_join(&all, &here);
  }
  return all;
}

// The places that the caller needs, in the callee's terms.
static ObjSet needed_inside(Sweep *w, CFlow *callee, const CExpr *call, const ObjSet *need) {
  ObjSet inside = {{0}};
  for (int i = 0; i < callee->objs.len; i++) {
    if (!callee->objs.at[i].entry || !outside(callee, i)) continue;
    ObjSet here = cflow_map(w->flow, callee, call, i);
    if (set_meets(&here, need)) set_add(&inside, i);
  }
  return inside;
}

static ObjSet args_reads(Sweep *w, const CExpr *call) {
  ObjSet all = {{0}};
  for (int i = 0; i < call->nargs; i++) {
    ObjSet r = cflow_reads(w->flow, call->args[i]);
    set_join(&all, &r);
  }
  return all;
}

// Moves or frees memory of the caller, or does what cannot be done twice.
bool call_moves(const CFlow *callee) {
  if (callee->external) return true;
  const CType *result = callee->function->type->base;
  if (result->tag == CTYPE_POINTER) return true;
  for (int i = 0; i < callee->objs.len; i++) {
    if (!outside(callee, i)) continue;
    if (set_has(&callee->frees, i)) return true;
    if (set_has(&callee->writes, i) && callee->objs.at[i].type->tag == CTYPE_POINTER) return true;
  }
  return false;
}

static bool single_cells(Sweep *w, const ObjSet *set) {
  for (int i = 0; i < w->flow->objs.len; i++)
    if (set_has(set, i) && (!w->flow->objs.at[i].one || w->flow->objs.at[i].tag != OBJ_VAR))
      return false;
  return true;
}

static ObjSet meet(const ObjSet *a, const ObjSet *b) {
  ObjSet r;
  for (int i = 0; i < COUNT_OF(r.w); i++) r.w[i] = a->w[i] & b->w[i];
  return r;
}

static ObjSet without(const ObjSet *a, const ObjSet *b) {
  ObjSet r;
  for (int i = 0; i < COUNT_OF(r.w); i++) r.w[i] = a->w[i] & ~b->w[i];
  return r;
}

// The inputs of an adjoint that users wrote (given.c): memory that the callee reads and does not
// write, and the parameters that `needs` names.
static ObjSet given_inputs(const Derived *g, CFlow *callee) {
  const CGiven *given = g->source->given;
  ObjSet inputs = without(&callee->reads, &callee->writes);
  for (int i = 0; i < given->needed.len; i++) {
    const CVar *v = g->source->params.at[given->needed.at[i]];
    ObjSet below = callee->targets.at[cflow_var(callee, v)];
    set_join(&inputs, &below);
  }
  return inputs;
}

// Values that the callee overwrites are not kept for its adjoint, only for others.
static bool given_plan(Sweep *w, CallPlan *p, const CExpr *call, const ObjSet *lost) {
  if (!given_adjoint(p->g)) return false;
  CFlow *callee = cflow_of(w->d->p, p->g->source);
  ObjSet args = args_reads(w, call), inputs = given_inputs(p->g, callee);
  if (set_meets(&args, &p->writes) || !single_cells(w, lost)) return false;
  p->uses = mapped(w, callee, call, &inputs);
  set_join(&p->uses, &args);
  p->saved = *lost;
  p->given = true;
  return true;
}

static CallPlan library_plan(Sweep *w, const CExpr *call) {
  CallPlan p = {0};
  const CLibc *row = call->x->function->libc;
  if (!row || (row->kind != LIBC_COPY && row->kind != LIBC_FILL)) return p;
  p.uses = args_reads(w, call);
  return p;
}

CallPlan call_plan(Sweep *w, const CExpr *call, const CExpr *lhs, const ObjSet *need) {
  CFunction *source = callee_of(w, call);
  if (!source) return library_plan(w, call);
  CallPlan p = {.g = derived_call(w->f, call, lhs)};
  CFlow *callee = cflow_of(w->d->p, source);
  ObjSet reads = mapped(w, callee, call, &callee->reads);
  p.writes = mapped(w, callee, call, &callee->writes);
  ObjSet lost = meet(&p.writes, need), frees = mapped(w, callee, call, &callee->frees);
  if (p.g && given_plan(w, &p, call, &lost)) return p;
  if (!p.g) {
    if (single_cells(w, &lost) && !set_meets(&frees, need)) {
      p.saved = lost;
      return p;
    }
    p.g = derived_passive(w->f, source);
  }
  ObjSet args = args_reads(w, call);
  bool joint = !call_moves(callee) && !advice_split(w, call) &&
               !set_meets(&reads, &p.writes) && single_cells(w, &lost) &&
               !set_meets(&args, &p.writes);
  set_join(&p.uses, &args);
  if (joint) {
    set_join(&p.uses, &reads);
    p.saved = lost;
    return p;
  }
  if (snapshot_wanted(w->d, source) && !call_moves(callee) && !set_meets(&args, &p.writes)) {
    if (snapshot_plan(w, &p, call, &reads, need)) return p;
    cflow_gap(w->d->p->diag, call->at, "[c-length] How much memory `%s` overwrites is not known, "
              "so it cannot be copied for --joint.", source->name);
  }
  ObjSet inside = needed_inside(w, callee, call, need);
  p.split = split_of(p.g, &inside);
  ObjSet after = mapped(w, callee, call, &p.split->after);
  set_join(&p.uses, &after);
  return p;
}

// ---- code ---------------------------------------------------------------------------------------
static const CExpr *call_made(Sweep *w, Name name, const CType *result, const Exprs *args) {
  CDiff *d = w->d;
  CFunction *f = NEW(d->arena, CFunction);
  CType *t = NEW(d->arena, CType);
  *t = (CType){.tag = CTYPE_FUNCTION, .base = result, .unprototyped = true, .count = -1};
  *f = (CFunction){.name = name, .type = t};
  return cbuild_call(d->arena, f, args->at, args->len);
}

// The place may be reached through a pointer that is passed, too.
static bool pointed_to(Sweep *w, const CExpr *call, const CExpr *place) {
  ObjSet here = cflow_spread(w->flow, cflow_places(w->flow, place));
  for (int i = 0; i < call->nargs; i++) {
    if (call->args[i]->type->tag != CTYPE_POINTER) continue;
    ObjSet there = cflow_spread(w->flow, cflow_targets(w->flow, call->args[i]));
    if (set_meets(&here, &there)) return true;
  }
  return false;
}

// An argument by value gets the address of its adjoint: the place's, or a temporary's, whose
// adjoint then goes on to what the argument was computed from.
static const CExpr *value_shadow(Sweep *w, const CExpr *call, int i, Code *out, Stmts *then) {
  CDiff *d = w->d;
  const CExpr *arg = call->args[i], *bare = cexpr_bare(arg);
  if (cexpr_is_lvalue(bare) && ctype_same(bare->type, arg->type) && !pointed_to(w, call, bare)) {
    if (is_active(w->f, bare)) {
      const CExpr *x = shadow_place(w->f, bare);
      if (directions_many(d) && ctype_is_float(bare->type)) return x;
      bool through = x->tag == CE_UNARY && x->op == COP_DEREF;
      return through ? x->x : cbuild_unary(d->arena, COP_ADDRESS, x);
    }
  }
  const CType *t = shadow_type(d, arg->type);
  const CExpr *x = var_of(d, local_new(w->f, "tb", t));
  if (ctype_is_record(t) && (!cexpr_is_lvalue(bare) || is_active(w->f, bare)))
    cflow_gap(d->p->diag, arg->at,
              "[c-unsupported] An active struct is passed by value, and reached otherwise.");
  if (ctype_is_record(t)) memory_cleared(d, x, &out->reverse);
  else {
    direction_assign(w->f, COP_NONE, x, NULL, &out->reverse);
    if (depends_active(w->f, arg)) reverse_value(w, arg, direction_of(w->f, x), then);
  }
  if (t->tag == CTYPE_ARRAY) return x;
  return cbuild_unary(d->arena, COP_ADDRESS, x);
}

static Exprs reverse_args(Sweep *w, const CallPlan *p, const CExpr *call, Code *out, Stmts *then) {
  Exprs args = {0};
  directions_arg_first(w->f, &args);
  for (int i = 0; i < call->nargs; i++) {
    const CExpr *a = call->args[i];
    list_push(w->arena, &args, p->kept[i] ? p->kept[i] : a);
    if (!derived_param_active(p->g, i)) {
      bool none = p->given && ctype_has_derivative(p->g->source->params.at[i]->type);
      if (none) given_arg(w->d, &args, NULL);
      continue;
    }
    list_push(w->arena, &args, a->type->tag == CTYPE_POINTER ? shadow_pointer(w->f, a)
                                                             : value_shadow(w, call, i, out, then));
  }
  return args;
}

static void forward_call(Sweep *w, const CallPlan *p, const CExpr *call, const Effect *e,
    Code *out) {
  const CExpr *made = call;
  if (p->split) {
    p->split->used = true;
    Exprs args = {0};
    directions_arg_first(w->f, &args);
    for (int i = 0; i < call->nargs; i++) {
      list_push(w->arena, &args, call->args[i]);
      if (call->args[i]->type->tag == CTYPE_POINTER && derived_param_active(p->g, i))
        list_push(w->arena, &args, shadow_pointer(w->f, call->args[i]));
    }
    bool pointer = p->g->result_active && call->type->tag == CTYPE_POINTER;
    if (pointer) {
      const CExpr *x = shadow_place(w->f, e->lhs);
      list_push(w->arena, &args, cbuild_unary(w->arena, COP_ADDRESS, x));
    }
    list_push(w->arena, &args, tape_pointer(w));
    made = call_made(w, p->split->forward_name, call->type, &args);
    map_put(w->d->made_calls, KEY(made->x->function), (void *)(uintptr_t)call);
  } else note_original(w->d, call->x->function);
  if (e) stmts_assign(w->d, &out->forward, e->lhs, made);
  else stmts_expr(w->d, &out->forward, made);
}

// The adjoint of a struct that a function returns is passed by value.
static void record_checked(Sweep *w, const CExpr *call) {
  if (shadow_leads(call->type))
    refuse(w->d, call->at, "[c-unsupported] A function returns an active struct with pointers.",
           "let it write through a pointer");
}

static void reverse_call(Sweep *w, const CallPlan *p, const CExpr *call, const Effect *e,
    Code *out) {
  CDiff *d = w->d;
  Stmts then = {0};
  const CExpr *seed = NULL;
  bool value = p->g->result_active && call->type->tag != CTYPE_POINTER;
  if (value && ctype_is_record(call->type)) record_checked(w, call);
  if (p->split) p->split->used = true;
  else if (!p->given) p->g->used = true;
  if (value) {
    const CExpr *vb = shadow_place(w->f, e->lhs);
    seed = var_of(d, local_new(w->f, "tb", shadow_type(d, call->type)));
    if (ctype_is_float(call->type)) {
      direction_assign(w->f, COP_NONE, seed, direction_of(w->f, vb), &out->reverse);
      direction_assign(w->f, COP_NONE, vb, NULL, &out->reverse);
    } else {
      stmts_assign(d, &out->reverse, seed, vb);
      memory_cleared(d, vb, &out->reverse);
    }
  }
  Exprs args = reverse_args(w, p, call, out, &then);
  if (value) list_push(w->arena, &args, seed);
  else if (p->given && ctype_is_float(call->type)) given_arg(d, &args, NULL);
  directions_arg_last(w->f, &args);
  if (p->split) list_push(w->arena, &args, tape_pointer(w));
  Name name = p->split ? p->split->backward_name : p->g->name;
  stmts_expr(d, &out->reverse, p->given ? given_adjoint_call(p->g, &args)
                                        : call_made(w, name, &ctype_void, &args));
  stmts_add_all(d, &out->reverse, &then);
}

// Arguments that the callee overwrites, through a pointer: the reverse sweep needs what they were.
static void args_kept(Sweep *w, CallPlan *p, const CExpr *call, Code *before, Code *after) {
  CDiff *d = w->d;
  p->kept = NEW_ARRAY(w->arena, const CExpr *, call->nargs + 1);
  for (int i = 0; p->split && i < call->nargs; i++) {
    const CExpr *a = call->args[i];
    ObjSet reads = cflow_reads(w->flow, a);
    if (!set_meets(&reads, &p->writes)) continue;
    if (!ctype_is_arithmetic(a->type))
      cflow_gap(d->p->diag, a->at,
                "[c-unsupported] A pointer is passed that is overwritten by the function.");
    const CExpr *t = var_of(d, local_new(w->f, "was", a->type));
    kept_note(w, KEPT_TAPE, a, t);
    stmts_assign(d, &before->forward, t, a);
    if (w->split || w->depth > 0) {
      Code one = {0};
      push_value(w, t, &one);
      stmts_add(d, &after->forward, one.forward.at[0]);
      Stmts reverse = {0};
      stmts_add(d, &reverse, one.reverse.at[0]);
      for (int k = 0; k < after->reverse.len; k++) stmts_add(d, &reverse, after->reverse.at[k]);
      after->reverse = reverse;
    }
    p->kept[i] = t;
  }
}

// The type of all numbers with a derivative in memory of type t; NULL if there are several, or
// pointers to others.
static const CType *number_in(const CType *t) {
  while (t->tag == CTYPE_ARRAY) t = t->base;
  if (t->tag == CTYPE_DOUBLE || t->tag == CTYPE_FLOAT) return t;
  if (t->tag != CTYPE_STRUCT) return NULL;
  const CType *one = NULL;
  for (int i = 0; i < t->record->fields.len; i++) {
    const CType *field = t->record->fields.at[i].type;
    if (!type_has_shadow(field)) continue;
    const CType *inner = number_in(field);
    if (!inner || (one && one->tag != inner->tag)) return NULL;
    one = inner;
  }
  return one;
}

// A pointer to directions, arrays or structs of numbers, as one to their first.
static const CExpr *numbers(CDiff *d, const CExpr *pointer, const CType *number) {
  const CType *to = pointer->type->base;
  bool plain = to && (to->tag == CTYPE_VOID || ctype_is_float(to));
  if ((!directions_many(d) && plain) || pointer->tag == CE_INT) return pointer;
  CExpr *cast = NEW(d->arena, CExpr);
  *cast = (CExpr){.tag = CE_CAST, .x = pointer,
                  .type = ctype_pointer(d->arena, ctype_plain(d->arena, number))};
  return cast;
}

// The adjoint of memset to zero, memcpy and memmove.
static void memory_back(Sweep *w, const CExpr *call, bool fills, Code *out) {
  CDiff *d = w->d;
  int64_t fill = 1;
  const CExpr *bare;
  const CType *t = shadow_led(call->args[0], &bare), *number = number_in(t);
  bool zero = fills && cexpr_integer(call->args[1], &fill) && fill == 0;
  bool known = fills ? zero && type_has_shadow(t) && !shadow_leads(t) : number != NULL;
  if (!known)
    refuse(d, call->at, "[c-punning] Memory is copied or filled whose numbers are not one type.",
           "write a loop that assigns");
  const CExpr *toward = shadow_pointer(w->f, bare), *size = shadow_size_of(d, t, call->args[2]);
  if (fills) {
    const CExpr *args[3] = {toward, cbuild_int(d->arena, 0), size};
    stmts_expr(d, &out->reverse, mk_call(d, "memset", &ctype_void, args, 3));
    return;
  }
  const CExpr *from = cbuild_int(d->arena, 0);
  if (cflow_pointer_active(w->flow, &w->f->active, call->args[1]))
    shadow_led(call->args[1], &from), from = shadow_pointer(w->f, from);
  const CExpr *args[3] = {numbers(d, toward, number), numbers(d, from, number), size};
  d->tape = true;
  const char *name = number->tag == CTYPE_FLOAT ? "dz_copy_back_f" : "dz_copy_back";
  stmts_expr(d, &out->reverse, mk_call(d, name, &ctype_void, args, 3));
}

static void library_code(Sweep *w, const CExpr *call, const ObjSet *need, Code *out) {
  CDiff *d = w->d;
  const CLibc *row = call->x->function->libc;
  LibcKind kind = row ? row->kind : LIBC_PRINT;
  if (kind == LIBC_FREE) return;  // where it was allocated, the reverse sweep frees it
  if (kind != LIBC_COPY && kind != LIBC_FILL) {
    stmts_expr(d, &out->forward, call);
    bool active = false;
    for (int i = 0; i < call->nargs; i++)
      active |= call->args[i]->type->tag == CTYPE_POINTER &&
                (kind == LIBC_SPECIAL || kind == LIBC_INPUT) &&
                cflow_pointer_active(w->flow, &w->f->active, call->args[i]);
    if (active)
      refuse(d, call->at, "[c-no-rule] This function of the library has no derivative here.",
             "write it with functions that have one");
    return;
  }
  ObjSet to = cflow_spread(w->flow, cflow_targets(w->flow, call->args[0]));
  const CExpr *bytes[3] = {tape_pointer(w), call->args[0], call->args[2]};
  bool save = set_meets(&to, need);
  if (save) kept_note(w, KEPT_TAPE, bytes[1], bytes[1]);
  if (save) stmts_expr(d, &out->forward, mk_call(d, "dz_push_bytes", &ctype_void, bytes, 3));
  stmts_expr(d, &out->forward, call);
  if (save) stmts_expr(d, &out->reverse, mk_call(d, "dz_pop_bytes", &ctype_void, bytes, 3));
  if (!cflow_pointer_active(w->flow, &w->f->active, call->args[0])) return;
  memory_back(w, call, kind == LIBC_FILL, out);
}

void call_code(Sweep *w, const CExpr *call, const Effect *e, const ObjSet *need, Code *out) {
  if (!callee_of(w, call)) {
    library_code(w, call, need, out);
    return;
  }
  CallPlan p = call_plan(w, call, e ? e->lhs : NULL, need);
  Code around = {0};
  for (int i = 0; i < w->flow->objs.len; i++)
    if (set_has(&p.saved, i)) save_place(w, cbuild_var(w->arena, w->flow->objs.at[i].var), &around);
  Code before = {0}, after = {0};
  args_kept(w, &p, call, &before, &after);
  stmts_add_all(w->d, &out->forward, &around.forward);
  stmts_add_all(w->d, &out->forward, &before.forward);
  Stmts restored = {0};
  snapshot_code(w, &p, &out->forward, &out->reverse, &restored);
  forward_call(w, &p, call, e, out);
  stmts_add_all(w->d, &out->forward, &after.forward);
  stmts_add_all(w->d, &out->reverse, &after.reverse);
  if (p.g) reverse_call(w, &p, call, e, out);
  stmts_add_all(w->d, &out->reverse, &restored);
  for (int i = around.reverse.len - 1; i >= 0; i--)
    stmts_add(w->d, &out->reverse, around.reverse.at[i]);
}
