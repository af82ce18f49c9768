#!/bin/sh
# Files that NumPy wrote are read, and NumPy reads ours, in every type, order and compression.
#   sh tests/data/numpy.sh build
# Python is $PYTHON or python3; without NumPy: says so and skips.
dagaz=$(cd "$1" && pwd)/dagaz
python=${PYTHON:-python3}
if ! "$python" -c 'import numpy' 2> /dev/null; then
  echo "skipped: NumPy is absent; its files were not compared with ours"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$(dirname "$0")/numpy_files.py" "$work"
cd "$work" && exec "$python" numpy_files.py "$dagaz"
