#!/bin/sh
# The formulas of `dagaz derive --bulk`, evaluated by NumPy.
#   sh tests/derive/formulas.sh build
# Python is $PYTHON or python3; without NumPy: says so and skips.
python=${PYTHON:-python3}
if ! "$python" -c 'import numpy' 2> /dev/null; then
  echo "skipped: NumPy is absent; formulas were not evaluated"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
exec "$python" "$(dirname "$0")/formulas.py" "$1/dagaz" tests/derive/formulas.fut
