// testblock: the `-- ==` comment blocks of a program, which say what it must compute or why it
// must be rejected.  Read by `dagaz test` and `dagaz bench`; not part of the language.
#ifndef TESTBLOCK_H
#define TESTBLOCK_H
#include "syntax.h"

typedef enum {
  INPUT_VALUES,       // in_text: the values
  INPUT_FILE,         // in_text: the file's name
  INPUT_RANDOM,       // in_text: types, perhaps values among them
  INPUT_SCRIPT,       // in_text: the expression
  INPUT_SCRIPT_FILE,  // in_text: the name of the file with the expression
} InputTag;
typedef enum {
  OUTPUT_ANY,     // only run it
  OUTPUT_VALUES,  // out_text: the values
  OUTPUT_FILE,    // out_text: the file's name
  OUTPUT_AUTO,    // whatever the reference computes
  OUTPUT_ERROR,   // must fail; out_text: regex of the message
} OutputTag;
typedef struct {
  const char *name;  // given, the file's name, or "#0 (the values)", "#0 random", "#0 script"
  NameList tags;     // compiled, random, script, nobench, notest, no_c, ..
  InputTag input;
  const char *in_text;
  OutputTag output;
  const char *out_text;
  Span span;
} TestCase;
typedef LIST(TestCase) TestCaseList;

// Every entry point is run on every case.
typedef struct {
  NameList entries;  // `entry: a b`; main by default
  TestCaseList cases;
} TestGroup;
typedef LIST(TestGroup) TestGroupList;
typedef LIST(const char *) TextList;
typedef struct {
  bool present;       // the file has a test block
  bool disabled;      // tags { disable }
  NameList tags;      // tags { .. }
  const char *error;  // not NULL: must be rejected, message matching this regex ("" = any)
  TestGroupList groups;
  TextList warnings;  // regexes that the compiler's output must match
  TextList structures;  // what they say of the compiled program, unread
  NameList properties;
} TestBlock;

// Never NULL.  Malformed blocks are errors in diag.
TestBlock *testblock_parse(Arena *arena, Names *names, const Source *src, Diag *diag);
bool test_has_tag(const NameList *tags, const char *tag);
#endif
