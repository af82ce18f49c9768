// Sums of products over windows as convolutions, where sizes are constants.
//
// Each dimension of what is multiplied has a *label*, the loop variable that runs along it; an
// array that is read or written at u + s a + d b has one dimension for two labels.  With labels n
// (of x alone), c (summed), o (of w alone), g (of both and of the result):
//
//   contract (gather x [u + s a + d b]) w over b, c:
//     r[n,g,o,a] = sum (c, b). x[n,g,c,u + s a + d b] w[c,g,o,b]
//   put add z [u + s a + d b] (contract x w over c):
//     r[n,g,o,p] = z + sum (c, a, b) with u + s a + d b = p. x[n,g,c,a] w[c,g,o,b]
//
// The first is a convolution with stride s and windows spread by d.  Its derivatives are, too: by w
// the first with a and b exchanged, by x the second, in which x is spread by s and w reversed.
// There may be several pairs a, b.  A window that reaches over an edge, or lies between the
// elements of a spread array, multiplies zeros there.
#include "windows.h"

enum { DIMS = AFFINE_DIMS, LABELS = 3 * DIMS, SPACE = 1000 };  // SPACE + k: pair number k

typedef struct {
  Atom x;
  int n, at[DIMS];  // the label of each dimension
} Labelled;
typedef struct {
  Labelled of[2], out;
  int64_t size[LABELS];
  int labels;
} Product;
typedef struct {
  int64_t base, by[2];
  int label[2];     // a and b
  int64_t count[2], size;  // of the labels; of the dimension
} Pair;
typedef struct {
  Product p;
  Labelled image, kernel, out;
  Pair pair[DIMS];
  int pairs;
  bool spread;  // the second form
} Convolution;

typedef struct {
  BulkBuilder b;
  BulkRename rename;
  Map *made;  // variable -> the statement that binds it
} Windows;

static const BulkExp *made_by(const Windows *w, Atom a, BulkForm form) {
  return bulk_made_by(w->made, a, form);
}

static Type type_of(const Windows *w, Atom a) { return atom_type(w->b.prog, a); }

static bool has(const Labelled *x, int label) {
  for (int d = 0; d < x->n; d++)
    if (x->at[d] == label) return true;
  return false;
}

static bool positive_sizes(Type t) {
  for (int d = 0; d < t.rank; d++)
    if (size_constant(t.dims[d]) <= 0) return false;
  return t.rank <= DIMS;
}

// ---- products with labels
static bool product_operand(const Windows *w, Product *p, int side, Atom x) {
  Type t = type_of(w, x);
  p->of[side] = (Labelled){.x = x, .n = t.rank};
  if (!positive_sizes(t)) return false;
  for (int d = 0; d < t.rank; d++) p->of[side].at[d] = -1;
  return true;
}

static void product_sizes(const Windows *w, Product *p) {
  for (int side = 0; side < 2; side++)
    for (int d = 0; d < p->of[side].n; d++)
      p->size[p->of[side].at[d]] = size_constant(type_of(w, p->of[side].x).dims[d]);
}

static bool product_of_contract(const Windows *w, const BulkExp *e, Product *p) {
  *p = (Product){0};
  for (int side = 0; side < 2; side++)
    if (!product_operand(w, p, side, e->args.at[side])) return false;
  for (int i = 0; i < e->ints.len; i += 2) {
    for (int side = 0; side < 2; side++) p->of[side].at[e->ints.at[i + side]] = p->labels;
    if (i / 2 < e->number) p->out.at[p->out.n++] = p->labels;
    p->labels++;
  }
  for (int side = 0; side < 2; side++)
    for (int d = 0; d < p->of[side].n; d++)
      if (p->of[side].at[d] < 0)
        p->out.at[p->out.n++] = p->of[side].at[d] = p->labels++;
  product_sizes(w, p);
  return true;
}

static bool product_of_mul(const Windows *w, const BulkStm *stm, Product *p) {
  const BulkExp *e = &stm->exp;
  Type t = var_type(w->b.prog, stm->bound.at[0]);
  *p = (Product){.labels = t.rank, .out = {.n = t.rank}};
  if (e->op != OP_MUL || !positive_sizes(t)) return false;
  for (int d = 0; d < t.rank; d++) p->out.at[d] = d;
  for (int side = 0; side < 2; side++) {
    const BulkExp *of = made_by(w, e->args.at[side], BULK_BROADCAST);
    Atom x = of ? of->args.at[0] : e->args.at[side];
    if (!product_operand(w, p, side, x)) return false;
    for (int d = 0; d < p->of[side].n; d++)
      p->of[side].at[d] = of ? (int)of->ints.at[d] : d;
  }
  product_sizes(w, p);
  return true;
}

static bool product_of(const Windows *w, Atom value, Product *p) {
  const BulkStm *stm = value.is_var ? map_get(w->made, value.var.id) : NULL;
  if (!stm) return false;
  const BulkExp *e = &stm->exp;
  if (e->form == BULK_CONTRACT) return product_of_contract(w, e, p);
  if (e->form == BULK_PRIM) return product_of_mul(w, stm, p);
  if (e->form != BULK_TRANSPOSE || !product_of(w, e->args.at[0], p)) return false;
  Labelled from = p->out;
  for (int d = 0; d < from.n; d++) p->out.at[d] = from.at[e->ints.at[d]];
  return true;
}

// ---- places: batch dimensions, then pairs, then own ones
// A pair from an index; its dimensions get SPACE + k, so that no other pair has them.
static bool pair_of(const Windows *w, Convolution *c, Atom index, Labelled *places) {
  Affine line;
  Pair *pair = &c->pair[c->pairs];
  int n = 0;
  if (!positions_of(w->b.prog, w->made, index, &line)) return false;
  pair->base = line.base;
  for (int d = 0; d < type_of(w, index).rank; d++) {
    if (!line.by[d]) continue;
    if (n == 2 || places->at[d] >= SPACE) return false;
    pair->by[n] = line.by[d], pair->label[n] = places->at[d];
    pair->count[n++] = c->p.size[places->at[d]];
    places->at[d] += SPACE;
  }
  c->pairs++;
  return n == 2;
}

// `places` has the labels of what a gather gives or a put takes, first those of x's batch
// dimensions; out come the labels of x.
static bool places_of(const Windows *w, Convolution *c, const BulkExp *e, Labelled *places,
                      Labelled *x) {
  int batch = (int)e->number, indices = e->args.len - (e->form == BULK_PUT ? 2 : 1);
  int rank = type_of(w, e->args.at[1]).rank;
  Type t = type_of(w, e->args.at[0]);
  *x = (Labelled){.x = e->args.at[0]};
  if (!positive_sizes(t)) return false;
  for (int d = 0; d < batch; d++) x->at[x->n++] = places->at[d];
  for (int k = 0; k < indices; k++) {
    if (type_of(w, e->args.at[1 + k]).rank != rank) return false;
    c->pair[c->pairs].size = size_constant(t.dims[batch + k]);
    if (!pair_of(w, c, e->args.at[1 + k], places)) return false;
    x->at[x->n++] = SPACE + k;
  }
  for (int d = 0; d < batch; d++)
    if (places->at[d] >= SPACE) return false;
  for (int d = rank; d < places->n; d++) x->at[x->n++] = places->at[d];
  return x->n == t.rank;
}

static void relabel(Labelled *x, int label, int to) {
  for (int d = 0; d < x->n; d++)
    if (x->at[d] == label) x->at[d] = to;
}

// Label 0 of the pair becomes the one that runs along x, label 1 the one along y; there both are
// SPACE + k.
static bool pair_orient(Pair *pair, int k, Labelled *x, Labelled *y) {
  for (int turn = 0; turn < 2; turn++) {
    int a = pair->label[0], b = pair->label[1];
    if (has(x, a) && !has(x, b) && has(y, b) && !has(y, a)) {
      relabel(x, a, SPACE + k);
      relabel(y, b, SPACE + k);
      return true;
    }
    Pair old = *pair;
    for (int i = 0; i < 2; i++)
      pair->by[i] = old.by[1 - i], pair->label[i] = old.label[1 - i],
      pair->count[i] = old.count[1 - i];
  }
  return false;
}

static bool pairs_orient(Convolution *c, Labelled *x, Labelled *y) {
  for (int k = 0; k < c->pairs; k++)
    if (!pair_orient(&c->pair[k], k, x, y)) return false;
  return c->pairs > 0;
}

// A window inside the array: a gather clamps indices.
static bool pairs_inside(const Convolution *c) {
  for (int k = 0; k < c->pairs; k++) {
    const Pair *p = &c->pair[k];
    int64_t low = p->base, high = p->base;
    for (int i = 0; i < 2; i++) {
      int64_t far = p->by[i] * (p->count[i] - 1);
      low += far < 0 ? far : 0, high += far > 0 ? far : 0;
    }
    if (low < 0 || high >= p->size) return false;
  }
  return true;
}

// The gather whose transposition x is, with its labels.
static const BulkExp *gather_of(const Windows *w, Labelled *x) {
  const BulkExp *of;
  while ((of = made_by(w, x->x, BULK_TRANSPOSE))) {
    Labelled to = {.x = of->args.at[0], .n = x->n};
    for (int d = 0; d < x->n; d++) to.at[of->ints.at[d]] = x->at[d];
    *x = to;
  }
  return made_by(w, x->x, BULK_GATHER);
}

static bool contract_slides(const Windows *w, const BulkExp *e, int side, Convolution *c) {
  *c = (Convolution){0};
  if (!product_of_contract(w, e, &c->p)) return false;
  Labelled places = c->p.of[side];
  const BulkExp *gather = gather_of(w, &places);
  if (!gather) return false;
  c->kernel = c->p.of[1 - side], c->out = c->p.out;
  return places_of(w, c, gather, &places, &c->image) && pairs_inside(c) &&
         pairs_orient(c, &c->out, &c->kernel);
}

static bool put_slides(const Windows *w, const BulkExp *e, int side, Convolution *c) {
  Op op;
  Prim prim;
  *c = (Convolution){.spread = true};
  if (!e->fn || !lambda_is_op(e->fn, &op, &prim) || op != OP_ADD) return false;
  if (!product_of(w, e->args.at[e->args.len - 1], &c->p)) return false;
  Labelled places = c->p.out;
  c->image = c->p.of[side], c->kernel = c->p.of[1 - side];
  if (!places_of(w, c, e, &places, &c->out) || !pairs_orient(c, &c->image, &c->kernel))
    return false;
  int64_t wide = 0;
  for (int k = 0; k < c->pairs; k++) wide += c->pair[k].count[1] - c->pair[k].count[0];
  return side || wide <= 0;
}

// ---- the canonical form: x [n][g c][space], w [c][g o][space], result [n][g o][space]
typedef enum { ROLE_NONE, ROLE_N, ROLE_G, ROLE_C, ROLE_O, ROLE_BAD } Role;

static Role role_of(const Convolution *c, int label) {
  static const Role roles[8] = {ROLE_NONE, ROLE_BAD, ROLE_BAD, ROLE_C,
                                ROLE_BAD,  ROLE_N,   ROLE_O,   ROLE_G};
  return roles[has(&c->image, label) + 2 * has(&c->kernel, label) + 4 * has(&c->out, label)];
}

static bool roles_fit(const Convolution *c) {
  bool in_pair[LABELS] = {false};
  for (int k = 0; k < c->pairs; k++)
    in_pair[c->pair[k].label[0]] = in_pair[c->pair[k].label[1]] = true;
  for (int l = 0; l < c->p.labels; l++) {
    Role role = role_of(c, l);
    if (role == ROLE_BAD || (role == ROLE_NONE) != in_pair[l]) return false;
  }
  return true;
}

typedef struct {
  int n, at[DIMS];
  int64_t product[3];  // of the sizes of either group
} Order;

static void order_add(const Convolution *c, Order *o, int group, Role role) {
  if (!o->n && !group) o->product[0] = o->product[1] = 1;
  for (int l = 0; l < c->p.labels; l++)
    if (role_of(c, l) == role) o->at[o->n++] = l, o->product[group] *= c->p.size[l];
}

static void order_space(const Convolution *c, Order *o) {
  for (int k = 0; k < c->pairs; k++) o->at[o->n++] = SPACE + k;
}

static Atoms sizes_list(Windows *w, int n, const int64_t *sizes) {
  Atoms out = {0};
  for (int i = 0; i < n; i++) list_push(w->b.prog->arena, &out, atom_i64(sizes[i]));
  return out;
}

// x with its dimensions in order, those of each group joined.
static Atom arranged(Windows *w, const Labelled *x, const Order *o, int pairs) {
  int64_t perm[DIMS], sizes[DIMS + 2] = {o->product[0], o->product[1]};
  for (int i = 0; i < o->n; i++)
    for (int d = 0; d < x->n; d++)
      if (x->at[d] == o->at[i]) perm[i] = d;
  Type t = type_of(w, x->x);
  for (int k = 0; k < pairs; k++) sizes[2 + k] = size_constant(t.dims[perm[o->n - pairs + k]]);
  return bulk_reshape(&w->b, bulk_transpose(&w->b, x->x, perm), sizes_list(w, 2 + pairs, sizes));
}

static Atom reversed(Windows *w, Atom x, int dim) {
  BulkExp exp = {.form = BULK_REVERSE, .number = dim,
                 .args = atoms_of(w->b.prog->arena, 1, &x)};
  return bulk_emit(&w->b, "reverse", type_of(w, x), exp);
}

// Makes the factors of a and b positive.  back: whether a's runs backwards then, and b's.
static void pair_forward(Pair *p, bool back[2]) {
  for (int i = 0; i < 2; i++) {
    back[i] = p->by[i] < 0;
    if (back[i]) p->base += p->by[i] * (p->count[i] - 1), p->by[i] = -p->by[i];
  }
}

// (stride, low and high padding, the image's and the kernel's distances between elements)
static void pair_window(const Convolution *c, const Pair *p, int64_t *out) {
  int64_t s = p->by[0], d = p->by[1], reach = (p->count[1] - 1) * d + 1;
  if (c->spread) {
    int64_t low = p->base + reach - 1, given = (p->count[0] - 1) * s + 1;
    int64_t all[] = {1, low, p->size + reach - 1 - low - given, s, d};
    memcpy(out, all, sizeof all);
  } else {
    int64_t all[] = {s, -p->base, (p->count[0] - 1) * s + reach - p->size + p->base, 1, d};
    memcpy(out, all, sizeof all);
  }
}

typedef struct {
  Order image, kernel, out;
} Orders;

static Orders orders_of(const Convolution *c) {
  Orders o = {{0}, {0}, {0}};
  order_add(c, &o.image, 0, ROLE_N), order_add(c, &o.image, 1, ROLE_G);
  order_add(c, &o.image, 1, ROLE_C);
  order_add(c, &o.kernel, 0, ROLE_C), order_add(c, &o.kernel, 1, ROLE_G);
  order_add(c, &o.kernel, 1, ROLE_O);
  order_add(c, &o.out, 0, ROLE_N), order_add(c, &o.out, 1, ROLE_G);
  order_add(c, &o.out, 1, ROLE_O);
  order_space(c, &o.image), order_space(c, &o.kernel), order_space(c, &o.out);
  return o;
}

// The result in its own order of dimensions.
static Atom rearranged(Windows *w, const Convolution *c, const Order *o, Atom r) {
  int64_t sizes[DIMS], perm[DIMS];
  Type t = type_of(w, r);
  for (int i = 0; i < o->n; i++) {
    int l = o->at[i];
    sizes[i] = l < SPACE ? c->p.size[l] : size_constant(t.dims[2 + l - SPACE]);
    for (int d = 0; d < c->out.n; d++)
      if (c->out.at[d] == l) perm[d] = i;
  }
  return bulk_transpose(&w->b, bulk_reshape(&w->b, r, sizes_list(w, o->n, sizes)), perm);
}

// Spread arrays meet the kernel backwards.
static Atom convolve(Windows *w, Convolution *c) {
  Orders o = orders_of(c);
  Atom x = arranged(w, &c->image, &o.image, c->pairs);
  Atom y = arranged(w, &c->kernel, &o.kernel, c->pairs);
  int64_t sizes[DIMS + 2] = {o.out.product[0], o.out.product[1]}, window[5];
  bool back[DIMS][2];
  Ints ints = {0};
  for (int k = 0; k < c->pairs; k++) {
    pair_forward(&c->pair[k], back[k]);
    pair_window(c, &c->pair[k], window);
    for (int i = 0; i < 5; i++) list_push(w->b.prog->arena, &ints, window[i]);
    sizes[2 + k] = c->spread ? c->pair[k].size : c->pair[k].count[0];
    if (c->spread && back[k][0]) x = reversed(w, x, 2 + k);
    if (back[k][1] != c->spread) y = reversed(w, y, 2 + k);
  }
  BulkExp exp = {.form = BULK_CONVOLVE, .ints = ints,
                 .number = o.image.product[1] / o.kernel.product[0],
                 .args = atoms_of(w->b.prog->arena, 2, (Atom[]){x, y})};
  Type type = type_array_dims(w->b.prog->arena, type_scalar(type_of(w, x).prim),
                              sizes_list(w, 2 + c->pairs, sizes));
  Atom r = bulk_emit(&w->b, "convolve", type, exp);
  for (int k = 0; k < c->pairs; k++)
    if (!c->spread && back[k][0]) r = reversed(w, r, 2 + k);
  return rearranged(w, c, &o.out, r);
}

static bool is_zeros(const Windows *w, Atom x) {
  const BulkExp *of = made_by(w, x, BULK_BROADCAST);
  return of && atom_is(of->args.at[0], 0);
}

static bool slides(Windows *w, const BulkStm *stm, Atom *out) {
  const BulkExp *e = &stm->exp;
  Convolution c;
  if (e->form != BULK_CONTRACT && e->form != BULK_PUT) return false;
  if (!prim_is_float(var_type(w->b.prog, stm->bound.at[0]).prim)) return false;
  for (int side = 0; side < 2; side++) {
    bool found = e->form == BULK_PUT ? put_slides(w, e, side, &c) : contract_slides(w, e, side, &c);
    if (!found || !roles_fit(&c)) continue;
    *out = convolve(w, &c);
    if (e->form == BULK_PUT && !is_zeros(w, e->args.at[0]))
      *out = bulk_op(&w->b, OP_ADD, e->args.at[0], *out);
    return true;
  }
  return false;
}

// ---- bodies
static void windows_body(Windows *w, BulkBody *body) {
  BulkStms out = {0}, *outer = w->b.stms;
  w->b.stms = &out;
  for (int i = 0; i < body->stms.len; i++) {
    BulkStm stm = body->stms.at[i];
    int before = out.len;
    Atom to;
    w->b.loc = stm.loc;
    bulk_rename(&w->rename, &stm);
    for (int k = 0; k < stm.exp.bodies.len; k++) windows_body(w, &stm.exp.bodies.at[k]);
    if (slides(w, &stm, &to)) bulk_rename_to(&w->rename, stm.bound.at[0], to);
    else list_push(w->b.prog->arena, &out, stm);
    bulk_made(&w->b, w->made, before);
  }
  body->results = bulk_renamed(&w->rename, body->results);
  body->stms = out;
  w->b.stms = outer;
}

void bulk_windows(Prog *prog, BulkBody *body) {
  Windows w = {.b = {.prog = prog}, .rename = {prog, map_new(prog->arena)},
               .made = map_new(prog->arena)};
  windows_body(&w, body);
  bulk_moves(prog, body);
}
