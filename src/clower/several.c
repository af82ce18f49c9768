// Pointers that may point to several objects: a tag says to which.  A statement that uses one is
// lowered once for each object, in branches on the tag.
#include "local.h"

static bool alternative_add(const Ptr *p, Several *to) {
  for (int i = 0; i < to->n; i++)
    if (to->alt[i].obj == p->obj && to->alt[i].leaf == p->leaf) return true;
  if (to->n == MOST_SEVERAL) return false;
  to->alt[to->n++] = *p;
  return true;
}

bool ptr_leads_to(const Ptr *p, int obj) {
  bool found = p->obj == obj;
  for (int k = 0; p->several && k < p->several->n; k++) found |= p->several->alt[k].obj == obj;
  return found;
}

bool several_add(Lower *l, const Ptr *p, Several *to) {
  (void)l;
  if (p->nullable) return false;
  if (p->obj >= 0) return alternative_add(p, to);
  for (int i = 0; p->several && i < p->several->n; i++)
    if (!alternative_add(&p->several->alt[i], to)) return false;
  return p->several != NULL;
}

static int index_in(const Several *s, const Ptr *p) {
  for (int i = 0; i < s->n; i++)
    if (s->alt[i].obj == p->obj && s->alt[i].leaf == p->leaf) return i;
  return 0;
}

Atom several_tag(Builder *b, const Ptr *p, const Several *of) {
  if (p->obj >= 0) return atom_i64(index_in(of, p));
  bool same = true;
  for (int i = 0; i < p->several->n; i++) same &= index_in(of, &p->several->alt[i]) == i;
  if (same) return p->tag;
  Atom tag = atom_i64(index_in(of, &p->several->alt[0]));
  for (int i = 1; i < p->several->n; i++) {
    Atom is = build_op(b, OP_EQ, p->tag, atom_i64(i));
    tag = build_select(b, is, atom_i64(index_in(of, &p->several->alt[i])), tag);
  }
  return tag;
}

Ptr several_pick(const Ptr *p, int i) {
  Ptr one = p->several->alt[i];
  one.at = p->at;
  one.unit = p->unit;
  one.several = NULL;
  return one;
}

// ---- statements ---------------------------------------------------------------------------------
typedef struct {
  Lower *l;
  int cell;      // -1: none
} Search;

static bool find_var(const CExpr *e, void *state) {
  Search *s = state;
  if (s->cell >= 0 || e->tag == CE_SIZEOF) return false;
  if (e->tag == CE_ASSIGN && e->x->tag == CE_VAR && !e->op) {
    bool copied = ctype_is_pointer(e->x->type) && cexpr_bare(e->y)->tag == CE_VAR;
    if (!copied) cexpr_visit(e->y, find_var, s);
    return false;
  }
  if (e->tag != CE_VAR || e->var->type->tag != CTYPE_POINTER) return true;
  uintptr_t known = (uintptr_t)map_get(s->l->vars, KEY(e->var));
  if (!known) return true;
  int cell = s->l->objects.at[known - 1].first;
  if (s->l->cells[cell].set && s->l->cells[cell].ptr.several) s->cell = cell;
  return true;
}

typedef struct {
  const CStmt *s;
  int cell, from;      // alternatives before are other branches
  Cell whole;
} Split;

static void split_at(Lower *l, const Split *x);

static void split_one(Lower *l, const void *what, Cell *value) {
  const Split *x = what;
  (void)value;
  Cell one = cell_ptr(several_pick(&x->whole.ptr, x->from));
  l->cells[x->cell] = one;
  statement(l, x->s);
  if (cell_same(&l->cells[x->cell], &one)) l->cells[x->cell] = x->whole;
}

static void split_rest(Lower *l, const void *what, Cell *value) {
  Split x = *(const Split *)what;
  (void)value;
  x.from++;
  split_at(l, &x);
}

static void split_at(Lower *l, const Split *x) {
  const Ptr *p = &x->whole.ptr;
  if (x->from == p->several->n - 1) {
    split_one(l, x, NULL);
    return;
  }
  Atom c = build_op(&l->b, OP_EQ, p->tag, atom_i64(x->from));
  if (!c.is_var) {
    if (c.value.i) split_one(l, x, NULL);
    else split_rest(l, x, NULL);
    return;
  }
  Arm yes = arm_lower(l, split_one, x), no = arm_lower(l, split_rest, x);
  arms_join(l, c, &yes, &no);
}

bool statement_split(Lower *l, const CStmt *s) {
  Search search = {l, -1};
  bool loop = s->tag == CS_FOR || s->tag == CS_WHILE || s->tag == CS_DO;
  if (s->tag == CS_IF || s->tag == CS_EXPR) {
    if (s->x) cexpr_visit(s->x, find_var, &search);
  } else if (loop) cstmt_visit(s, NULL, find_var, &search);
  if (search.cell < 0) return false;
  Split x = {s, search.cell, 0, l->cells[search.cell]};
  split_at(l, &x);
  return true;
}
