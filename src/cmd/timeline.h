// timeline: the last call of a profile as a picture.
#ifndef TIMELINE_H
#define TIMELINE_H
#include "cmd.h"

typedef struct {
  const char *name, *place;
  int row;  // rts/timeline.h: a thread, ROW_LOOP, ROW_DEVICE
  double begin_us, end_us;
  int64_t bytes;  // of copies
} TimeBar;
enum { ROW_LOOP = -1, ROW_DEVICE = -2 };

typedef struct {
  Arena *arena;
  const char *title;
  int threads;  // 0: the program runs on one core
  double us;    // of the call
  int64_t left_out;  // bars
  LIST(TimeBar) bars;
} Timeline;

// timeline_svg.c
bool timeline_read(Timeline *t, const Json *report);  // false: it has none
void timeline_print(Text *out, Timeline *t);          // as SVG
// cmd_profile.c: the line of the place, "" where the file cannot be read again.
const char *profile_source(Arena *arena, const char *place);
#endif
