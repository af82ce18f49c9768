// run: what the two ways of `dagaz run` share.
#ifndef RUN_H
#define RUN_H
#include "data.h"

typedef struct {
  const char *path, *entry;
  const char *temporary;  // the folder of a new object, NULL: it was in the cache
  const char *threads;
  const char *runs;     // of a profile: so many calls, after one that is not measured; else NULL
  const char *timeline;  // of a profile: the file of its picture, NULL: none
  const char *report;   // of a profile: the object's report in JSON, NULL where it failed
  bool binary;
  DataInputs data;      // without words the values come from stdin
  Words outputs;        // files; none: the result is printed
  const AbiType *result;
  FILE *in, *out, *err;  // temporary files instead of the streams, or NULL
  int status;
} RunJob;
// run_object.c: compiles to a shared object and runs it; sets status.
void run_compiled(Session *s, RunJob *job);
#endif
