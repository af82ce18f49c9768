#!/bin/sh
# The examples of examples/mpi on one, two and three processes of this machine: all must print the
# same.   run.sh BUILD
# Needs mpicc and mpirun (Debian: mpich or openmpi-bin and libopenmpi-dev); for the Python one a
# python3 with numpy and mpi4py, $PYTHON or that of PATH.  Says what it skips.
cd "$(dirname "$0")/../.." || exit 1
D=$(cd "$1" && pwd)
passed=0 failed=0 skipped=0
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
# Open MPI: more processes than cores, and the root of containers.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe

end() { echo "$passed passed, $failed failed, $skipped skipped"; [ $failed = 0 ]; exit; }
skip() { echo "skipped: $1"; skipped=$((skipped + 1)); }
passes() { passed=$((passed + 1)); }
fails() { failed=$((failed + 1)); echo "FAILED $1"; head -20 "$work/log"; }
agree() {  # agree WHAT PROCESSES COMMAND..: prints what one process of C did
  what=$1 n=$2; shift 2
  if timeout 120 mpirun -n "$n" "$@" > "$work/out" 2> "$work/log" && cmp "$work/one" "$work/out" >> "$work/log"
  then passes; else fails "$what on $n processes"; fi
}

command -v mpicc > /dev/null && command -v mpirun > /dev/null || { skip "mpicc or mpirun is absent"; end; }
cp examples/mpi/* "$work"
build() {  # build ROWS: into $work/gradient
  sed "s/ROWS = 1000/ROWS = $1/" examples/mpi/gradient.c > "$work/gradient.c"
  (cd "$work" && "$D/dagaz" c --library logistic.fut &&
    mpicc -O1 -Wall -Wextra gradient.c logistic.c -lm -lpthread -o gradient) > "$work/log" 2>&1
}
build 2 || { fails "gradient.c"; end; }
"$work/gradient" > "$work/one" 2> "$work/log" && grep -q '^loss 0' "$work/one" && passes || fails "one process"
agree "no rows for one of them: gradient" 3 "$work/gradient"
build 1000
"$work/gradient" > "$work/one" 2> "$work/log"
grep -q '^loss 331.692491' "$work/one" && passes || fails "one process"
agree gradient 2 "$work/gradient"
agree gradient 3 "$work/gradient"

python=${PYTHON:-python3}
"$python" -c 'import numpy, mpi4py.MPI' 2> /dev/null || { skip "$python cannot import numpy and mpi4py"; end; }
cp -R python/dagaz "$work/dagaz"
rm -f "$work"/dagaz/_dagaz "$work"/dagaz/*.so
include=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
${CC:-cc} -shared -fPIC -O1 -I"$include" python/dagaz/_call.c -o "$work/dagaz/_call.abi3.so"
DAGAZ=$D/dagaz PYTHONPATH=$work
export DAGAZ PYTHONPATH
agree gradient.py 1 "$python" "$work/gradient.py"
agree gradient.py 2 "$python" "$work/gradient.py"
end
