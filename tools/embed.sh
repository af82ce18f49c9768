#!/bin/sh
# embed.sh SCALARS: prints C source with the texts of rts/ and lib/ as string constants, and that of
# SCALARS, rts/device.h after the preprocessor, and of the schedule of checkpoints; see src/values/embed.h.
scalars=$(realpath "$1") || exit 1
cd "$(dirname "$0")/.." || exit 1
texts() {  # texts PREFIX FILES..
  prefix=$1; shift; n=0
  for file in "$@"; do
    echo "static const char ${prefix}_$n[] ="
    sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' "$file"
    echo '"";'
    n=$((n + 1))
  done
}
list() {  # list NAME PREFIX FOLDER FILES..: names are relative to the folder
  echo "const struct EmbeddedFile $1[] = {"
  prefix=$2; folder=$3; shift 3; n=0
  for file in "$@"; do
    echo "{\"${file#"$folder"/}\", ${prefix}_$n, sizeof ${prefix}_$n - 1},"
    n=$((n + 1))
  done
  echo "{0, 0, 0}};"
}
rts=$(find rts -type f | LC_ALL=C sort)
lib=$(find lib -name '*.fut' | LC_ALL=C sort)
headers=$(find lib/c -name '*.h' | LC_ALL=C sort)
rules=$(find lib/c -name '*.rules' | LC_ALL=C sort)
echo '#include "values/embed.h"'
texts rts $rts
texts lib $lib
texts header $headers
texts rule $rules
texts scalars "$scalars"
texts schedule src/ad/loops/schedule.ir
echo 'const char *const rts_scalars = scalars_0;'
echo 'const char *const schedule_text = schedule_0;'
list rts_files rts rts $rts
list lib_files lib lib $lib
list c_headers header lib/c $headers
list c_rules rule lib/c $rules
