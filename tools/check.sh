#!/bin/sh
# Runs test suites; tools/suites.txt has one row for each.
#   check.sh fast | check | full | FOLDER | SUITE
# fast: the rows of tier fast; check: those and the rows of tier check; full: the rows of tier
# full; FOLDER: the rows of tiers fast and check that cover this folder; SUITE: one row.
# Installs with apt the packages the tests need, when it may.  Ends with "N passed, N failed".
cd "$(dirname "$0")/.." || exit 1
what=${1:-check}
D=${BUILD:-build}
packages="clang"
jobs=$(nproc 2>/dev/null || echo 2)
total_passed=0; total_failed=0; total_skipped=0; bad_suites=""; built=" - "
log=$(mktemp); rows=$(mktemp)
trap 'rm -f "$log" "$rows"' EXIT
# Arenas and test values live until the process ends; interpreted programs handle failing allocations.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1

select_rows() {
  awk -F '|' -v what="$what" '
    function trim(s) { gsub(/^ +| +$/, "", s); return s }
    /^#/ || NF < 5 { next }
    { name = trim($1); tier = trim($2); folders = " " trim($4) " "
      if (what == "full") take = tier == "full"
      else if (what == "fast") take = tier == "fast"
      else if (what == "check") take = tier != "full"
      else take = name == what || (tier != "full" && index(folders, " " what " "))
      if (take) print name "|" trim($3) "|" trim($5) }' tools/suites.txt > "$rows"
  [ -s "$rows" ] || { echo "check.sh: no suite or folder '$what'; tools/suites.txt lists them"; exit 2; }
}

announce() {
  case $what in
    fast) time="15 seconds" ;;
    check) time="9 minutes" ;;
    full) time="40 minutes" ;;
    *) time="9 minutes at most" ;;
  esac
  missing=""
  for p in $packages; do command -v "$p" > /dev/null || missing="$missing $p"; done
  [ "$what" = full ] || missing=""
  echo "make check ($what): $(wc -l < "$rows") suites, about $time on two cores after the build${missing:+; installs with apt:$missing}"
  [ -z "$missing" ] || [ "$(id -u)" != 0 ] || ! command -v apt-get > /dev/null ||
    { apt-get update && apt-get install -y $missing; } > "$log" 2>&1 || echo "skipped: apt could not install$missing"
}

need() {  # need TARGET: builds it once
  case $built in *" $1 "*) return ;; esac
  make -j"$jobs" BUILD="$D" "$1" > "$log" 2>&1 ||
    { tail -40 "$log"; echo "the build failed: make $1"; echo "0 passed, 1 failed"; exit 1; }
  built="$built$1 "
}

heartbeat() {  # on a terminal: the suite's name and its last line, every five seconds
  [ -t 2 ] || return
  while sleep 5; do
    printf '\r\033[K%s: %s s  %s' "$1" "$(($(date +%s) - $2))" "$(tail -c 60 "$log" | tr '\r\n\033' '   ')" >&2
  done
}

count_of() { sed -n "s/.*[^0-9]*\\b\\([0-9][0-9]*\\) $1.*/\\1/p" | tail -1; }

suite() {  # suite NAME COMMAND: runs it and adds up the counts of its last line
  start=$(date +%s)
  heartbeat "$1" "$start" & beat=$!
  case $2 in
    '!'*) eval "${2#!}" > "$log" 2>&1 && echo "1 passed, 0 failed" >> "$log" ;;
    *) eval "$2" > "$log" 2>&1 ;;
  esac
  status=$?
  kill $beat 2> /dev/null; wait $beat 2> /dev/null
  counts=$(grep -E '[0-9]+ passed, [0-9]+ failed' "$log" | tail -1)
  p=$(echo "$counts" | count_of passed); f=$(echo "$counts" | count_of failed)
  s=$(echo "$counts" | count_of skipped)
  [ -n "$p" ] || { p=0; f=1; }
  [ -n "$s" ] || s=0
  [ $status = 0 ] || [ "$f" != 0 ] || f=1
  [ "$((p + f + s))" != 0 ] || f=1   # a suite that ran nothing has failed
  [ "$f" = 0 ] || { bad_suites="$bad_suites $1"; tail -60 "$log"; }
  [ "$s" = 0 ] || grep -i '^skipped' "$log"
  total_passed=$((total_passed + p)); total_failed=$((total_failed + f))
  total_skipped=$((total_skipped + s))
  [ ! -t 2 ] || printf '\r\033[K' >&2
  echo "== $1: $p passed, $f failed$([ "$s" = 0 ] || echo ", $s skipped") ($(( $(date +%s) - start )) s)"
}

select_rows
announce
exec 3< "$rows"
while IFS='|' read -r name build command <&3; do
  need "$build"
  suite "$name" "$command"
done
[ -z "$bad_suites" ] || echo "failed:$bad_suites"
echo "$total_passed passed, $total_failed failed$([ $total_skipped = 0 ] || echo ", $total_skipped skipped")"
[ $total_failed = 0 ]
