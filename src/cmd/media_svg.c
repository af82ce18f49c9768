// Line plots as SVG: a frame, about five marks on each axis, a line for each series, a legend.
#include "media.h"
#include <math.h>

typedef struct {
  double low, high, step;
  double from, to;  // in the picture
} Axis;

static void range_extend(Axis *axis, const Value *v) {
  for (int64_t i = 0; i < v->len; i++) {
    double x = value_real(v, i);
    if (!isfinite(x)) continue;
    if (x < axis->low) axis->low = x;
    if (x > axis->high) axis->high = x;
  }
}

// Marks at multiples of 1, 2 or 5 times a power of ten.
static void axis_settle(Axis *axis) {
  if (!(axis->low <= axis->high)) axis->low = 0, axis->high = 1;
  if (axis->low == axis->high) {
    double margin = axis->low == 0 ? 1 : fabs(axis->low) / 2;
    axis->low -= margin, axis->high += margin;
  }
  double rough = (axis->high / 5 - axis->low / 5), power = pow(10, floor(log10(rough)));
  double times = rough / power;
  axis->step = power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

static double place(const Axis *axis, double x) {
  return axis->from + (x - axis->low) / (axis->high - axis->low) * (axis->to - axis->from);
}

static void mark(Text *out, const Axis *x, const Axis *y, double at, bool across) {
  double label = fabs(at) < (across ? x : y)->step / 1e6 ? 0 : at;
  if (across) {
    double p = place(x, at);
    text_printf(out, "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"#ddd\"/>\n", p,
                y->from, p, y->to);
    text_printf(out, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%.6g</text>\n", p,
                y->from + 18, label);
  } else {
    double p = place(y, at);
    text_printf(out, "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"#ddd\"/>\n",
                x->from, p, x->to, p);
    text_printf(out, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"end\">%.6g</text>\n", x->from - 6,
                p + 4, label);
  }
}

static void marks(Text *out, const Axis *x, const Axis *y, bool across) {
  enum { MOST = 20 };
  const Axis *axis = across ? x : y;
  double at = ceil(axis->low / axis->step) * axis->step;
  for (int i = 0; i < MOST && at <= axis->high; i++, at += axis->step) mark(out, x, y, at, across);
}

// Points that are not finite interrupt the line.
static void line(Text *out, const PlotSeries *s, const Axis *x, const Axis *y, const char *colour) {
  bool open = false;
  text_puts(out, "<path d=\"");
  for (int64_t i = 0; i < s->x->len && i < s->y->len; i++) {
    double px = value_real(s->x, i), py = value_real(s->y, i);
    bool shown = isfinite(px) && isfinite(py);
    if (shown) text_printf(out, "%c%.2f %.2f ", open ? 'L' : 'M', place(x, px), place(y, py));
    open = shown;
  }
  text_printf(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>\n", colour);
}

void svg_plot(Text *out, const PlotSeriesList *series, PlotSize size) {
  static const char *const colours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd",
                                        "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f"};
  Axis x = {.low = INFINITY, .high = -INFINITY, .from = 70, .to = (double)size.width - 20};
  Axis y = {.low = INFINITY, .high = -INFINITY, .from = (double)size.height - 40, .to = 20};
  for (int i = 0; i < series->len; i++)
    range_extend(&x, series->at[i].x), range_extend(&y, series->at[i].y);
  axis_settle(&x), axis_settle(&y);
  text_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%lld\" height=\"%lld\" "
              "font-family=\"sans-serif\" font-size=\"12\">\n"
              "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
              (long long)size.width, (long long)size.height);
  marks(out, &x, &y, true), marks(out, &x, &y, false);
  text_printf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"none\" "
              "stroke=\"black\"/>\n", x.from, y.to, x.to - x.from, y.from - y.to);
  for (int i = 0; i < series->len; i++) {
    const char *colour = colours[i % COUNT_OF(colours)];
    line(out, &series->at[i], &x, &y, colour);
    if (series->at[i].name)
      text_printf(out, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"end\" fill=\"%s\">%s</text>\n",
                  x.to - 8, y.to + 18 + 16 * i, colour, series->at[i].name);
  }
  text_puts(out, "</svg>\n");
}
