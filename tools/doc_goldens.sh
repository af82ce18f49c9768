#!/bin/sh
# Checks what documents say of golden tests.   doc_goldens.sh [FILE.md..]   default: README.md, doc/*.md
# Every path below tests/ that a document names exists.  In a block that is indented by four blanks and
# has lines `-- tests/..`, each line after one is a line of that golden, `..` any text; after `==>` of
# its output.
cd "$(dirname "$0")/.." || exit 1
[ $# = 0 ] && set -- README.md HACKING.md doc/*.md
awk '
  function wrong(text) { print FILENAME ":" FNR ": " text; failed++ }
  function exists(path,  line) { return (getline line < path) >= 0 ? !close(path) : 0 }
  function trim(s) { sub(/^ */, "", s); sub(/ *$/, "", s); return s }
  # Whether s is the pieces of the pattern that `..` separates, in order, the first at its start.
  function matches(s, pattern,  n, part, i, at) {
    n = split(pattern, part, / *\.\. */)
    for (i = 1; i <= n; i++) {
      if (part[i] == "") continue
      at = index(s, part[i])
      if (!at || (i == 1 && at != 1)) return 0
      s = substr(s, at + length(part[i]))
    }
    return s == "" || part[n] == ""
  }
  function in_golden(pattern,  line, found, output) {
    while (!found && (getline line < golden) > 0) {
      if (line == "-- ---") output = 1
      found = (output || !after) && matches(trim(line), pattern)
    }
    close(golden)
    return found
  }
  FNR == 1 { golden = "" }
  !/^    / && !/^ *$/ { golden = "" }
  {
    rest = $0
    while (match(rest, /tests\/[A-Za-z0-9_\/.-]*\.(ir|imp|fut|t|sh|c)/)) {
      path = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
      if (!exists(path)) wrong("no file " path)
      named++
    }
  }
  /^    -- tests\// { golden = $2; sub(/:$/, "", golden); after = 0; next }
  trim($0) == "==>" { after = 1; next }
  golden != "" && /^    / && !in_golden(trim($0)) { wrong("not in " golden ": " trim($0)) }
  END { print (named - failed) " passed, " failed + 0 " failed"; exit failed > 0 || !named }' "$@"
