#!/bin/sh
# Checks the numbers of STYLE.md: its table under "Numbers" has one row for each rule.
#   style.sh            prints what breaks a rule and is not listed in tools/style.txt; exit status 1 then
#   style.sh --all      prints all, listed or not, in the form of tools/style.txt
# tools/style.txt lists exceptions: rule | file | function, or - | reason.  An exception that breaks
# nothing any more is an error, too.
# A function begins where a line at column 1 opens a parameter list whose body opens with a brace, and ends at
# a brace at column 1.  Nesting counts if, for, while, do and switch around each other.
cd "$(dirname "$0")/.." || exit 1
all=$(mktemp); trap 'rm -f "$all"' EXIT
limit() { sed -n "s/^| $1 | *\([0-9]*\) .*/\1/p" STYLE.md; }
find src -name '*.[ch]' | LC_ALL=C sort | xargs awk \
  -v FILE="$(limit 'lines of a file')" -v HEADER="$(limit 'lines of a header')" \
  -v FUNCTION="$(limit 'lines of a function')" -v LINE="$(limit 'columns of a line')" \
  -v PARAMETERS="$(limit 'parameters of a function')" -v NESTING="$(limit 'nesting in a function')" '
  function offence(rule, file, name, found) { print rule " | " file " | " name " | " found }
  function end_file(  header) {
    header = last ~ /\.h$/
    if (lines > (header ? HEADER : FILE)) offence(header ? "header" : "file", last, "-", lines)
    if (wide) offence("line", last, "-", wide)
  }
  function plain(s) {  # without strings, characters and comments
    gsub(/\\./, "", s); gsub(/"[^"]*"/, "0", s); gsub(/\047[^\047]*\047/, "0", s)
    sub(/\/\/.*/, "", s); return s
  }
  # The text from the name to the closing parenthesis: commas between parentheses of depth 1.
  function parameters(s,  i, c, depth, n) {
    n = 1
    for (i = index(s, "("); i <= length(s); i++) {
      c = substr(s, i, 1)
      if (c == "(") depth++
      else if (c == ")" && --depth == 0) break
      else if (c == "," && depth == 1) n++
    }
    return n
  }
  function begin(s) {
    name = s; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
    inside = 1; from = head_at; depth = deepest = 0
    if (parameters(s) > PARAMETERS) offence("parameters", FILENAME, name, parameters(s))
  }
  function end() {
    if (FNR - from + 1 > FUNCTION) offence("function", FILENAME, name, FNR - from + 1)
    if (deepest > NESTING) offence("nesting", FILENAME, name, deepest)
    inside = 0
  }
  function statement(s,  at) {
    at = match(s, /[^ ]/)
    while (depth && stack[depth] >= at) depth--
    if (s ~ /^ *(\} )?(else )?(if|for|while|do|switch)( |$)/) stack[++depth] = at
    if (depth > deepest) deepest = depth
  }
  FNR == 1 { if (last) end_file(); last = FILENAME; lines = wide = inside = 0; head = "" }
  { lines++ }
  length($0) > LINE { wide++ }
  inside && /^}/ { end(); next }
  inside { s = plain($0); if (s ~ /[^ ]/) statement(s); next }
  /^[A-Za-z_].*\(/ && !/;/ && !/^(typedef|#)/ && !/=/ { head = ""; head_at = FNR; open = 1 }
  open {
    head = head " " plain($0)
    if (head ~ /;/) open = 0
    else if (head ~ /\) *\{ *$/) { open = 0; begin(head) }
    else if (head ~ /\) *\{.*\} *$/) { open = 0; begin(head); inside = 0 }
  }
  END { end_file() }' > "$all"
if [ "$1" = --all ]; then cat "$all"; exit; fi
awk -F ' [|] ' '
  FNR == NR { if ($0 !~ /^#/ && NF >= 4) listed[$1 " | " $2 " | " $3] = FNR; next }
  { key = $1 " | " $2 " | " $3 }
  key in listed { used[key] = 1; next }
  { print key " | " $4 " (tools/style.txt lists exceptions)"; bad = 1 }
  END {
    for (key in listed) if (!(key in used)) { print "tools/style.txt: breaks no rule: " key; bad = 1 }
    exit bad
  }' tools/style.txt "$all"
