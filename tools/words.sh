#!/bin/sh
# Looks for the words of tools/words.txt in comments and names of the C code, in comments of lib/,
# in documents and in the text of `dagaz help`.   words.sh BUILD [FILE..]   FILE: only these
# Text in back quotes, code blocks of documents and commands' output are exempt.
build=${1:?"usage: words.sh BUILD [FILE..]"}
shift
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
files=$*
[ "$files" ] || {
  files=$(find src rts lib -name '*.[ch]' -o -name '*.def' -o -name '*.fut' | LC_ALL=C sort
          ls README.md HACKING.md STYLE.md doc/*.md)
  for command in $("$build/dagaz" help | sed -n 's/^  *dagaz \([a-z]*\).*/\1/p' | sort -u); do
    "$build/dagaz" help "$command" > "$work/help-$command.help" 2>/dev/null
    files="$files $work/help-$command.help"
  done
}
# One line of output for each offence: FILE:LINE: word (instead).
awk '
  FILENAME ~ /words.txt$/ {
    if ($0 ~ /^#/ || !/\|/) next
    split($0, row, / *\| */)
    where[++n] = row[1]; word[n] = row[2]; instead[n] = row[3]
    next
  }
  FNR == 1 { fence = 0; sentence_over = 1 }
  function offence(i) {
    print name ":" FNR ": \"" word[i] "\": say " instead[i]
    found++
  }
  function letter(c) { return c ~ /[A-Za-z0-9]/ }
  # Whether w is in s between characters that are no letters.
  function has(s, w,  at, rest, before, after) {
    rest = s
    while ((at = index(rest, w)) > 0) {
      before = at > 1 ? substr(rest, at - 1, 1) : " "
      after = substr(rest, at + length(w), 1)
      if (!letter(before) && !letter(after)) return 1
      rest = substr(rest, at + 1)
    }
    return 0
  }
  # Whether a sentence of s begins with w; `first`: s begins one.
  function begins(s, w, first) {
    return (first && index(s " ", w " ") == 1) || s ~ ("[.:;]  *" w " ")
  }
  function look_prose(text, first,  i, lower) {
    gsub(/`[^`]*`/, "", text)
    lower = tolower(text)
    for (i = 1; i <= n; i++)
      if (where[i] == "start" ? begins(text, word[i], first) : has(lower, word[i])) offence(i)
  }
  function look_names(code,  i) {
    gsub(/\\./, "", code); gsub(/"[^"]*"/, "", code)
    code = tolower(code)
    for (i = 1; i <= n; i++) if (where[i] == "names" && has(code, word[i])) offence(i)
  }
  # Where a comment begins: `mark` outside of strings.
  function comment_at(s, mark,  i, c, quote) {
    for (i = 1; i <= length(s); i++) {
      c = substr(s, i, 1)
      if (quote != "") { if (c == "\\") i++; else if (c == quote) quote = "" }
      else if (mark == "//" && (c == "\"" || c == "\047")) quote = c
      else if (substr(s, i, length(mark)) == mark) return i
    }
    return 0
  }
  { name = FILENAME; sub(/.*help-/, "dagaz help ", name) }
  FILENAME ~ /\.md$/ {
    if (/^```/ || /^<!-- table/ || /^<!-- end/) fence = !fence
    if (!fence && !/^    / && !/^```/) look_prose($0, 0)
    next
  }
  FILENAME ~ /\.help$/ { look_prose($0, 0); next }
  {
    at = comment_at($0, FILENAME ~ /\.fut$/ ? "--" : "//")
    if (FILENAME !~ /\.fut$/) look_names(at ? substr($0, 1, at - 1) : $0)
    text = at ? substr($0, at + 2) : ""
    sub(/^[ |]*/, "", text)
    if (at) look_prose(text, sentence_over)
    sentence_over = !at || text == "" || text ~ /[.:]$/
  }
  END { print "1 passed, " (found ? 1 : 0) " failed"; exit found > 0 }' tools/words.txt $files
