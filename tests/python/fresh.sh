#!/bin/sh
# fresh.sh BUILD: from nothing to a gradient.  In a new virtual environment with only NumPy it times
# `pip install` of the sources (those git knows, without anything built), the first gradient of
# first_gradient.py with an empty cache, and what Python adds to a call.  Bounds are on processor
# time and on least times, since the machine may be busy; the times on the clock are printed, too.
cd "$(dirname "$0")/../.." || exit 1
python=${PYTHON:-python3}
work=$(pwd)/${1:-build}/python-fresh
skip() { echo "skipped: $1"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null ||
  skip "there is no python3 (3.11 or later)"
rm -rf "$work"
mkdir -p "$work/source" "$work/place"
{ git ls-files -z --cached --others --exclude-standard | xargs -0 sh -c 'for f; do [ ! -f "$f" ] || printf "%s\0" "$f"; done' sh |
    tar --null -cf - -T - | tar -xf - -C "$work/source"; } || exit 1
"$python" -m venv "$work/venv" > "$work/log" 2>&1 || skip "python3 makes no virtual environment"
"$work/venv/bin/python" -m pip install -q numpy setuptools > "$work/log" 2>&1 ||
  skip "pip cannot install numpy"
cp tests/python/first_gradient.py "$work/place"
printf 'x,y\n0,1\n1,3\n2,5\n' > "$work/place/data.csv"
unset DAGAZ PYTHONPATH
XDG_CACHE_HOME=$work/cache exec "$work/venv/bin/python" tests/python/fresh.py "$work"
