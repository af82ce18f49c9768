// One option of a command, or the head of its help, in each form in which help is printed.
#include "cmd.h"
#include <string.h>

// ---- quoting ---------------------------------------------------------------------------------
// In single quotes for a shell; `more` is a further character that needs a backslash, or 0.
static void print_quoted(const char *s, char more) {
  for (; *s; s++) {
    if (*s == '\'') fputs("'\\''", stdout);
    else if (more && *s == more) printf("\\%c", *s);
    else putchar(*s);
  }
}

// Hyphens as such, no request at a line's begin.
static void print_roff(const char *s) {
  if (*s == '.' || *s == '\'') fputs("\\&", stdout);
  for (; *s; s++) {
    if (*s == '-') fputs("\\-", stdout);
    else if (*s == '\\') fputs("\\e", stdout);
    else putchar(*s);
  }
}

// ---- options ---------------------------------------------------------------------------------
static const char *placeholder(const ArgRow *row) {
  switch (row->kind) {
    case ARG_FLAG:
    case ARG_CLEAR:
    case ARG_ROWS: return "";
    case ARG_INT:
    case ARG_COUNT: return "N";
    case ARG_REAL: return "X";
    case ARG_CHOICE:
    case ARG_TEXT:
    case ARG_REPEAT: return "..";
  }
  return "";
}

static void option_text(const ArgRow *row) {
  char letter[8] = "    ", name[64] = "";
  const char *value = placeholder(row);
  if (row->letter) snprintf(letter, sizeof letter, "-%c%s", row->letter, row->name ? ", " : "  ");
  if (row->name) snprintf(name, sizeof name, "--%s%s%s", row->name, *value ? "=" : "", value);
  printf("  %s%-24s %s\n", letter, name, row->help);
}

static void option_man(const ArgRow *row) {
  const char *value = placeholder(row);
  fputs(".TP\n", stdout);
  if (row->letter) printf("\\fB\\-%c\\fR%s", row->letter, row->name ? ", " : "");
  if (row->name) {
    fputs("\\fB\\-\\-", stdout);
    print_roff(row->name);
    printf("\\fR%s%s", *value ? "=" : "", value);
  }
  fputs("\n", stdout);
  print_roff(row->help);
  fputs("\n", stdout);
}

static void option_bash(const ArgRow *row) {
  if (row->letter) printf(" -%c", row->letter);
  if (row->name) printf(" --%s%s", row->name, *placeholder(row) ? "=" : "");
}

static void option_zsh(const ArgRow *row) {
  if (row->name) printf(" '--%s:", row->name);
  else printf(" '-%c:", row->letter);
  print_quoted(row->help, ':');
  fputs("'", stdout);
}

static void option_fish(const ArgRow *row, const char *command) {
  printf("complete -c dagaz -n '__fish_seen_subcommand_from %s'", command);
  if (row->letter) printf(" -s %c", row->letter);
  if (row->name) printf(" -l %s%s", row->name, *placeholder(row) ? " -r" : "");
  fputs(" -d '", stdout);
  print_quoted(row->help, 0);
  fputs("'\n", stdout);
}

static void option_print(const ArgRow *row, HelpForm form, const char *command) {
  switch (form) {
    case HELP_TEXT: option_text(row); break;
    case HELP_MAN: option_man(row); break;
    case HELP_BASH: option_bash(row); break;
    case HELP_ZSH: option_zsh(row); break;
    case HELP_FISH: option_fish(row, command); break;
  }
}

static void options_print(const ArgRow *rows, HelpForm form, const char *command) {
  for (const ArgRow *row = rows; row->to; row++) {
    if (row->kind == ARG_ROWS) options_print(row->to, form, command);
    else option_print(row, form, command);
  }
}

// ---- commands --------------------------------------------------------------------------------
// Words up to 79 columns.
static void print_wrapped(const char *s) {
  int column = 0;
  while (*s) {
    int len = (int)strcspn(s, " ");
    if (column && column + 1 + len > 79) fputs("\n", stdout), column = 0;
    printf("%s%.*s", column ? " " : "", len, s);
    column += len + (column > 0);
    s += len;
    s += *s == ' ';
  }
  fputs("\n", stdout);
}

static void command_text(const Command *c, const ArgRow *rows) {
  printf("usage: dagaz %s%s%s%s\n\n", c->name, rows->to ? " [OPTION..]" : "", *c->usage ? " " : "",
         c->usage);
  print_wrapped(c->about);
  if (rows->to) printf("\nOptions:\n");
  options_print(rows, HELP_TEXT, c->name);
  printf("\nExample:\n  %s\n", c->example);
}

static void command_man(const Command *c, const ArgRow *rows) {
  printf(".SS dagaz %s ", c->name);
  print_roff(c->usage);
  fputs("\n", stdout);
  print_roff(c->about);
  fputs("\n", stdout);
  options_print(rows, HELP_MAN, c->name);
  fputs(".PP\nExample:\n.RS 4\n.nf\n", stdout);
  print_roff(c->example);
  fputs("\n.fi\n.RE\n", stdout);
}

void help_print(const char *name, const ArgRow *rows, HelpForm form) {
  const Command *c = command_find(name);
  if (form == HELP_TEXT) command_text(c, rows);
  else if (form == HELP_MAN) command_man(c, rows);
  else options_print(rows, form, name);
}

static const char *const forms[] = {"text", "man", "bash", "zsh", "fish"};

bool help_form(const char *name, HelpForm *form) {
  for (int i = 0; i < COUNT_OF(forms); i++)
    if (strcmp(forms[i], name) == 0) {
      *form = (HelpForm)i;
      return true;
    }
  return false;
}

// A command prints its own options: only it has them.
static void options_of(const Command *c, HelpForm form) {
  char name[64], word[32];
  snprintf(name, sizeof name, "%s", c->name);
  snprintf(word, sizeof word, "--help=%s", forms[form]);
  char *argv[] = {name, word, NULL};
  c->run(2, argv);
}

void help_overview(FILE *out) {
  fprintf(out, "dagaz: a differentiating compiler for the Futhark array language\n\n");
  for (const Command *c = commands; c->name; c++)
    fprintf(out, "  dagaz %-11s %s\n", c->name, c->help);
  fprintf(out, "\n`dagaz help COMMAND` says how to use it, with its options and an example.\n");
}

// ---- the manual page and completions ---------------------------------------------------------
void help_manual(void) {
  printf(".TH DAGAZ 1\n.SH NAME\ndagaz \\- a differentiating compiler for the Futhark array "
         "language\n.SH SYNOPSIS\n.B dagaz\n\\fICOMMAND\\fR [\\fIOPTION\\fR..] "
         "[\\fIFILE\\fR..]\n.SH COMMANDS\n");
  for (const Command *c = commands; c->name; c++) options_of(c, HELP_MAN);
  printf(
      ".SH EXIT STATUS\n0: success. 1: files, options, failed tests. 2: the program is wrong, or "
      "values differ.\n3: a known gap of the compiler. 70: a defect of the compiler.\n"
      ".SH ENVIRONMENT\n.TP\n\\fBCC\\fR, \\fBCFLAGS\\fR\nThe C compiler and its flags.\n"
      ".TP\n\\fBXDG_CACHE_HOME\\fR\nWhere compiled objects are kept (~/.cache).\n"
      ".TP\n\\fBTMPDIR\\fR\nWhere temporary files are made (/tmp).\n");
}

static void completion_bash(void) {
  printf("_dagaz() {\n  local word=${COMP_WORDS[COMP_CWORD]} options=\n"
         "  if [ \"$COMP_CWORD\" = 1 ]; then\n    COMPREPLY=($(compgen -W \"");
  for (const Command *c = commands; c->name; c++) printf("%s ", c->name);
  printf("\" -- \"$word\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n");
  for (const Command *c = commands; c->name; c++) {
    printf("    %s) options='", c->name);
    options_of(c, HELP_BASH);
    printf("' ;;\n");
  }
  printf("  esac\n  case $word in\n    -*) COMPREPLY=($(compgen -W \"$options --help\" -- "
         "\"$word\")) ;;\n    *) COMPREPLY=() ;;\n  esac\n}\n"
         "complete -o default -F _dagaz dagaz\n");
}

static void completion_zsh(void) {
  printf("#compdef dagaz\n_dagaz() {\n  local -a commands options\n  commands=(");
  for (const Command *c = commands; c->name; c++) {
    printf("\n    '%s:", c->name);
    print_quoted(c->help, ':');
    printf("'");
  }
  printf(")\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
         "  case $words[2] in\n");
  for (const Command *c = commands; c->name; c++) {
    printf("    %s) options=(", c->name);
    options_of(c, HELP_ZSH);
    printf(") ;;\n");
  }
  printf("  esac\n  if [[ $PREFIX == -* ]]; then\n    _describe -o option options\n  else\n"
         "    _files\n  fi\n}\n_dagaz \"$@\"\n");
}

static void completion_fish(void) {
  for (const Command *c = commands; c->name; c++) {
    printf("complete -c dagaz -n __fish_use_subcommand -f -a %s -d '", c->name);
    print_quoted(c->help, 0);
    printf("'\n");
    options_of(c, HELP_FISH);
  }
}

void help_completion(HelpForm shell) {
  switch (shell) {
    case HELP_TEXT:
    case HELP_MAN: break;
    case HELP_BASH: completion_bash(); break;
    case HELP_ZSH: completion_zsh(); break;
    case HELP_FISH: completion_fish(); break;
  }
}
