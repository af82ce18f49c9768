#!/bin/sh
# The tests of the Python package: run.sh [--full] BUILD [PYTEST ARGUMENTS..].  Needs python3 with
# numpy and pytest; without them it makes a virtual environment in BUILD, where it can.  --full: those
# marked so, with torch, jax and the rest installed in that environment, where they can be.
# $PYTHON: another python3, which is taken as it is.
cd "$(dirname "$0")/../.." || exit 1
full=""
[ "$1" = --full ] && { full=1; shift; }
D=$1; shift
work=$D/python
log=$work/log

skip() { echo "skipped: $1"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }

python=${PYTHON:-python3}
has() { "$1" -c 'import sys, numpy, pytest; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; }
command -v "$python" > /dev/null || skip "there is no python3"
mkdir -p "$work"
has "$python" || {
  [ -x "$work/venv/bin/python" ] || "$python" -m venv "$work/venv" > "$log" 2>&1
  has "$work/venv/bin/python" ||
    "$work/venv/bin/python" -m pip install -q numpy pytest > "$log" 2>&1
  python=$work/venv/bin/python
  has "$python" || skip "python3 (3.11 or later) has no numpy and pytest, and pip could not install them"
}

more="scipy matplotlib ipython mypy ruff jax torch futhark-data futhark-server"
[ -z "$full" ] || [ -n "$PYTHON" ] || {
  [ -x "$work/venv/bin/python" ] || "$python" -m venv "$work/venv" > "$log" 2>&1
  python=$work/venv/bin/python
  for package in numpy pytest $more; do
    "$python" -m pip install -q "$package" > "$log" 2>&1 || echo "skipped: pip cannot install $package"
  done
  has "$python" || skip "pip cannot install numpy and pytest"
}

# The package as setup.py would build it, beside the build.
rm -rf "$work/dagaz"
cp -R python/dagaz "$work/dagaz"
rm -f "$work"/dagaz/_dagaz "$work"/dagaz/*.so
include=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
${CC:-cc} -shared -fPIC -O2 -Wall -Wextra -Werror -I"$include" python/dagaz/_call.c \
  -o "$work/dagaz/_call.abi3.so" 2> "$log" || cat "$log"
DAGAZ=$(pwd)/$D/dagaz XDG_CACHE_HOME=$(pwd)/$work/cache PYTHONPATH=$(pwd)/$work
export DAGAZ XDG_CACHE_HOME PYTHONPATH
[ $# -gt 0 ] || { [ -n "$full" ] && set -- -m full tests/python; }
[ $# -gt 0 ] || set -- -m "not full" tests/python
"$python" -m pytest -q -rs -p no:cacheprovider "$@" > "$log" 2>&1
status=$?
count() { tail -1 "$log" | grep -o "[0-9]* $1" | cut -d ' ' -f 1 | head -1; }
p=$(count passed); f=$(count failed); e=$(count error); s=$(count skipped)
[ $status = 0 ] || tail -60 "$log"
grep -i '^SKIPPED' "$log" | sort -u | head -20
[ $status -le 1 ] || [ "$((0${f:-0} + 0${e:-0}))" != 0 ] || f=1
echo "${p:-0} passed, $((${f:-0} + ${e:-0})) failed${s:+, $s skipped}"
