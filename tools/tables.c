// Prints the generated parts of the documents from the tables of the compiler.
//   tables forms | operations
#include "core/core.h"
#include <string.h>

static const char *const kinds[] = {"", "atom", "atoms", "lambda", "operators", "slice", "cases",
                                    "operation", "type", "integer", "integers", "flag", "text",
                                    "function", "data"};

static void forms_print(void) {
  printf("| form | operands |\n|---|---|\n");
  for (Form f = 0; f < FORM_COUNT; f++) {
    printf("| `%s` |", form_info[f].keyword[0] ? form_info[f].keyword : "(operation)");
    for (const Field *field = form_info[f].fields; field->kind != FIELD_END; field++)
      printf(" %s: %s;", field->name, kinds[field->kind]);
    printf(" |\n");
  }
}

static void partial_print(const Term *term) {
  Text text = {0};
  term_print(&text, term);
  printf(" `%s` |", text.at);
  text_free(&text);
}

static void types_print(OpClass c) {
  printf(" %s%s%s |", c & CLASS_INT ? "int " : "", c & CLASS_FLOAT ? "float " : "",
         c & CLASS_BOOL ? "bool" : "");
}

static void columns_print(const OpInfo *op) {
  static const char *const costs[] = {"1", "choice", "division", "root", "power", "function"};
  static const char *const vectors[] = {"lanes", "floats", "inline", "branch", "none"};
  static const char *const fails[] = {"never", "by 0", "below 0"};
  printf(" %s | %s | %s |", costs[op->cost], vectors[op->vector], fails[op->fails]);
}

static void operations_print(void) {
  printf("| operation | types | cost | vector form | fails | d/da | d/db | d/dc | int d/da | int d/db |\n"
         "|---|---|---|---|---|---|---|---|---|---|\n");
  for (Op op = 0; op < OP_COUNT; op++) {
    printf("| %s |", op_info[op].name);
    types_print(op_info[op].class);
    columns_print(&op_info[op]);
    for (int i = 0; i < 3; i++) partial_print(op_info[op].partial[i]);
    for (int i = 0; i < 2; i++) partial_print(op_info[op].int_partial[i]);
    printf("\n");
  }
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "forms") == 0) forms_print();
  else if (argc == 2 && strcmp(argv[1], "operations") == 0) operations_print();
  else return 2;
  return 0;
}
