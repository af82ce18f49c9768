// The timeline of a profile as SVG.  Rows from above: loops, those inside others below them; the
// queue of a device; threads.  A bar is one event, its colour its place in the source, its <title>
// the exact times and bytes.  Times go to the right, in milliseconds since the call began.  Below
// are the colours with what belongs to them.
#include "doc.h"
#include "timeline.h"
#include <math.h>
#include <stdlib.h>

enum { LEFT = 150, RIGHT = 1180, WIDTH = 1200, TOP = 64, LANE = 20, GAP = 10, LINE = 18 };
enum { SOURCE_AT = 640, NESTED_MOST = 64 };
static const double letter = 6.63;  // the width of a monospaced letter of size 11

// All bars of one place and name.
typedef struct {
  const TimeBar *first;
  const char *colour;
  int64_t runs, bytes;
  double us;
} Key;

typedef struct {
  Text *out;
  Timeline *line;
  LIST(Key) keys;
  int *depth;  // of each bar of a loop
  int y;
} Picture;

// ---- the report -------------------------------------------------------------------------------
static bool real_read(const Json *j, const char *name, double *out) {
  const Json *value = json_get(j, name);
  if (!value || value->tag != JSON_NUMBER) return false;
  *out = value->number;
  return true;
}

static bool bar_read(const Json *j, TimeBar *bar) {
  int64_t thread;
  bar->name = json_text(json_get(j, "name"));
  bar->place = json_text(json_get(j, "provenance"));
  bar->row = json_int(json_get(j, "bytes"), &bar->bytes) ? ROW_DEVICE : ROW_LOOP;
  if (json_int(json_get(j, "thread"), &thread)) bar->row = (int)thread;
  return bar->name && bar->place && real_read(j, "begin", &bar->begin_us) &&
         real_read(j, "end", &bar->end_us);
}

bool timeline_read(Timeline *t, const Json *report) {
  const Json *j = json_get(report, "timeline"), *bars = json_get(j, "bars");
  int64_t threads;
  if (!bars || !json_int(json_get(j, "threads"), &threads) || !real_read(j, "duration", &t->us) ||
      !json_int(json_get(j, "left_out"), &t->left_out))
    return false;
  if (threads > t->threads) t->threads = (int)threads;
  for (int i = 0; i < bars->elems.len; i++) {
    TimeBar bar = {0};
    if (!bar_read(bars->elems.at[i], &bar)) return false;
    if (bar.row >= t->threads) t->threads = bar.row + 1;
    list_push(t->arena, &t->bars, bar);
  }
  return true;
}

// ---- order and colours -----------------------------------------------------------------------
// By begin; of those that begin together the one around the other first.
static int by_begin(const void *a, const void *b) {
  const TimeBar *x = a, *y = b;
  if (x->begin_us != y->begin_us) return x->begin_us < y->begin_us ? -1 : 1;
  return (x->end_us < y->end_us) - (x->end_us > y->end_us);
}

// How many loops each loop is in; returns the number of lanes.
static int depths_find(Picture *p) {
  const Timeline *t = p->line;
  double open[NESTED_MOST];
  int depth = 0, lanes = 0;
  p->depth = NEW_ARRAY(t->arena, int, t->bars.len + 1);
  for (int i = 0; i < t->bars.len; i++) {
    const TimeBar *bar = &t->bars.at[i];
    if (bar->row != ROW_LOOP) continue;
    while (depth > 0 && open[depth - 1] <= bar->begin_us) depth--;
    p->depth[i] = depth;
    if (depth + 1 > lanes) lanes = depth + 1;
    if (depth + 1 < NESTED_MOST) open[depth++] = bar->end_us;
  }
  return lanes;
}

// Copies have colours of their own; places one after the other from a list.
static const char *colour_new(const Picture *p, const TimeBar *bar) {
  static const char *const colours[] = {"#8db9e0", "#f3b562", "#8fcf9f", "#c8a2dc", "#f09a8f",
                                        "#79d2c6", "#d8bd84", "#b3bdc4", "#eba6cb", "#bccf63"};
  int places = 0;
  if (strcmp(bar->name, "copy_host_to_dev") == 0) return "#5b7fd6";
  if (strcmp(bar->name, "copy_dev_to_host") == 0) return "#d9534f";
  for (int i = 0; i < p->keys.len; i++) {
    const Key *key = &p->keys.at[i];
    if (strcmp(key->first->place, bar->place) == 0) return key->colour;
    bool fresh = key->colour[1] != '5' && strcmp(key->colour, "#d9534f") != 0;
    for (int k = 0; fresh && k < i; k++)
      fresh = strcmp(p->keys.at[k].first->place, key->first->place) != 0;
    places += fresh;
  }
  return colours[places % (int)COUNT_OF(colours)];
}

static Key *key_of(Picture *p, const TimeBar *bar) {
  for (int i = 0; i < p->keys.len; i++) {
    const TimeBar *first = p->keys.at[i].first;
    bool alike = (first->row == ROW_DEVICE) == (bar->row == ROW_DEVICE);
    if (alike && strcmp(first->place, bar->place) == 0 && strcmp(first->name, bar->name) == 0)
      return &p->keys.at[i];
  }
  Key key = {.first = bar, .colour = colour_new(p, bar)};
  list_push(p->line->arena, &p->keys, key);
  return &p->keys.at[p->keys.len - 1];
}

static void keys_find(Picture *p) {
  for (int i = 0; i < p->line->bars.len; i++) {
    const TimeBar *bar = &p->line->bars.at[i];
    Key *key = key_of(p, bar);
    if (bar->row >= 0) continue;  // the loop has the runs
    key->runs++;
    key->bytes += bar->bytes;
    key->us += bar->end_us - bar->begin_us;
  }
}

// ---- text ------------------------------------------------------------------------------------
// At most so many letters; what no XML may have becomes a space.
static void put_text(Text *out, Arena *arena, const char *s, int most) {
  char *copy = arena_strdup(arena, s);
  size_t n = 0;
  for (int letters = 0; copy[n]; n++) {
    letters += ((unsigned char)copy[n] & 0xC0) != 0x80;
    if (letters > most) break;
    if ((unsigned char)copy[n] < ' ') copy[n] = ' ';
  }
  html_escape(out, copy, n);
}

static const char *file_part(const char *place) {
  const char *slash = strrchr(place, '/');
  return slash ? slash + 1 : place;
}

// The longest name of the bar that fits; NULL: none does.
static const char *label_of(const TimeBar *bar, double width) {
  bool copy = bar->row == ROW_DEVICE && strcmp(bar->place, "unknown") == 0;
  const char *names[] = {copy ? bar->name : file_part(bar->place), NULL};
  if (!copy) names[1] = strchr(names[0], ':');
  for (int i = 0; i < 2; i++) {
    const char *name = names[i] && i == 1 ? names[i] + 1 : names[i];
    if (name && letter * (double)strlen(name) + 6 <= width) return name;
  }
  return NULL;
}

// ---- bars ------------------------------------------------------------------------------------
static double across(const Timeline *t, double us) {
  double part = t->us > 0 ? us / t->us : 0;
  return LEFT + (part < 0 ? 0 : part > 1 ? 1 : part) * (RIGHT - LEFT);
}

static void bar_put(Picture *p, const TimeBar *bar, int y) {
  const double least = 0.5;
  double x = across(p->line, bar->begin_us), width = across(p->line, bar->end_us) - x;
  if (width < least) width = least;
  if (x + width > RIGHT) x = RIGHT - width;
  text_printf(p->out, "<rect class=\"bar\" x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" "
              "fill=\"%s\"", x, y + 1, width, LANE - 2, key_of(p, bar)->colour);
  if (width > 4) text_puts(p->out, " stroke=\"#555\" stroke-width=\"0.5\"");
  text_puts(p->out, "><title>");
  Arena *arena = p->line->arena;
  put_text(p->out, arena, arena_printf(arena, "%s %s", bar->name, bar->place), 400);
  text_printf(p->out, "\n%.6f ms: from %.6f to %.6f ms", (bar->end_us - bar->begin_us) / 1e3,
              bar->begin_us / 1e3, bar->end_us / 1e3);
  if (bar->bytes) text_printf(p->out, "\n%lld bytes", (long long)bar->bytes);
  text_puts(p->out, "</title></rect>\n");
  const char *label = label_of(bar, width);
  if (!label) return;
  text_printf(p->out, "<text class=\"name\" x=\"%.2f\" y=\"%d\">", x + 3, y + LANE - 6);
  put_text(p->out, p->line->arena, label, 200);
  text_puts(p->out, "</text>\n");
}

// The part of the call that the row has bars for, in per cent.
static double row_share(const Picture *p, int row) {
  const Timeline *t = p->line;
  double busy = 0;
  for (int i = 0; i < t->bars.len; i++) {
    const TimeBar *bar = &t->bars.at[i];
    if (bar->row == row && p->depth[i] == 0) busy += bar->end_us - bar->begin_us;
  }
  return t->us > 0 ? 100 * busy / t->us : 0;
}

static void row_put(Picture *p, const char *name, int row, int lanes) {
  const Timeline *t = p->line;
  text_printf(p->out, "<g class=\"row\">\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
              "fill=\"#f4f4f4\"/>\n", LEFT, p->y, RIGHT - LEFT, lanes * LANE);
  text_printf(p->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s, %.0f %%</text>\n", LEFT - 8,
              p->y + LANE - 6, name, row_share(p, row));
  for (int i = 0; i < t->bars.len; i++) {
    const TimeBar *bar = &t->bars.at[i];
    if (bar->row != row) continue;
    bar_put(p, bar, p->y + LANE * (row == ROW_LOOP ? p->depth[i] : 0));
  }
  text_puts(p->out, "</g>\n");
  p->y += lanes * LANE + GAP;
}

static void rows_put(Picture *p) {
  const Timeline *t = p->line;
  bool device = false;
  int lanes = depths_find(p);
  for (int i = 0; i < t->bars.len; i++) device = device || t->bars.at[i].row == ROW_DEVICE;
  row_put(p, "loops", ROW_LOOP, lanes ? lanes : 1);
  if (device) row_put(p, "device queue", ROW_DEVICE, 1);
  for (int i = 0; i < t->threads; i++)
    row_put(p, arena_printf(t->arena, "thread %d", i + 1), i, 1);
}

// ---- axis, legend ------------------------------------------------------------------------------
// Marks at multiples of 1, 2 or 5 times a power of ten, ten at most; under the bars.
static void axis_put(Picture *p, int bottom) {
  double ms = p->line->us / 1e3, rough = ms / 10;
  double power = rough > 0 ? pow(10, floor(log10(rough))) : 1, times = rough / power;
  double step = power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
  for (int i = 0; i * step <= ms; i++) {
    double x = across(p->line, i * step * 1e3);
    text_printf(p->out, "<line x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\" stroke=\"#bbb\"/>\n"
                "<text class=\"tick\" x=\"%.2f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>\n",
                x, TOP - 4, x, bottom, x, bottom + 14, i * step);
  }
  text_printf(p->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">ms</text>\n", LEFT - 8,
              bottom + 14);
}

static void key_put(Picture *p, const Key *key) {
  Arena *arena = p->line->arena;
  const TimeBar *bar = key->first;
  bool known = strcmp(bar->place, "unknown") != 0;
  text_printf(p->out, "<g class=\"key\"><title>");
  put_text(p->out, arena, arena_printf(arena, "%s %s", bar->name, bar->place), 400);
  text_printf(p->out, "</title><rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>"
              "<text x=\"%d\" y=\"%d\">", 20, p->y, key->colour, 38, p->y + 10);
  put_text(p->out, arena, known ? arena_printf(arena, "%s %s", file_part(bar->place), bar->name)
                                : bar->name, 48);
  text_printf(p->out, "</text><text x=\"460\" y=\"%d\" text-anchor=\"end\">%lld</text>"
              "<text x=\"545\" y=\"%d\" text-anchor=\"end\">%.3f</text>", p->y + 10,
              (long long)key->runs, p->y + 10, key->us / 1e3);
  if (bar->row == ROW_DEVICE)
    text_printf(p->out, "<text x=\"625\" y=\"%d\" text-anchor=\"end\">%.3f</text>", p->y + 10,
                (double)key->bytes / 1e6);
  text_printf(p->out, "<text x=\"%d\" y=\"%d\" fill=\"#555\">", SOURCE_AT, p->y + 10);
  if (known) put_text(p->out, arena, profile_source(arena, bar->place), 76);
  text_puts(p->out, "</text></g>\n");
  p->y += LINE;
}

static int by_time(const void *a, const void *b) {
  double x = ((const Key *)a)->us, y = ((const Key *)b)->us;
  return (x < y) - (x > y);
}

static void legend_put(Picture *p) {
  text_printf(p->out, "<g fill=\"#555\" text-anchor=\"end\"><text x=\"460\" y=\"%d\">runs</text>"
              "<text x=\"545\" y=\"%d\">total ms</text><text x=\"625\" y=\"%d\">MB</text></g>\n",
              p->y, p->y, p->y);
  p->y += 8;
  if (p->keys.len) qsort(p->keys.at, (size_t)p->keys.len, sizeof(Key), by_time);
  for (int i = 0; i < p->keys.len; i++) key_put(p, &p->keys.at[i]);
}

static void heading_put(Picture *p) {
  text_printf(p->out, "<text x=\"20\" y=\"24\" font-size=\"15\" font-weight=\"bold\">");
  put_text(p->out, p->line->arena, p->line->title, 110);
  text_printf(p->out, "</text>\n<text x=\"20\" y=\"44\" fill=\"%s\">",
              p->line->left_out ? "#b00" : "#555");
  text_printf(p->out, "%d bars", p->line->bars.len);
  if (p->line->left_out)
    text_printf(p->out, "; %lld later ones are left out", (long long)p->line->left_out);
  text_puts(p->out, "; each says its times when pointed at</text>\n");
}

void timeline_print(Text *out, Timeline *t) {
  Text inside = {0};
  Picture p = {.out = &inside, .line = t, .y = TOP};
  if (t->bars.len) qsort(t->bars.at, (size_t)t->bars.len, sizeof(TimeBar), by_begin);
  keys_find(&p);
  rows_put(&p);
  int bottom = p.y - GAP + 4;
  p.y = bottom + 44;
  legend_put(&p);
  text_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
              "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
              "<style>.name { font: 11px monospace; pointer-events: none }</style>\n"
              "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
              WIDTH, p.y + 12, WIDTH, p.y + 12);
  p.out = out;
  heading_put(&p);
  axis_put(&p, bottom);
  if (inside.at) text_write(out, inside.at, inside.len);
  text_puts(out, "</svg>\n");
  text_free(&inside);
}
