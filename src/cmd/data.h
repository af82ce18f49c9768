// data: files of values named on the command line, of every format that the compiler reads.
//   x=data.npy   x=t.csv:price   x=all.npz:w   x=3.5   x=-   p.w=w.npy   p=all.npz   all.npz
#ifndef DATA_H
#define DATA_H
#include "cmd.h"
#include "values/values.h"

// ---- data_file.c: one file ----------------------------------------------------------------------
typedef enum { DATA_TEXT, DATA_BINARY, DATA_NPY, DATA_NPZ, DATA_CSV } DataFormat;
DataFormat data_format(const char *path);  // by the end of the name, ".gz" left out
typedef struct {
  const char *path;
  const char *part;   // a member of an .npz file, columns of a table; NULL: all
  bool nan_cells;
  bool split;         // all of a table is its columns, not a matrix
} DataSource;
DataSource data_source(Arena *arena, const char *word);  // "FILE" or "FILE:PART"
bool data_is_container(const char *path);               // it has named parts: .npz, .csv
// One value of the type, or with NULL of any.  False with a message that names the file.
bool data_value_read(Arena *arena, const DataSource *from, const ValueType *expected, Value *out,
                     const char **error);
// All values with their names ("" where the format has none).
bool data_values_read(Arena *arena, const DataSource *from, Values *out, Words *names,
                      const char **error);
// Leaves with a message when the file cannot be written.
void data_write(Arena *arena, const char *path, const Words *names, const Value *values);

// ---- data_in.c: the parameters of an entry point ------------------------------------------------
typedef struct {
  Words words;     // "NAME=..", or an .npz file
  bool nan_cells;
} DataInputs;
// The leaves of all parameters.  False after a message that names the parameter and the file.
bool data_inputs_read(Arena *arena, const DataInputs *in, const Prog *prog, const Fn *fn,
                      Values *out);

// ---- data_out.c: its result ---------------------------------------------------------------------
// To one file, or to one for each component of a tuple.
void data_outputs_write(Arena *arena, const Words *paths, const AbiType *type,
                        const Value *leaves);
#endif
