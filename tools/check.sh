#!/bin/sh
# Runs test suites; tools/suites.txt has one row for each.
#   check.sh fast | check | full | FOLDER | SUITE
# fast: the rows of tier fast; check: those and the rows of tier check; full: the rows of tier
# full; FOLDER: the rows of tiers fast and check that cover this folder; SUITE: one row.
# Suites run side by side, one for each processor.  Installs with apt the packages the tests need,
# when it may.  Ends with "N passed, N failed".
cd "$(dirname "$0")/.." || exit 1
what=${1:-check}
D=${BUILD:-build}
packages="clang"
jobs=$(nproc 2>/dev/null || echo 2)
# For rows of suites.txt: flags with which C compiles in a third of the time, and clang, which takes
# half of gcc's time with them.  CC chooses another compiler.
quick="-O0 -march=native"
quick_cc=${CC:-$(command -v clang || echo cc)}
quick_cxx=$(command -v clang++ || echo g++)
# Arenas and test values live until the process ends; interpreted programs handle failing allocations.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1

count_of() { sed -n "s/.*[^0-9]*\\b\\([0-9][0-9]*\\) $1.*/\\1/p" | tail -1; }

processor() {  # processor FILE: user and system time in the last line of `times`, in whole seconds
  tail -1 "$1" |
    awk '{ for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); s += 60 * t[1] + t[2] } printf "%d", s }'
}

suite() {  # suite WORK NAME COMMAND: runs it and says its counts; its own last lines if it fails
  log=$1/running.$2
  start=$(date +%s)
  case $3 in
    '!'*) eval "${3#!}" > "$log" 2>&1 && echo "1 passed, 0 failed" >> "$log" ;;
    *) eval "$3" > "$log" 2>&1 ;;
  esac
  status=$?
  times > "$1/times.$2"
  counts=$(grep -E '[0-9]+ passed, [0-9]+ failed' "$log" | tail -1)
  p=$(echo "$counts" | count_of passed); f=$(echo "$counts" | count_of failed)
  s=$(echo "$counts" | count_of skipped)
  [ -n "$p" ] || { p=0; f=1; }
  [ -n "$s" ] || s=0
  [ $status = 0 ] || [ "$f" != 0 ] || f=1
  [ "$((p + f + s))" != 0 ] || f=1   # a suite that ran nothing has failed
  { [ "$f" = 0 ] || tail -60 "$log"
    [ "$s" = 0 ] || grep -i '^skipped' "$log"
    echo "== $2: $p passed, $f failed$([ "$s" = 0 ] || echo ", $s skipped") ($(( $(date +%s) - start )) s, processor $(processor "$1/times.$2") s)"
  } > "$1/said.$2"
  rm "$log"
  echo "$2 $p $f $s" > "$1/done.$2"
  [ ! -t 2 ] || printf '\r\033[K' >&2
  cat "$1/said.$2"
}
if [ "$what" = --row ]; then  # --row WORK 'NAME|BUILD|COMMAND': one suite, for the line with xargs
  suite "$2" "${3%%|*}" "${3#*|*|}"
  exit 0
fi

work=$(mktemp -d)
beat=""
trap '[ -z "$beat" ] || kill $beat 2> /dev/null; rm -rf "$work"' EXIT
rows=$work/rows log=$work/log built=" - "

select_rows() {
  awk -F '|' -v what="$what" '
    function trim(s) { gsub(/^ +| +$/, "", s); return s }
    /^#/ || NF < 5 { next }
    NF > 5 { print "check.sh: a command holds |: " $1 > "/dev/stderr"; exit 1 }
    { name = trim($1); tier = trim($2); folders = " " trim($4) " "
      if (what == "full") take = tier == "full"
      else if (what == "fast") take = tier == "fast"
      else if (what == "check") take = tier != "full"
      else take = name == what || (tier != "full" && index(folders, " " what " "))
      if (take) print name "|" trim($3) "|" trim($5) }' tools/suites.txt > "$rows" || exit 2
  [ -s "$rows" ] || { echo "check.sh: no suite or folder '$what'; tools/suites.txt lists them"; exit 2; }
}

announce() {
  case $what in
    fast) time="15 seconds" ;;
    check) time="4 minutes" ;;
    full) time="50 minutes" ;;
    *) time="4 minutes at most" ;;
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

heartbeat() {  # on a terminal: the suites that run and the ends of their output, every five seconds
  while sleep 5; do
    line=""
    for file in "$work"/running.*; do
      [ ! -e "$file" ] || line="$line${file##*/running.}: $(tail -c 40 "$file" | tr '\r\n\033' '   ')  "
    done
    printf '\r\033[K%.150s' "$line" >&2
  done
}

select_rows
announce
while IFS='|' read -r name build command; do need "$build"; done < "$rows"
[ ! -t 2 ] || { heartbeat & beat=$!; }
tr '\n' '\0' < "$rows" | xargs -0 -n 1 -P "$jobs" sh tools/check.sh --row "$work"
cat "$work"/done.* | awk -v suites="$(wc -l < "$rows")" '
  { p += $2; f += $3; s += $4; if ($3) bad = bad " " $1 }
  END {
    if (NR != suites) { print suites - NR " suites did not end"; f++ }
    if (bad) print "failed:" bad
    print p " passed, " f " failed" (s ? ", " s " skipped" : "")
    exit f > 0
  }'
