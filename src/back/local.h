// local: what the files of the C back end share.
#ifndef BACK_LOCAL_H
#define BACK_LOCAL_H
#include "back.h"
#include "rts/fail.h"

// ---- c_exp.c
void c_exp(Text *out, const ImpFn *fn, const ImpExp *e);
void c_exp_far(Text *out, const ImpFn *fn, const ImpExp *e);  // transcendental functions called
bool c_is_run(const ImpExp *e);                               // one that rts/run.h has
void c_scalar(Text *out, Scalar s);
void c_var(Text *out, const ImpFn *fn, ImpVar v);        // scalar
void c_mem(Text *out, const ImpFn *fn, ImpVar v);        // its pointer
void c_fn_name(Text *out, const ImpProg *prog, const char *name);
void c_ident(Text *out, const char *s);                  // letters that C allows
const char *c_type(Prim p);
void c_string(Text *out, const char *s);                 // as a C string literal
const char *dz_prim(Prim p);                             // "DZ_F64"

// ---- c_share.c: equal functions of loops
typedef struct {
  Arena *arena;
  Names *texts;   // with numbered variables; words
  Map *name_of;   // text -> name of the function
} Shares;
Shares c_shares_new(Arena *arena);
// The name of the first function with this text (from its parameters on) but for names; NULL: this
// is the first, now known by `name`.
const char *c_share(Shares *shares, const Text *text, const char *name);

// ---- kernel_roots.c: which entry points reach a function
typedef struct {
  Arena *arena;
  Names *names;
  Map *numbers;     // name -> 1 + the function's number in prog->fns
  int words;        // of a set of such numbers
  uint64_t *sets;   // by function
} RootSets;
RootSets root_sets_new(const ImpProg *prog);
const uint64_t *root_set_of(const RootSets *r, int fn);

// ---- kernels.c, kernel_texts.c: kernels of a device, in texts that its driver compiles
typedef struct {
  const char *name, *text;  // of the function; after its name
  int number;               // in the program
  uint64_t *roots;          // that reach it
  bool groups;              // with a group of threads for each iteration
} KernelText;
typedef struct {
  const ImpProg *prog;
  RootSets roots;
  int fn;             // the function being written
  LIST(KernelText *) kernels;
  Map *by_name;
} Kernels;
Kernels c_kernels_new(const ImpProg *prog);
int kernel_texts(const Kernels *all, int *text_of);       // how many; by kernel, which
const char *c_device_open(const ImpProg *prog);           // the function that does
// Of `functions`, a text after the preprocessor, those that `text` reaches (units.c).
void back_select(Text *out, const char *functions, const char *text);
void c_kernels_text(Text *out, const Kernels *kernels, Dialect dialect);  // nothing where none is
void c_kernels_end(Text *out, const ImpProg *prog, const Kernels *kernels);  // as data
bool c_kernels_are_text(const ImpProg *prog);  // that a driver compiles when the program runs
bool c_strips_are_single(const ImpProg *prog);

// ---- c_fn.c
typedef struct {
  Text *out;
  const ImpProg *prog;
  const ImpFn *fn;
  int indent;
  bool fails;             // the label fail is used
  const ImpLanes *lanes;  // inside a strip's vector code
  int parts;              // vectors per value there
  int mask;               // number of the mask in force, 0: none
  bool near;              // in a full strip so long that access with a stride is written out
  int part;               // of a strip that need not be full: its names' number and mask, else 0
  int names;              // numbers given out
  int label;              // of the strip
  bool label_used;
  bool far;               // in the scalar rest of a strip
  bool once;              // statements outside loops may call what rts/run.h has
  int loops;              // around, but for strips
  Text *outlined;         // functions made of loops, to stand before this one; NULL: inside one
  int outlines;
  Shares *shares;         // these functions, of the whole program
  int64_t *first_site;    // of a loop's function, -1: none yet; NULL: outside
  ImpStrides *slopes;
  const ImpExp **renamed; // by variable: all NULL between uses
  const int *mentions;    // by memory: in the function; made by c_chunks.c
  bool *elsewhere;        // by memory: a chunk's function declares it
  const ImpVars *logged;  // memory whose updates are written down (c_logs.c); NULL: none
  Kernels *kernels;       // of the program
  Map *rows;              // load -> where c_rows.c put its values
  Text late;              // writing of windows: after the stores that follow in vector code
  bool device;            // inside of a kernel
  ImpVar device_var;      // by which its failures are compared
  const Map *own;         // memory of which its threads have parts; NULL: none
  bool groups;            // of a kernel of groups, outside of spread loops
} Writer;
void c_line(Writer *w);                                   // indentation
void c_open(Writer *w);                                   // {, and deeper from here
void c_close(Writer *w);                                  // as before, and }
void c_block_name(Text *out, const Writer *w, ImpVar v);   // of the variable that owns a block
void c_declare_mem(Writer *w, ImpVar v);                  // in a function's head
void c_free_all(Writer *w, bool (*is)(const Writer *w, ImpVar v));  // its blocks, when it fails
void c_block(Writer *w, const ImpBlock *block);
void c_element(Writer *w, ImpVar mem, const ImpExp *at, const char *plus);
typedef struct {
  Text *out, *declarations;
  const ImpProg *prog;
  bool runs;               // the program has rts/run.h
  Shares *shares;
  Kernels *kernels;
} CFile;
void c_function(const CFile *file, const ImpFn *fn);

// ---- c_vector_exp.c: values of strips
LaneClass c_lane_class(const Writer *w, const ImpExp *e, const ImpExp **slope);
bool c_is_uniform(const Writer *w, const ImpExp *e);
bool c_check_differs(const Writer *w, const struct imp_test *s);  // or what it says does
int c_vec_prepare(Writer *w, const ImpExp *e);            // > 0: its parts are in an array u<id>
void c_vec_value(Writer *w, const ImpExp *e, int id, int part);
void c_lanes_open(Writer *w, int n, const ImpExp *const *exps, bool all, bool simd);
void c_lanes_close(Writer *w);
void c_lane_element(Writer *w, ImpVar mem, const ImpExp *at);
int c_lane_values(Writer *w, Prim p, const ImpExp *e, ImpVar mem);

// ---- c_vector.c: statements of strips
bool c_vec_stm(Writer *w, const ImpStm *stm);             // false: as scalar code does it
void c_vec_flush(Writer *w);                              // writes what stores left for later
void c_identity(Text *out, Op op, Prim p);
void c_fold(Writer *w, Op op, Prim p, const char *name);  // all lanes of its parts as one scalar

// ---- c_rows.c: loops inside strips that walk along rows
bool c_row_loop(Writer *w, const struct imp_for_ *s);     // false: as other loops
bool c_row_lanes(Writer *w, const struct imp_for_ *s);    // likewise
bool c_row_load(Writer *w, const struct imp_load *s);     // false: as other loads

// ---- c_outer_vec.c: loops that run as strips
void c_vec_text(Writer *w, const struct imp_for_ *s);     // the loop, here

// ---- c_uses.c: what a piece of a function uses and binds
typedef struct {
  ImpVar var;
  bool inside, used;
} Use;
typedef struct {
  const Writer *w;
  Map *at;            // variable -> Use
  LIST(Use *) uses;
  Arena *arena;
  int stms;
  bool swaps;          // pointers change places: none is `restrict` then
  bool swaps_outside;  // of blocks that are read afterwards
} Uses;
Uses c_uses(const Writer *w, ImpBlock *block);
Use *c_use_of(Uses *u, ImpVar v);
void c_use_exp(void *uses, const ImpExp *e);
void c_uses_sort(Uses *u);                               // by number of the variable

// ---- c_chunks.c
void c_chunks(Writer *w, const struct imp_chunks *s);    // in turn, or by functions on all cores
// By memory: mentions in the block, and among the parameters unless these are NULL.
const int *c_mentions(Writer *w, ImpBlock *block, const ImpVars *params);

// ---- c_logs.c: updates that are written down, and added later (rts/logs.h)
bool c_logs(const Writer *w, ImpVar mem);
bool c_logs_any(const Writer *w, ImpBlock *block);        // some update in it is
void c_log_call(Writer *w, ImpVar mem);                   // "dz_note_f64(&log_, .., "
void c_log_begin(Writer *w, const struct imp_chunks *s);  // in the function that writes them down
void c_log_add(Writer *w, const struct imp_chunks *s, const char *name);  // what adds a log
void c_log_sizes(Writer *w, const struct imp_chunks *s);  // DzLogs logs_
void c_log_fold(Writer *w, const struct imp_chunks *s, const char *name);  // a block's sums
void c_log_run(Writer *w, const struct imp_chunks *s, const char *name, const char *unit);

// ---- c_kernel.c: what runs on a device
void c_kernel(Writer *w, const struct imp_kernel *s);    // and its launch
// The kernel with this text from its parameters on; a new one has that name.
const KernelText *c_kernel_of(Writer *w, bool groups, const Text *text, const char *name,
                              bool *is_new);
int c_lend(Writer *w, const struct imp_call *s);         // the start of a block, unless 0
void c_transfer(Writer *w, const struct imp_transfer *s);
void c_kernel_test(Writer *w, const struct imp_test *s);
void c_kernel_part(Writer *w, const struct imp_part *s);
void c_kernel_spread(Writer *w, const struct imp_for_ *s);
void c_kernel_alone(Writer *w);     // around a statement that writes memory
void c_kernel_together(Writer *w);
void c_kernel_swap(Writer *w, const struct imp_swap *s);
void c_kernel_copy(Writer *w, const struct imp_copy *s);

// ---- c_stop.c: loops of interruptible programs
void c_stop_test(Writer *w, const struct imp_for_ *s);   // at the start of a loop's body
void c_stop_test_while(Writer *w, const struct imp_while_ *s);
void c_stop_test_strip(Writer *w, const struct imp_for_ *s);

// ---- c_outline.c
void c_vec_loop(Writer *w, const struct imp_for_ *s);     // the loop, here or in a function

// ---- c_trace_nan.c: programs made with --trace-nan
void c_look_sites(Text *out, const ImpProg *prog);
void c_look(Writer *w, const struct imp_probe *s);
void c_nest(Writer *w, const struct imp_probe_loop *s);

// ---- abi_type.c: the types at the program's edge, each listed once
typedef struct {
  const AbiType *type;
  const char *name, *cname;  // "[]f64", "futhark_f64_1d"
} EdgeType;
typedef struct {
  Arena *arena;
  const ImpProg *prog;
  const BackOptions *options;
  const char *prefix;
  LIST(EdgeType) types;      // parts before wholes
} Edge;
Edge edge_new(Arena *arena, const ImpProg *prog, const BackOptions *options);
const char *edge_backend(const Edge *edge);               // "c", "multicore"
const char *edge_own_param(const ImpProg *prog);  // a tuning parameter of the machine; NULL: none
int edge_type(const Edge *edge, const AbiType *type);     // its index
const char *edge_name(const Edge *edge, const AbiType *type);
const Prim *edge_leaf_prims(const Edge *edge, const AbiType *type);  // as the tables have them
bool abi_is_opaque(const AbiType *type);
bool abi_is_record_array(const AbiType *type);
const AbiType *abi_rows(Arena *arena, const AbiType *type, int rank);  // its arrays
const char *c_suffix(Arena *arena, const char *s);        // the end of an identifier
void abi_type_tables(Text *out, const Edge *edge);
void c_type_ref(Text *out, const Edge *edge, const AbiType *type);  // "&dz_type_3"

// ---- abi_entry.c
void abi_entry_tables(Text *out, const Edge *edge);
void abi_raw_tables(Text *out, const Edge *edge);         // of a program without entries
const Fn *edge_entry(const Edge *edge, int i);            // the i-th entry point, NULL at the end

// ---- raw.c
void raw_functions(Text *out, const Edge *edge);

// ---- library.c, manifest.c
void library_c(Text *out, const Edge *edge);
void library_h(Text *out, const Edge *edge);
void edge_put_prefixed(Text *out, const Edge *e, const char *s);  // %P: the prefix of names
void library_declarations(Text *out, const Edge *edge);
const char *opaque_short(const Edge *edge, const AbiType *type);  // after "futhark_opaque_"
void manifest_json(Text *out, const Edge *edge);

// ---- leaf.c: the public functions over rts/leaf.h, and what the manifest says for them
void leaf_declarations(Text *out, const Edge *edge);
void leaf_functions(Text *out, const Edge *edge, const Text *manifest);
void leaf_manifest(Text *out, const Edge *edge);
// ---- library_names.c: second names of what is named by a hash
const char *opaque_readable(const Edge *edge, const AbiType *type);  // opaque_short, or its second
void library_names(Text *out, const Edge *edge, const char *declarations);

// ---- library_cpp.c
void library_hpp(Text *out, const Edge *edge);
#endif
