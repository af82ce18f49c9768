// profile: the time that loops take.  Part of ctx.h; programs made by `dagaz profile` or with
// --profile call it.  A region's own time is without the regions inside it.  One thread measures:
// within a leaf no region begins, on this thread or another one.
#ifndef DZ_PROFILE_H
#define DZ_PROFILE_H
#define DZ_NESTED 64  // regions inside each other that are measured; those deeper are not

typedef struct {
  int64_t runs, total_ns, own_ns;
} DzSpent;

typedef struct DzProfile {
  int depth;
  bool in_leaf;
  struct {
    int64_t start, inside_ns;
    const DzRegion *outer;  // of the timeline
    DzBar *bar;             // NULL: the timeline has none
  } open[DZ_NESTED];
  DzSpent spent[];
} DzProfile;

DZ_FN struct DzProfile *dz_profile_new(int regions) {
  return (DzProfile *)calloc(1, sizeof(DzProfile) + (size_t)regions * sizeof(DzSpent));
}

// At the start of a call of an entry point: a call that failed has left regions open.
DZ_FN void dz_profile_call(DzCtx *c) {
  if (c->profile != NULL) c->profile->depth = 0, c->profile->in_leaf = false;
  dz_timeline_begin(c->timeline);
}

// Sets all counts and times to zero.
DZ_FN void dz_measures_clear(DzCtx *c) {
  c->calls = c->run_ns = 0;
  for (DzEvent *e = c->events; e != NULL; e = e->next) e->runs = e->ns = e->bytes = 0;
  if (c->profile == NULL) return;
  memset(c->profile->spent, 0, (size_t)c->program->region_count * sizeof(DzSpent));
}

// The region's bar in the timeline, which an outer region has before those inside it fill the room,
// and the region that ranges belong to.
DZ_FN void dz_timeline_enter(DzCtx *c, int region) {
  DzTimeline *t = c->timeline;
  if (t == NULL) return;
  const DzRegion *r = &c->program->regions[region];
  const int64_t now = dz_now();
  c->profile->open[c->profile->depth].outer = t->region;
  c->profile->open[c->profile->depth].bar =
      dz_bar_add(t, (DzBar){r->form, r->place, DZ_BAR_LOOP, now, now, 0});
  t->region = r;
}
DZ_FN void dz_timeline_leave(DzCtx *c, int64_t begin, int64_t ns) {
  DzTimeline *t = c->timeline;
  if (t == NULL) return;
  DzBar *bar = c->profile->open[c->profile->depth].bar;
  if (bar != NULL) bar->begin = begin, bar->end = begin + ns;
  t->region = c->profile->open[c->profile->depth].outer;
}

// Whether the region is measured; dz_region_end ends it then.
DZ_FN bool dz_region_begin(DzCtx *c, int region, bool leaf) {
  DzProfile *p = c->profile;
  if (p == NULL || !c->profiling || p->in_leaf) return false;
  if (p->depth < DZ_NESTED) {
    dz_timeline_enter(c, region);
    p->open[p->depth].inside_ns = 0;
    p->open[p->depth].start = dz_now();
  }
  p->depth++;
  p->in_leaf = leaf;
  return true;
}

DZ_FN void dz_region_end(DzCtx *c, int region) {
  DzProfile *p = c->profile;
  p->in_leaf = false;
  p->depth--;
  if (p->depth >= DZ_NESTED) return;
  int64_t ns = dz_now() - p->open[p->depth].start;
  DzSpent *s = &p->spent[region];
  s->runs++;
  s->total_ns += ns;
  s->own_ns += ns - p->open[p->depth].inside_ns;
  if (p->depth > 0) p->open[p->depth - 1].inside_ns += ns;
  dz_timeline_leave(c, p->open[p->depth].start, ns);
}
#endif
