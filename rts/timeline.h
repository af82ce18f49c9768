// timeline: when each event of the last call began and ended.  Part of ctx.h.  Without
// --timeline, ctx->timeline is NULL and nothing is recorded.  A bar is a run of a region (profile.h), a range
// of iterations in a thread (par.h), or a launch or copies of a device (dev.h).  The first
// DZ_BARS_MOST of a call are kept, the others counted.  Threads may add bars at the same time.
#ifndef DZ_TIMELINE_H
#define DZ_TIMELINE_H
#define DZ_BARS_MOST 100000
#define DZ_BAR_LOOP (-1)  // the row of a bar; from 0 on it is a thread
#define DZ_BAR_DEVICE (-2)

typedef struct DzBar {
  const char *name, *where;
  int row;
  int64_t begin, end, bytes;
} DzBar;

typedef struct DzTimeline {
  int64_t begin, end, count;  // of the call; bars, with those left out
  const DzRegion *region;     // whose ranges run
  int threads;                // of the team; 0: there is none
  DzBar bars[DZ_BARS_MOST];
} DzTimeline;

// At the start of a call and, when all that it started has ended, at its end.
DZ_FN void dz_timeline_begin(DzTimeline *t) {
  if (t != NULL) t->count = 0, t->region = NULL, t->begin = t->end = dz_now();
}
DZ_FN void dz_timeline_end(DzTimeline *t) {
  if (t != NULL) t->end = dz_now();
}

// Where the bar is, for its end to be written later; NULL: there is no room.
DZ_FN DzBar *dz_bar_add(DzTimeline *t, DzBar bar) {
  const int64_t at = __atomic_fetch_add(&t->count, 1, __ATOMIC_RELAXED);
  if (at >= DZ_BARS_MOST) return NULL;
  t->bars[at] = bar;
  return &t->bars[at];
}

// A range of iterations of the innermost region that is open, from `begin` until now.
DZ_FN void dz_bar_range(DzTimeline *t, int thread, int64_t begin) {
  const DzRegion *r = t->region;
  dz_bar_add(t, (DzBar){r != NULL ? r->form : "parallel", r != NULL ? r->place : "unknown", thread,
                        begin, dz_now(), 0});
}
#endif
