#!/bin/sh
# The tests of the Python package: run.sh [--full | --asan] BUILD [PYTEST ARGUMENTS..].  Needs python3
# with numpy and pytest; without them it makes a virtual environment in BUILD, where it can.
#   --full   those marked so, with torch, jax and the rest installed there, where they can be
#   --asan   values and programs, under the address sanitizer
# $PYTHON: another python3, which is taken as it is.
cd "$(dirname "$0")/../.." || exit 1
mode="" asan=""
case $1 in --full | --asan) mode=$1; shift ;; esac
[ "$mode" != --asan ] || asan=-fsanitize=address
D=$1; shift
work=$D/python$mode
venv=$D/python-venv
log=$work/log

skip() { echo "skipped: $1"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }

# ---- a Python -----------------------------------------------------------------------------------
has() { "$1" -c 'import sys, numpy, pytest; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; }
install() {  # install PACKAGE..: into the environment, which other runs may use, too
  until mkdir "$venv.lock" 2> /dev/null; do sleep 1; done
  [ -x "$venv/bin/python" ] || "$python" -m venv "$venv" > "$log" 2>&1
  for package in "$@"; do
    "$venv/bin/python" -m pip install -q "$package" > "$log" 2>&1 ||
      echo "skipped: pip cannot install $package"
  done
  rmdir "$venv.lock"
}
python=${PYTHON:-python3}
command -v "$python" > /dev/null || skip "there is no python3"
mkdir -p "$work"
if [ "$mode" = --full ] && [ -z "$PYTHON" ]; then
  install numpy pytest scipy matplotlib ipython mypy ruff jax torch futhark-data futhark-server \
    futhark-ffi
elif ! has "$python"; then
  has "$venv/bin/python" || install numpy pytest
fi
[ -n "$PYTHON" ] || [ ! -x "$venv/bin/python" ] || python=$venv/bin/python
has "$python" || skip "python3 (3.11 or later) has no numpy and pytest, and pip cannot install them"

# ---- the package as setup.py would build it -----------------------------------------------------
rm -rf "$work/dagaz"
cp -R python/dagaz "$work/dagaz"
rm -f "$work"/dagaz/_dagaz "$work"/dagaz/*.so
include=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
${CC:-cc} -shared -fPIC -O2 -g $asan -Wall -Wextra -Werror -I"$include" python/dagaz/_call.c \
  -o "$work/dagaz/_call.abi3.so" 2> "$log" || cat "$log"
DAGAZ=$(pwd)/$D/dagaz XDG_CACHE_HOME=$(pwd)/$work/cache PYTHONPATH=$(pwd)/$work
export DAGAZ XDG_CACHE_HOME PYTHONPATH

# ---- the run ------------------------------------------------------------------------------------
case $#$mode in
  0) set -- -m "not full" tests/python ;;
  0--full) set -- -m full tests/python ;;
  0--asan) set -- tests/python/test_values.py tests/python/test_programs.py tests/python/test_bad_input.py ;;
esac
[ -z "$asan" ] || {
  LD_PRELOAD=$(${CC:-cc} -print-file-name=libasan.so)
  case $LD_PRELOAD in /*) ;; *) skip "the C compiler has no address sanitizer" ;; esac
  ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc
  export LD_PRELOAD ASAN_OPTIONS PYTHONMALLOC
}
"$python" -m pytest -q -rs -p no:cacheprovider "$@" > "$log" 2>&1
status=$?
unset LD_PRELOAD
count() { tail -1 "$log" | grep -o "[0-9]* $1" | cut -d ' ' -f 1 | head -1; }
p=$(count passed); f=$(count failed); e=$(count error); s=$(count skipped)
[ $status = 0 ] || tail -60 "$log"
grep -i '^SKIPPED' "$log" | sort -u | head -20
bad=$((${f:-0} + ${e:-0}))
[ $status -le 1 ] || [ $bad != 0 ] || bad=1
echo "${p:-0} passed, $bad failed${s:+, $s skipped}"
