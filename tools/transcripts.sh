#!/bin/sh
# Runs the examples of documents as they stand there:   transcripts.sh BUILD FILE.md..
# In blocks that are indented by four blanks, `$ cat > NAME` is followed by the contents of a file,
# any other `$ COMMAND` by its output, which must be the same.  A document has one folder.  Lines
# `<!-- needs PROGRAM.. -->` before the first example: without these programs it is skipped.
build=$(cd "${1:?usage: transcripts.sh BUILD FILE.md..}" && pwd); shift
passed=0; failed=0; skipped=0
PATH=$build:$PATH; export PATH
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT

absent() {  # the first program that FILE needs and that is not there, or has nothing to start
  for program in $(sed -n 's/^<!-- needs \(.*\) -->$/\1/p' "$1"); do
    "$program" --version > /dev/null 2>&1 || { echo "$program"; return; }
  done
}
# Examples as numbered scripts N.sh with the wanted output N.want.
split() {
  awk -v to="$work" '
    function end() { if (script) close(script); if (want) close(want); script = want = "" }
    !/^    / && !/^$/ { end(); next }
    /^$/ { if (cat) print "" > script; next }
    { line = substr($0, 5) }
    line ~ /^\$ / {
      end(); n++
      script = sprintf("%s/%03d.sh", to, n); want = sprintf("%s/%03d.want", to, n)
      cat = line ~ /^\$ cat > /
      printf "" > want
      if (cat) print substr(line, 3) " << \"END OF FILE\"" > script
      else print substr(line, 3) > script
      next
    }
    cat && script { print line > script; next }
    want { print line > want }' "$1"
}
run() {
  split "$1"
  mkdir -p "$work/in"
  for script in "$work"/[0-9]*.sh; do
    [ -e "$script" ] || { echo "$1: no examples"; failed=$((failed + 1)); continue; }
    want=${script%.sh}.want
    grep -q '"END OF FILE"' "$script" && echo 'END OF FILE' >> "$script"
    (cd "$work/in" && sh "$script") > "$work/got" 2>&1
    if cmp -s "$work/got" "$want"; then passed=$((passed + 1))
    else
      failed=$((failed + 1)); echo "$1: $(head -1 "$script")"; diff "$want" "$work/got"
    fi
  done
  rm -rf "$work"/*
}
for doc in "$@"; do
  missing=$(absent "$doc")
  if [ "$missing" ]; then echo "skipped: $doc needs $missing"; skipped=$((skipped + 1))
  else run "$doc"; fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ $((passed + skipped)) != 0 ]
