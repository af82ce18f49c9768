// Chance, and what a statement may use.
#include "local.h"

uint32_t gen_random(Gen *g, uint32_t below) {
  g->rng += 0x9E3779B97F4A7C15u;
  uint64_t x = g->rng;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return below ? (uint32_t)((x ^ (x >> 31)) >> 16) % below : 0;
}

bool gen_chance(Gen *g, int percent) { return gen_random(g, 100) < (uint32_t)percent; }

uint64_t gen_root(Gen *g) {
  if (g->roots >= 63) return ROOT_SHARED;
  uint64_t bit = 1ull << g->roots++;
  g->owned |= bit;
  return bit;
}

static void know(Gen *g, Known k) {
  k.type = atom_type(g->prog, k.atom);
  if (k.atom.is_var) list_push(g->arena, &g->known, k);
}

void gen_know(Gen *g, Atom atom, uint64_t roots) { know(g, (Known){.atom = atom, .roots = roots}); }

void gen_know_below(Gen *g, Atom atom, Atom below) {
  know(g, (Known){.atom = atom, .has_below = true, .below = below});
}

void gen_know_fresh(Gen *g, Vars vars) {
  for (int i = 0; i < vars.len; i++) {
    bool array = var_type(g->prog, vars.at[i]).rank > 0;
    gen_know(g, atom_var(vars.at[i]), array ? gen_root(g) : 0);
  }
}

bool gen_usable(const Gen *g, const Known *k) { return !k->consumed && (k->roots & g->dead) == 0; }

bool gen_consumable(const Gen *g, const Known *k) {
  return k->type.rank > 0 && gen_usable(g, k) && (k->roots & ~g->owned) == 0;
}

// Later bindings are likelier, so that programs are deep rather than wide.
Known *gen_pick(Gen *g, bool (*fits)(Gen *g, const Known *k)) {
  Known *found = NULL;
  int weight = 0;
  for (int i = 0; i < g->known.len; i++) {
    Known *k = &g->known.at[i];
    if (!gen_usable(g, k) || !fits(g, k)) continue;
    int mine = 1 + (i * 4) / g->known.len;
    weight += mine;
    if (gen_random(g, (uint32_t)weight) < (uint32_t)mine) found = k;
  }
  return found;
}

Known *gen_pick_type(Gen *g, Type type) {
  Known *found = NULL;
  uint32_t seen = 0;
  for (int i = 0; i < g->known.len; i++) {
    Known *k = &g->known.at[i];
    if (!gen_usable(g, k) || !type_same(k->type, type)) continue;
    if (gen_random(g, ++seen) == 0) found = k;
  }
  return found;
}

uint64_t gen_roots_of(Gen *g, Atom atom) {
  for (int i = g->known.len - 1; i >= 0; i--)
    if (atom_same(g->known.at[i].atom, atom)) return g->known.at[i].roots;
  return 0;
}

// Once all roots are given out, variables without a root are in no other variable's reach.
void gen_kill(Gen *g, Atom atom) {
  g->dead |= gen_roots_of(g, atom) & ~ROOT_SHARED;
  for (int i = 0; i < g->known.len; i++)
    if (atom_same(g->known.at[i].atom, atom)) g->known.at[i].consumed = true;
}

Prim gen_real(const Gen *g) {
  if (g->options.half) return PRIM_F16;
  return g->options.integers ? PRIM_I64 : g->options.single ? PRIM_F32 : PRIM_F64;
}

Prim gen_prim(Gen *g) {
  static const Prim others[] = {PRIM_I64, PRIM_I64, PRIM_I64, PRIM_BOOL, PRIM_I32, PRIM_F32,
                                PRIM_U8,  PRIM_I8,  PRIM_U32, PRIM_I16,  PRIM_U64, PRIM_U16,
                                PRIM_F16};
  if (gen_chance(g, 60)) return gen_real(g);
  if (g->options.mixed && gen_chance(g, 60)) return PRIM_F32;
  return others[gen_random(g, g->options.derivable ? 4 : COUNT_OF(others))];
}

Prim gen_number(Gen *g) {
  static const Prim others[] = {PRIM_F32, PRIM_I64, PRIM_I32, PRIM_F16, PRIM_U8};
  if (g->options.mixed && gen_chance(g, 30)) return PRIM_F32;
  if (g->options.derivable || gen_chance(g, 70)) return gen_real(g);
  return others[gen_random(g, COUNT_OF(others))];
}

Prim gen_float(Gen *g) {
  static const Prim others[] = {PRIM_F32, PRIM_F32, PRIM_F16};
  Prim real = gen_real(g);
  if (g->options.derivable || gen_chance(g, 60)) return prim_is_float(real) ? real : PRIM_F64;
  return others[gen_random(g, COUNT_OF(others))];
}

static bool is_dim(Gen *g, const Known *k) {
  (void)g;
  return k->type.rank > 0;
}

Atom gen_size(Gen *g) {
  Known *k = gen_chance(g, 70) ? gen_pick(g, is_dim) : NULL;
  if (k) return k->type.dims[gen_random(g, (uint32_t)k->type.rank)];
  return atom_i64(gen_random(g, 4) + (gen_chance(g, 80) ? 1 : 0));
}

Type gen_type(Gen *g, int most_rank) {
  Type type = type_scalar(gen_prim(g));
  int rank = (int)gen_random(g, (uint32_t)most_rank + 1);
  for (int i = 0; i < rank; i++) type = type_array(g->arena, type, gen_size(g));
  return type;
}

Atom gen_constant(Gen *g, Prim p) {
  static const double floats[] = {0.5, -0.75, 1, 2, -1, 0.1, 0.3, -0.2, 1.5, 0};
  if (prim_is_float(p)) return atom_number(p, floats[gen_random(g, COUNT_OF(floats))]);
  if (p == PRIM_BOOL) return atom_bool(gen_chance(g, 50));
  if (p == PRIM_UNIT) return atom_scalar(scalar_int(p, 0));
  if (gen_chance(g, 5)) return atom_scalar(scalar_int(p, INT64_MAX));
  return atom_scalar(scalar_int(p, (int64_t)gen_random(g, 8) - (prim_is_signed(p) ? 2 : 0)));
}

Atom gen_scalar(Gen *g, Prim p) {
  Known *k = gen_chance(g, 90) ? gen_pick_type(g, type_scalar(p)) : NULL;
  return k ? k->atom : gen_constant(g, p);
}

// Sizes are not negative; that is all a replicate needs.
static Atom replicate(Gen *g, Type type) {
  Atoms dims = atoms_of(g->arena, type.rank, type.dims);
  Atom array = build_replicate(&g->b, dims, gen_scalar(g, type.prim));
  gen_know(g, array, gen_root(g));
  return array;
}

Atom gen_value(Gen *g, Type type) {
  if (type.rank == 0) return gen_scalar(g, type.prim);
  Known *k = gen_pick_type(g, type);
  return k ? k->atom : replicate(g, type);
}

Atom gen_fresh(Gen *g, Type type) {
  Known *k = gen_pick_type(g, type);
  if (!k) return replicate(g, type);
  if (gen_consumable(g, k) && gen_chance(g, 60)) return k->atom;
  Atom copy = build_copy(&g->b, k->atom);
  gen_know(g, copy, gen_root(g));
  return copy;
}

GenMark gen_enter(Gen *g, LambdaBuilder *lb) {
  GenMark mark = {g->known.len, g->owned, g->b};
  g->b = lb->inner;
  g->owned = 0;
  g->depth++;
  return mark;
}

void gen_leave(Gen *g, GenMark mark) {
  g->depth--;
  g->known.len = mark.known;
  g->owned = mark.owned;
  g->b = mark.b;
}

Atoms gen_body(Gen *g, int statements, Types wants) {
  Atoms results = {0};
  gen_statements(g, statements);
  for (int i = 0; i < wants.len; i++) list_push(g->arena, &results, gen_value(g, wants.at[i]));
  return results;
}

// ---- statements
typedef struct {
  bool (*make)(Gen *g);
  int weight;
  bool nests;
} Kind;

static const Kind kinds[] = {
    {gen_stm_scalar, 30, false}, {gen_stm_array, 10, false}, {gen_stm_view, 10, false},
    {gen_stm_index, 12, false},  {gen_stm_update, 8, false}, {gen_stm_map, 14, true},
    {gen_stm_fold, 12, false},   {gen_stm_screma, 4, true},  {gen_stm_hist, 5, true},
    {gen_stm_scatter, 5, true},  {gen_stm_withacc, 5, true}, {gen_stm_match, 7, true},
    {gen_stm_for, 8, true},      {gen_stm_while, 3, true},   {gen_stm_apply, 3, false},
    {gen_stm_assert, 1, false},  {gen_stm_sized, 3, true},
    {gen_stm_withvjp, 2, false}, {gen_stm_kernel, 0, true},  {gen_stm_scatters, 0, true},
    {gen_stm_derivative, 8, true},   {gen_stm_bits, 2, false},
    {gen_stm_guards, 0, true},       {gen_stm_bounded, 0, true},
        {gen_stm_shapes, 0, true},   {gen_stm_tuples, 0, true},
    {gen_stm_rounds, 0, true},       {gen_stm_overwritten, 0, true},
    {gen_stm_patterns, 6, true},
    {gen_stm_particular, 3, true},
};

// Kernels are what some programs are full of.
static int weight_of(const Gen *g, const Kind *k) {
  if (k->make == gen_stm_overwritten && !g->options.overwrites) return 0;
  if (k->make == gen_stm_bounded && g->options.may_fail) return 60;
  return k->weight ? k->weight : k->make == gen_stm_kernel ? g->kernels : g->kernels / 3;
}

static const Kind *pick_kind(Gen *g) {
  int total = 0, most = g->options.depth ? g->options.depth : 3;
  for (int i = 0; i < COUNT_OF(kinds); i++)
    if (!kinds[i].nests || g->depth < most) total += weight_of(g, &kinds[i]);
  int at = (int)gen_random(g, (uint32_t)total);
  for (int i = 0; i < COUNT_OF(kinds); i++) {
    if (kinds[i].nests && g->depth >= most) continue;
    at -= weight_of(g, &kinds[i]);
    if (at < 0) return &kinds[i];
  }
  return &kinds[0];
}

void gen_statements(Gen *g, int count) {
  for (int i = 0; i < count && g->budget > 0; i++) {
    g->budget--;
    if (!pick_kind(g)->make(g)) gen_stm_scalar(g);
  }
}
