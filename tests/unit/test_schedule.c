// The schedule of checkpoints, src/ad/loops/schedule.ir: against the recurrence for the least number
// of iterations that are executed to come to others, and at its limits.
#include "interp/interp.h"
#include "unit.h"
#include "values/embed.h"
#include <string.h>

enum { LEN = 40 };

static Arena *arena;
static const Prog *schedule;

static int64_t call(const char *name, int n, const int64_t *args) {
  IValues values = {0};
  for (int i = 0; i < n; i++) list_push(arena, &values, ivalue_scalar(scalar_int(PRIM_I64, args[i])));
  InterpResult r = interp_call(arena, schedule, name, values, &(InterpOptions){0});
  if (!r.ok) expect(false, name, r.message);
  return r.ok ? r.results.at[0].scalar.i : INT64_MIN;
}

static int64_t of(const char *name, int64_t a, int64_t b, int64_t c) {
  return call(name, 3, (int64_t[]){a, b, c});
}

static int64_t of2(const char *name, int64_t a, int64_t b) {
  return call(name, 2, (int64_t[]){a, b});
}

static void is(const char *name, int64_t got, int64_t want) { expect(got == want, name, "another value"); }

// T(l, s) = min over m of  m + T(l - m, s - 1) + T(m, s),  T(1, s) = 0,  T(l, 1) = l (l - 1) / 2
static void recurrence(void) {
  static int64_t least[LEN][LEN + 1];
  for (int s = 1; s <= LEN; s++)
    for (int l = 2; l < LEN; l++) {
      least[l][s] = l * (l - 1) / 2;
      for (int m = 1; s > 1 && m < l; m++) {
        int64_t here = m + least[l - m][s - 1] + least[m][s];
        if (here < least[l][s]) least[l][s] = here;
      }
    }
  for (int l = 2; l < LEN; l++)
    for (int s = 1; s <= LEN; s++) {
      int64_t m = of("schedule_segment", l, s, l - 1);
      if (s > 1) is("segment", m + least[l - m][s - 1] + least[m][s], least[l][s]);
      is("advances", of("schedule_advances", l, s, 1), least[l][s]);
    }
}

static void limits(void) {
  int64_t many = INT64_MAX;
  is("segment", of("schedule_segment", 100, 1, 99), 99);
  is("segment", of("schedule_segment", many, many, 0), 1);
  is("segment", of("schedule_segment", 1, 5, 0), 1);
  is("landing", of("schedule_landing", 5, 15, 2), 9);
  is("landing", of("schedule_landing", 5, 15, 1), 5 + of("schedule_segment", 10, 2, 0));
  is("landing", of("schedule_landing", 5, 15, 0), many);
  is("landing", of("schedule_landing", 5, 6, 9), many);
  is("landing", of("schedule_landing", 5, 7, 9), 6);
  is("landing", of("schedule_landing", 0, 100, 200), 1);
  is("advances", of("schedule_advances", 100, 2, 7), 260);
  is("advances", of("schedule_advances", 0, 3, 2), 0);
  is("advances", of("schedule_advances", 5, 9, 0), many);
  is("freed", of2("schedule_freed", 3, 0), 4);
  is("freed", of2("schedule_freed", 3, 7), 3);
}

static void room(void) {
  int64_t many = INT64_MAX;
  is("rows", of2("schedule_rows", 4, 9), 3);
  is("rows", of2("schedule_rows", 4, 2), 1);
  is("rows", of2("schedule_rows", 0, 9), 0);
  is("log", call("schedule_log", 1, (int64_t[]){0}), 0);
  is("log", call("schedule_log", 1, (int64_t[]){1000}), 11);
  is("log", call("schedule_log", 1, (int64_t[]){2}), 2);
  is("states", of("schedule_states", 4000, 1000, 1), 0);
  is("states", of("schedule_states", 999, 1000, 2), 0);
  is("states", of("schedule_states", 10000, 1000, 50), 6);
  is("states", of("schedule_states", 4900000, 100000, 50), 48);
  is("states", of("schedule_states", 6000000, 100000, 50), 49);
  is("states", of("schedule_states", INT64_MIN, many, 2), 0);
  is("states", of("schedule_states", many, many, 2), 0);
  is("block_start", of("schedule_block_start", 0, 7, 100), 0);
  is("block_start", of("schedule_block_start", 1, 7, 100), 2);
  is("block_start", of("schedule_block_start", 15, 7, 100), 100);
  is("block_start", of("schedule_block_start", 1, 5, 0), 0);
}

int main(void) {
  arena = arena_new();
  Diag *diag = diag_new(arena);
  const Source *src = source_new(arena, "schedule.ir", schedule_text, strlen(schedule_text));
  schedule = core_parse(arena, src, diag);
  if (!schedule) expect(false, "schedule.ir", diag->entries.at[0].message);
  else recurrence(), limits(), room();
  arena_free(arena);
  return unit_end();
}
