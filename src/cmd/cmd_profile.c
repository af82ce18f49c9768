// dagaz profile: runs an entry point of a program that measures its loops (rts/profile.h) and shows
// the time of each by its place in the source.  Own time is without measured loops inside.
#include "run.h"
#include "timeline.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *place, *form;
  int64_t runs;
  double own_us, total_us;
  int64_t bytes;  // of copies to and from a device
  bool on_device;  // a kernel or copies: within the time of a loop
} Spent;
typedef LIST(Spent) Spents;

typedef struct {
  Arena *arena;
  int64_t calls, us, peak;
  Spents spents;
} Profile;

static double number_of(const Json *event, const char *name) {
  const Json *j = json_get(event, name);
  return j && j->tag == JSON_NUMBER ? j->number : 0;
}

static bool profile_read(Profile *p, const char *report) {
  const Json *j = json_parse(p->arena, report, strlen(report)), *events = json_get(j, "events");
  if (!j || !events || !json_int(json_get(j, "calls"), &p->calls) || p->calls == 0) return false;
  if (!json_int(json_get(j, "microseconds"), &p->us)) return false;
  if (!json_int(json_get(json_get(j, "memory"), "peak"), &p->peak)) return false;
  for (int i = 0; i < events->elems.len; i++) {
    const Json *event = events->elems.at[i];
    Spent s = {.place = json_text(json_get(event, "provenance")),
               .form = json_text(json_get(event, "name")),
               .own_us = number_of(event, "own"),
               .total_us = number_of(event, "duration"),
               .on_device = json_int(json_get(event, "bytes"), &s.bytes)};
    if (!s.place || !s.form || !json_int(json_get(event, "runs"), &s.runs)) return false;
    list_push(p->arena, &p->spents, s);
  }
  return true;
}

static int by_own_time(const void *a, const void *b) {
  double x = ((const Spent *)a)->own_us, y = ((const Spent *)b)->own_us;
  return (x < y) - (x > y);
}

const char *profile_source(Arena *arena, const char *place) {
  const char *colon = strchr(place, ':');
  size_t len;
  const char *text = colon ? file_read(arena, arena_strndup(arena, place, (size_t)(colon - place)),
                                       &len)
                           : NULL;
  for (long line = text ? strtol(colon + 1, NULL, 10) : 0; line > 1 && text; line--) {
    text = strchr(text, '\n');
    if (text) text++;
  }
  if (!text) return "";
  text += strspn(text, " \t");
  return arena_strndup(arena, text, strcspn(text, "\n"));
}

static void row_show(const Profile *p, const char *what, const Spent *s) {
  double calls = (double)p->calls, share = p->us ? 100 * s->own_us / (double)p->us : 0;
  printf("%10.3f %5.1f %% %10.3f %8.10g  %s\n", s->own_us / calls / 1e3, share,
         s->total_us / calls / 1e3, (double)s->runs / calls, what);
}

static void profile_show(Profile *p, const char *entry) {
  double outside = (double)p->us;
  printf("%s: %.3f ms a call, mean of %lld; at most %.3f MB of arrays\n\n", entry,
         (double)p->us / 1e3 / (double)p->calls, (long long)p->calls, (double)p->peak / 1e6);
  printf("%10s %7s %10s %8s  %s\n", "own ms", "share", "total ms", "runs", "loop");
  if (p->spents.len) qsort(p->spents.at, (size_t)p->spents.len, sizeof(Spent), by_own_time);
  for (int i = 0; i < p->spents.len; i++) {
    const Spent *s = &p->spents.at[i];
    if (s->on_device) continue;
    outside -= s->own_us;
    row_show(p, arena_printf(p->arena, "%s %s: %.60s", s->place, s->form,
                             profile_source(p->arena, s->place)), s);
  }
  Spent rest = {.own_us = outside > 0 ? outside : 0, .runs = p->calls};
  rest.total_us = rest.own_us;
  row_show(p, "outside of loops", &rest);
}

// Kernels and copies, within the times above; nothing for programs of the processor.
static void device_show(const Profile *p) {
  double calls = (double)p->calls;
  bool first = true;
  for (int i = 0; i < p->spents.len; i++) {
    const Spent *s = &p->spents.at[i];
    if (!s->on_device) continue;
    if (first) printf("\n%10s %10s %8s  %s\n", "ms", "MB", "runs", "on the device");
    first = false;
    printf("%10.3f %10.3f %8.10g  %s %s\n", s->total_us / calls / 1e3,
           (double)s->bytes / calls / 1e6, (double)s->runs / calls, s->form, s->place);
  }
}

static void timeline_write(Session *s, const RunJob *job, const Profile *p) {
  Timeline t = {.arena = s->arena, .threads = s->target.kind == TARGET_CORES};
  Text out = {0};
  if (!timeline_read(&t, json_parse(s->arena, job->report, strlen(job->report))))
    fail_io("the program gives no timeline");
  t.title = arena_printf(s->arena, "%s of %s: %.3f ms, the last of %lld calls", job->entry,
                         job->path, t.us / 1e3, (long long)p->calls);
  timeline_print(&out, &t);
  bool ok = file_replace(job->timeline, out.at, out.len, REMADE);
  text_free(&out);
  if (!ok) fail_io("cannot write '%s': %s", job->timeline, strerror(errno));
  if (t.left_out)
    fprintf(stderr, "dagaz: %s has the first %d events of the call; %lld more are left out\n",
            job->timeline, t.bars.len, (long long)t.left_out);
}

static int profile_run(Session *s, RunJob *job, bool json) {
  Profile p = {.arena = s->arena};
  s->profile = true;
  run_compiled(s, job);
  if (job->status != STATUS_OK) return job->status;
  if (!profile_read(&p, job->report)) fail_io("the program gives no profile");
  if (json) fputs(job->report, stdout);
  else profile_show(&p, job->entry), device_show(&p);
  if (job->timeline) timeline_write(s, job, &p);
  return STATUS_OK;
}

int cmd_profile(int argc, char **argv) {
  Session *s = session_new();
  Words files = {0};
  RunJob job = {.entry = "main", .runs = "10"};
  int64_t runs = 10;
  bool json = false, any_order = false, help;
  int backend = 0;
  const ArgRow rows[] = {{"entry-point", 'e', ARG_TEXT, &job.entry, "which entry point (main)"},
                         {"runs", 'r', ARG_COUNT, &runs,
                          "calls that are measured, after one that is not (10)"},
                         {"json", 0, ARG_FLAG, &json, "print the program's report"},
                         {"timeline", 0, ARG_TEXT, &job.timeline,
                          "write a picture of the last call to this file, as SVG"},
                         {"backend", 0, ARG_CHOICE, &backend,
                          "c|multicore|gpu-host|opencl|cuda: how to run; default: c"},
                         {"num-threads", 0, ARG_TEXT, &job.threads,
                          "of --backend multicore; default: all processors"},
                         {"memory-limit", 0, ARG_COUNT, &s->memory_limit,
                          "upper limit in bytes for arrays; loops recompute values rather "
                          "than exceed it"},
                         args_strategy(&s->switches.strategy),
                         args_any_order(s->arena, &any_order), args_messages(s),
                         {0}};
  if (!args_parse(s->arena, rows, argc, argv, &files, &help)) return STATUS_IO;
  if (help) return STATUS_OK;
  if (files.len < 1 || runs < 1) return usage_error("profile");
  job.path = files.at[0];
  job.runs = arena_printf(s->arena, "%lld", (long long)runs);
  for (int i = 1; i < files.len; i++) list_push(s->arena, &job.data.words, files.at[i]);
  s->target = backend_target(backend, any_order);
  session_select(s, job.entry);
  if (!toolchain_present()) fail_io("profile needs a C compiler: install gcc or clang");
  int status = profile_run(s, &job, json);
  session_free(s);
  return status;
}
