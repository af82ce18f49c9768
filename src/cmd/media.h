// media: values as pictures, plots and sounds, for `dagaz literate`.
#ifndef MEDIA_H
#define MEDIA_H
#include "evaluate.h"

typedef struct {
  const char *name;  // NULL: the only one
  const Value *x, *y;
} PlotSeries;
typedef LIST(PlotSeries) PlotSeriesList;
typedef struct {
  int64_t width, height;
} PlotSize;

double value_real(const Value *v, int64_t i);
// False when the value has another type than pictures (sounds) may have.
bool png_write(Text *out, const Value *v);                 // media_png.c
bool wav_write(Text *out, const Value *v, int64_t rate);   // media_wav.c
void svg_plot(Text *out, const PlotSeriesList *series, PlotSize size);  // media_svg.c
#endif
