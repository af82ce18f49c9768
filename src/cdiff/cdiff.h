// cdiff: derivatives of C functions as C functions, statement by statement.  The tangent precedes
// each active assignment by its derivative; the adjoint is a forward sweep that keeps what the
// reverse sweep needs, and the reverse sweep.  Partial derivatives are the terms of prim.def.
#ifndef CDIFF_H
#define CDIFF_H
#include "cflow/cflow.h"

typedef enum { CDIFF_TANGENT, CDIFF_ADJOINT } CDiffMode;
typedef LIST(const char *) CNames;
// f(outputs)/(inputs) or f(inputs -> outputs); both empty: all that there is.
typedef struct {
  const char *function;
  CNames inputs, outputs;
} CHead;
typedef LIST(CHead) CHeads;
// False after a message: `text` is no list of heads.
bool cheads_parse(Arena *arena, Diag *diag, const char *text, CHeads *heads);
typedef struct {
  CDiffMode mode;
  CHeads heads;
  CNames lengths;      // "x[n]": what users say of lengths
  const char *base;    // of the names of files
  int directions;      // the most that are computed at once; 0: one
  bool any_directions; // a parameter has their number when it runs
  CNames joint;        // functions whose calls are executed again from snapshots
  bool no_independent; // iterations of independent loops are not executed again
} CDiffOptions;
typedef struct {
  const char *header, *source;  // texts
  bool tape;                    // the source needs dagaz_tape.h
  const CPrintedList *printed;  // where the statements of the source come from
  LIST(struct Derived *) heads;
} CDiffResult;
CDiffResult cdiff_program(CProgram *p, const CDiffOptions *options);  // leaves with messages
const char *cdiff_tail(const CDiffOptions *options);  // of names: d, b, dv, bv

// ---- report.c: activity, kept values and their users, costs as formulas ------------------------
enum { MOST_COLUMNS = 5 };
typedef struct {
  const char *cells[MOST_COLUMNS];
} CReportRow;
typedef struct {
  const char *key, *title;
  const char *columns[MOST_COLUMNS];  // ends with NULL; a column `line` has numbers
  LIST(CReportRow) rows;
} CReportTable;
typedef struct {
  const char *name, *made;  // of the function; of its derivatives
  LIST(CReportTable) tables;
} CReportFunction;
typedef LIST(CReportFunction) CReport;
CReport cdiff_report(CProgram *p, const CDiffOptions *options);

// ---- check_driver.c: a main that compares derivatives with each other and with differences ------
typedef enum {
  CCHECK_NONE, CCHECK_GRAD, CCHECK_JVP, CCHECK_VJP, CCHECK_JAC, CCHECK_HVP
} CCheckMode;
typedef struct {
  const CVar *param;   // NULL: the returned value
  const char *path;    // of members, ".p.x"; "" none
} CCheckPlace;
typedef LIST(CCheckPlace) CCheckPlaces;
// A function made in another way, through core; declared in a header that is named like it.
typedef struct {
  const char *name;
  const CFunction *source;
  CCheckMode mode;
  CCheckPlaces inputs, outputs;  // in the order of the Jacobian's columns and rows
  const CType *numbers;          // of the Jacobian
} CCheckFast;
typedef struct {
  const char *base;                        // of the names of files
  const CDiffResult *tangents, *adjoints;  // of the same heads; NULL: not made
  const CCheckFast *fast;                  // NULL: none
  const char *note;                        // a line for the report; NULL: none
  CNames lengths;
  bool with_statics;                       // files of cdiff_check_static are there
} CCheck;
const char *cdiff_check_program(CProgram *p, const CCheck *check);
// The file with the static function f, and a function that calls it.
const char *cdiff_check_static(CProgram *p, const CFunction *f, const char *path);

// ---- length.c -----------------------------------------------------------------------------------
// The length of an array parameter: as users say, as it is declared, or as the accesses tell; NULL:
// not known.  cdiff_length_refuse says so.
const CExpr *cdiff_length_known(CProgram *p, const CNames *lengths, const CFunction *f,
                                const CVar *v);
// The length that users say a member has that is a pointer, "m.data"; NULL: none.
const CExpr *cdiff_length_said(CProgram *p, const CNames *lengths, const CFunction *f,
                               const char *name);
_Noreturn void cdiff_length_refuse(CProgram *p, const CVar *v);
_Noreturn void cdiff_length_refuse_member(CProgram *p, const CVar *v, const char *path);
extern const char cdiff_tape_header[];  // dagaz_tape.h
#endif
