// Sizes of blocks, a room's terms for them, and its points: the number of blocks of each term that
// are live besides those at the room.  Of many points a few are kept: those that no other covers,
// or a cover of two.
#include "memory_need.h"

enum { MOST_POINTS = 24 };

// ---- sizes -------------------------------------------------------------------------------------
static bool size_same(const BlockSize *a, const BlockSize *b) {
  return a->bytes == b->bytes && a->vectors == b->vectors && a->param == b->param &&
         a->bound == b->bound && a->rooms == b->rooms && imp_exp_same(a->count, b->count);
}

int size_number(Arena *arena, BlockSizes *sizes, BlockSize s) {
  for (int i = 0; i < sizes->len; i++)
    if (size_same(&sizes->at[i], &s)) return i + 1;
  list_push(arena, sizes, s);
  return sizes->len;
}

int size_of(Need *n, ImpVar mem, const ImpExp *count) {
  const ImpVarInfo *info = &n->fn->vars.at[mem.id];
  return size_number(n->arena, &n->sizes,
                     (BlockSize){.count = count, .bytes = prim_info[info->prim].bytes,
                                 .vectors = info->expanded,
                                 .rooms = answers_in(&n->answers, count)});
}

// One of two blocks, as the run says.
int size_either(Need *n, int a, int b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  BlockSize x = n->sizes.at[a - 1];
  const BlockSize *y = &n->sizes.at[b - 1];
  if (x.param || y->param || x.bytes != y->bytes || x.vectors != y->vectors) return 0;
  x.count = imp_op(n->arena, OP_MAX, PRIM_I64, x.count, y->count, NULL);
  x.rooms |= y->rooms;
  x.bound = true;
  return size_number(n->arena, &n->sizes, x);
}

// ---- terms of a room ---------------------------------------------------------------------------
static Known size_known(Need *n, Room *room, int size) {
  BlockSize s = n->sizes.at[size - 1];
  bool bound = s.bound;
  if (s.rooms & room->bit) return (Known){-1, false};
  if (!s.param) s.count = count_at_room(&n->answers, room, s.count, &bound);
  if (!s.param && !s.count) return (Known){-1, false};
  s.rooms = 0;
  s.bound = false;
  return (Known){size_number(n->arena, &room->terms, s), bound};
}

static Known known_at(Need *n, Room *room, int size) {
  while (room->known.len <= size) list_push(n->arena, &room->known, (Known){0, false});
  if (room->known.at[size].term == 0) {
    Known known = size_known(n, room, size);
    room->known.at[size] = known;
  }
  return room->known.at[size];
}

int term_of(Need *n, Room *room, int size) {
  return size ? known_at(n, room, size).term : -1;
}

void tally_add(Need *n, Room *room, Tally *tally, int size, int more) {
  int term = term_of(n, room, size);
  if (term < 0) return;
  while (tally->len < term) list_push(n->arena, tally, 0);
  tally->at[term - 1] += more;
}

Tally tally_of(Need *n, Room *room) {
  Tally tally = {0};
  for (int i = 0; i < n->blocks; i++) tally_add(n, room, &tally, n->owned[i], 1);
  for (int i = 0; i < n->fn->result_is_mem.len; i++)
    tally_add(n, room, &tally, n->yielded[i], 1);
  return tally;
}

void room_start(Need *n, Room *room) {
  room->base = tally_of(n, room);
  room->bounds = (Tally){0};
  for (int i = 0; i < n->blocks; i++)
    if (n->owned[i] && known_at(n, room, n->owned[i]).bound)
      tally_add(n, room, &room->bounds, n->owned[i], 1);
}

// ---- points ------------------------------------------------------------------------------------
static int more_at(const Point *p, int term) { return term < p->len ? p->more[term] : 0; }

static bool within(const Point *a, const Point *b) {
  for (int t = 0; t < a->len || t < b->len; t++)
    if (more_at(a, t) > more_at(b, t)) return false;
  return true;
}

static Point union_of(Arena *arena, const Point *a, const Point *b) {
  int len = a->len > b->len ? a->len : b->len;
  int *more = NEW_ARRAY(arena, int, len);
  for (int t = 0; t < len; t++)
    more[t] = more_at(a, t) > more_at(b, t) ? more_at(a, t) : more_at(b, t);
  return (Point){len, more};
}

static void point_add(Need *n, Room *room, Point p) {
  int kept = 0;
  for (int i = 0; i < room->points.len; i++)
    if (within(&p, &room->points.at[i])) return;
  for (int i = 0; i < room->points.len; i++)
    if (!within(&room->points.at[i], &p)) room->points.at[kept++] = room->points.at[i];
  room->points.len = kept;
  if (kept < MOST_POINTS) list_push(n->arena, &room->points, p);
  else room->points.at[kept - 1] = union_of(n->arena, &room->points.at[kept - 1], &p);
}

// Blocks that are dead since then count only where their sizes are no bounds.
void room_record(Need *n, Room *room, Tally tally) {
  while (tally.len < room->base.len) list_push(n->arena, &tally, 0);
  for (int t = 0; t < room->base.len; t++) {
    tally.at[t] -= room->base.at[t];
    bool bounds = t < room->bounds.len && room->bounds.at[t];
    if (tally.at[t] < 0 && bounds) tally.at[t] = 0;
  }
  point_add(n, room, (Point){tally.len, tally.at});
}

bool room_counts(const Need *n, const Room *room) {
  return n->recording && room->first <= n->now && n->now <= room->last;
}

void record(Need *n) {
  for (int i = 0; i < n->rooms.len; i++) {
    Room *room = n->rooms.at[i];
    if (room_counts(n, room)) room_record(n, room, tally_of(n, room));
  }
}
