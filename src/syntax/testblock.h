// testblock: the `-- ==` comment blocks of a program, which say what it must compute or why it
// must be rejected.  Read by `dagaz test` and `dagaz bench`; not part of the language.
#ifndef TESTBLOCK_H
#define TESTBLOCK_H
#include "syntax.h"

typedef enum { TEST_RUN, TEST_ERROR, TEST_PROPERTY } TestTag;
typedef enum { INPUT_VALUES, INPUT_FILE, INPUT_RANDOM, INPUT_SCRIPT, INPUT_NONE } InputTag;
typedef enum { OUTPUT_NONE, OUTPUT_VALUES, OUTPUT_FILE, OUTPUT_AUTO, OUTPUT_ERROR } OutputTag;
typedef struct {
  const char *name;     // the given or invented name ("#0", a file name, the values themselves)
  NameList tags;        // compiled, nobench, notest, no_c, ..
  InputTag input;
  const char *in_text;  // values, types, expression or file name
  OutputTag output;
  const char *out_text; // values, file name, or the regex of the expected error
  Span span;
} TestCase;
typedef LIST(TestCase) TestCaseList;
typedef struct {
  NameList entries;  // `entry: a b`; just "main" by default
  TestCaseList cases;
} TestGroup;
typedef LIST(TestGroup) TestGroupList;
typedef struct {
  bool present;        // the file has a test block
  const char *about;   // text before the first `-- ==`
  NameList tags;       // tags { .. } of the block; "disable" skips the file
  bool disabled;
  const char *error;   // non-NULL: must be rejected, message matching this regex ("" = any)
  TestGroupList groups;
  LIST(const char *) warnings;  // regexes the compiler's output must match
  NameList properties;          // property: names
} TestBlock;
// Never NULL; malformed blocks are errors in diag.
TestBlock *testblock_parse(Arena *arena, Names *names, const Source *src, Diag *diag);
#endif
